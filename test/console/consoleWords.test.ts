/** The words of the console: one word for one action, and names of fields as people read them. */
import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { everyText, wordsOf } from "../../src/console/screens/health/settingWords.ts"
import { paletteKey } from "../../src/console/shell/paletteKey.ts"
import { projectRoot } from "../support/migrations.ts"

describe("the wording of the console", () => {
  it("the console shows the name of a field as words, with abbreviations such as MCP in capitals", () => {
    assert.strictEqual(wordsOf("requestsPerMinute"), "Requests per minute")
    assert.strictEqual(wordsOf("mcp"), "MCP")
    assert.strictEqual(wordsOf("body_limit"), "Body limit")
  })

  it("the console shows an interval in the largest time unit that gives a whole number", () => {
    assert.deepStrictEqual([86_400, 172_800, 43_200, 3_600, 90, 60].map(everyText), [
      "day",
      "2 days",
      "12 hours",
      "hour",
      "90 seconds",
      "minute"
    ])
  })

  it("the console shows the shortcut of the command palette as ⌘K on Apple devices and as Ctrl K on other devices", () => {
    assert.strictEqual(paletteKey("MacIntel"), "⌘K")
    assert.strictEqual(paletteKey("iPad"), "⌘K")
    for (const platform of ["Linux x86_64", "Win32", ""]) assert.strictEqual(paletteKey(platform), "Ctrl K")
  })

  it("no screen of the console uses the words “Store” or “Made” for saving or creating", () => {
    const folder = `${projectRoot}src/console/screens/`
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".tsx"))
    const other = /^\s*Store$|Store the|"Store(?:"| it anyway")|`[^`]* is stored\.`|name: "Made"/m
    assert.isNotEmpty(files)
    assert.deepStrictEqual(
      files.filter((name) => other.test(readFileSync(`${folder}${name}`, "utf8"))),
      []
    )
  })
})
