/**
 * Tests that no text of another person reaches the terminal with control characters. Such a text could move the cursor,
 * hide lines or change the title of the window.
 */
import { assert, describe, it, vi } from "@effect/vitest"
import { outputOf } from "../../src/cli/Output.ts"
import { aCommandScene, dataOf } from "../support/commandScene.ts"

const { pod, server } = aCommandScene()

/** A screen that is cleared, a window title, the C1 form of an escape, and a text from right to left. */
const hostile = "\u001b[2J\u001b]0;title\u0007\u009b31m\u202egnp"

// eslint-disable-next-line no-control-regex
const harmful = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/

/** Collects what `run` writes to stdout and stderr. */
const written = (run: () => void): string => {
  const texts: Array<string> = []
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, "write").mockImplementation((text) => texts.push(String(text)) > 0)
  )
  try {
    run()
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  return texts.join("")
}

describe("texts of other people at the terminal", () => {
  it("the preview of a key shows the name of a workspace without its control characters", async () => {
    const workspaceId = await server().aWorkspace(server().owner, `Sales${hostile}`)
    const preview = ["keys", "create", "--name", "k", "--preview", "--workspace", workspaceId]
    const { code, stderr, stdout } = await pod([...preview, "--permission", "entity.note.read"])
    assert.strictEqual(code, 0, stderr)
    assert.include(stdout, "Sales\\u001b[2J")
    assert.notMatch(stdout, harmful)
  })

  it("JSON for programs writes control characters as escapes, and a program reads the same text back", async () => {
    await server().owner.send("POST", "/api/hub/entities", { title: `Tides${hostile}`, profileSlug: "note" })
    for (const format of ["json", "ndjson"]) {
      const { code, stderr, stdout } = await pod(["get", "note", "-o", format])
      assert.strictEqual(code, 0, stderr)
      assert.notMatch(stdout, harmful)
    }
    const titles = dataOf(await pod(["get", "note", "--json"])).map(({ title }: { readonly title: string }) => title)
    assert.include(titles, `Tides${hostile}`)
  })

  it("a command that forgets to escape a text prints no control character of the text", () => {
    const output = outputOf({ output: "table", quiet: false, noColor: true })
    const printed = written(() => {
      output.data({}, { text: () => `shown ${hostile}` })
      output.item({}, () => `item ${hostile}`)
      output.note(`note ${hostile}`)
    })
    for (const what of ["shown", "item", "note"]) assert.include(printed, `${what} \\u001b[2J`)
    assert.notMatch(printed, harmful)
  })

  it("if the command line prints without colours, it prints the colour codes in a text of another person as escapes", () => {
    const output = outputOf({ output: "table", quiet: false, noColor: true })
    const printed = written(() => output.data({}, { text: () => "\u001b[31mred\u001b[39m" }))
    assert.strictEqual(printed, "\\u001b[31mred\\u001b[39m\n")
  })
})
