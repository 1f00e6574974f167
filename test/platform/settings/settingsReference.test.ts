/** Compares the generated pages with the table of settings. `UPDATE=1` writes the pages. */
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { exitCodes, exitCodeTable } from "../../../src/platform/ExitCodes.ts"
import { load } from "../../../src/platform/settings/SettingsLoad.ts"
import { renderEnvExample, renderReference } from "../../../src/platform/settings/SettingsReference.ts"
import { settingsTable } from "../../../src/platform/settings/Settings.ts"
import { aSettings } from "../../support/settings.ts"

const table = Object.values(settingsTable)

const readFile = () => assert.fail("no file is named")

describe("pages that are made from the settings table", () => {
  it.each([
    [".env.example", renderEnvExample],
    ["docs/configuration.md", renderReference]
  ])("the file %s agrees with the settings table (a test run with `UPDATE=1` writes the file)", (name, render) => {
    const path = fileURLToPath(new URL(`../../../${name}`, import.meta.url))
    if (process.env["UPDATE"] === "1") writeFileSync(path, render())
    assert.strictEqual(existsSync(path) ? readFileSync(path, "utf8") : "", render())
  })

  it("the configuration page and `.env.example` describe every setting once, with its meaning and its allowed values", () => {
    for (const { allowed, doc, name } of table) {
      for (const page of [renderEnvExample(), renderReference()]) {
        for (const part of [name, doc, allowed]) assert.include(page, part)
      }
      assert.match(doc, /\.$/)
      assert.strictEqual(renderReference().split(`| \`${name}\``).length, 2)
    }
  })

  it("a pod whose `.env` is a copy of `.env.example` has the default settings", () => {
    const loaded = Either.getOrThrow(load({ environment: {}, dotenv: renderEnvExample(), readFile }))
    assert.deepStrictEqual(loaded.settings, aSettings())
    assert.deepStrictEqual(loaded.warnings, [])
  })

  it("the pod accepts every example in `.env.example` when the `#` before the example is removed", () => {
    const dotenv = renderEnvExample().replaceAll(/^#(?=POD_|OTEL_)(?!POD_OWNER_EMAIL|\w+_FILE=)/gm, "")
    const loaded = Either.getOrThrow(load({ environment: {}, dotenv, readFile }))
    const set = Object.values(loaded.sourceOf).filter((source) => source.startsWith(".env line"))
    assert.strictEqual(set.length, table.filter(({ isSecret }) => !isSecret).length - 1)
  })
})

describe("exit codes of the pod", () => {
  it("every exit code of the pod is unique, and none of them is reserved for the command line client", () => {
    const codes = Object.values(exitCodes)
    assert.strictEqual(new Set(codes).size, codes.length)
    for (const code of [4, 5, 6, 9, 10]) assert.notInclude(codes, code)
  })

  it("the documentation describes every exit code", () => {
    for (const [name, { code }] of Object.entries(exitCodeTable)) {
      assert.include(renderReference(), `| ${code} | \`${name}\` |`)
    }
  })
})
