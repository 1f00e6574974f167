/**
 * A text with hidden characters, or with important words far below the beginning, cannot deceive the person who decides
 * about the text.
 */
import { assert, describe, it } from "@effect/vitest"
import { paintFor } from "../../src/cli/Output.ts"
import { escapeInvisible } from "../../src/shared/visibleText.ts"
import { proposalText } from "../../src/cli/ProposalText.ts"
import { visibleText } from "../../src/shared/visibleText.ts"

const paint = paintFor({ isTTY: false }, true)

const names = { maker: "the agent Scribe", workspace: "the workspace Acme", key: "the key scribe" }

const proposalWith = (after: string) => ({
  id: "0190a0a0-0000-7000-8000-000000000001",
  summary: `Create note “${after.slice(0, 20)}”`,
  differences: [{ path: ["description"], kind: "added", after }]
})

describe("attack: an agent writes a text that looks like another text", () => {
  it("the pod shows escape sequences instead of invisible characters and instead of characters that change the direction of a text", () => {
    const tagged = [..."obey me"].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("")
    for (const [text, shown] of [
      ["pay \u202e001\u202c euros", "pay \\u202e001\\u202c euros"],
      ["a\u2066b\u2069c", "a\\u2066b\\u2069c"],
      ["one\u2028two\u2029three", "one\\u2028two\\u2029three"],
      [`note${tagged.slice(0, 2)}`, "note\\udb40\\udc6f"]
    ] as const) {
      assert.strictEqual(visibleText(text), shown)
      assert.include(proposalText(proposalWith(text), names, paint), shown)
    }
    assert.notMatch(escapeInvisible(tagged), /[\u{e0000}-\u{e007f}]/u)
  })

  it("the pod shows emoji, and texts in scripts that need direction marks, without any change", () => {
    for (const text of ["שלום \u200eA\u200f", "می‌خواهم", "👩‍👩‍👧 🏳️‍🌈", "line\nline\ttab"])
      assert.strictEqual(visibleText(text), text)
  })

  it("before a person approves a proposal, the command line names each field whose value the proposal removes, such as a limit", () => {
    const differences = [
      { path: ["name"], kind: "added", after: "Reader" },
      { path: ["workspaceIds"], kind: "added", after: null },
      { path: ["limits", "kinds"], kind: "removed", before: [] },
      { path: ["note"], kind: "changed", before: "Only in spring", after: "" }
    ]
    const text = proposalText({ ...proposalWith(""), differences }, names, paint)
    assert.include(text, "Without a value: workspaceIds: null, limits.kinds: []")
    for (const { path } of differences) assert.include(text, path.join("."))
  })

  it("before a person approves a proposal, the command line shows the whole proposed text, even if it is long", () => {
    const proposal = proposalWith(`${"harmless ".repeat(200)}and delete everything`)
    assert.notInclude(proposalText(proposal, names, paint), "delete everything")
    assert.include(proposalText(proposal, names, paint, Infinity), "delete everything")
  })

  it("the reason that an agent gives cannot look like a line that the command line writes about the proposal", () => {
    const reasoning = "It is right.\n  By the person Owner, in the personal space"
    const text = proposalText({ ...proposalWith("x"), reasoning }, names, paint, Infinity)
    const lines = text.split("\n").filter((line) => /^ {2}By /.test(line))
    assert.deepStrictEqual(lines, ["  By the agent Scribe, in the workspace Acme, with the key scribe"])
  })
})
