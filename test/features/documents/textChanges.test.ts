/** Applies changes to a text, and compares the result with a text that the test builds itself. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { type TextChange } from "../../../src/features/documents/Document.ts"
import { applyTextChanges } from "../../../src/features/documents/TextChanges.ts"

const wet = "The quay is wet."

describe("changes of a text by position", () => {
  it("if one of several text changes is incomplete, out of range or overlaps another change, all changes are refused", () => {
    const refused: ReadonlyArray<ReadonlyArray<TextChange>> = [
      [{ op: "insert", text: "x" }],
      [{ op: "insert", position: 1 }],
      [{ op: "delete", position: 1 }],
      [{ op: "replace", range: { start: 0, end: 3 } }],
      [{ op: "delete", range: { start: 0, end: wet.length + 1 } }],
      [{ op: "insert", position: wet.length + 1, text: "x" }],
      [{ op: "delete", range: { start: 5, end: 4 } }],
      [
        { op: "delete", range: { start: 0, end: 5 } },
        { op: "replace", range: { start: 4, end: 8 }, text: "x" }
      ]
    ]
    for (const changes of refused) assert.isUndefined(applyTextChanges(wet, changes), JSON.stringify(changes))
  })

  it("the positions of text changes refer to the original text, in whatever order the changes are given", () => {
    const changes: ReadonlyArray<TextChange> = [
      { op: "replace", range: { start: 12, end: 15 }, text: "dry" },
      { op: "insert", position: 4, text: "old " },
      { op: "delete", range: { start: 15, end: 16 } },
      { op: "insert", position: 4, text: "stone " }
    ]
    assert.strictEqual(applyTextChanges(wet, changes), "The old stone quay is dry")
  })

  it("an empty list of text changes leaves the text unchanged", () =>
    assert.strictEqual(applyTextChanges(wet, []), wet))

  it("random edits that keep, delete, replace or insert parts of a text give the expected text", () => {
    const piece = fc.record({
      text: fc.string({ maxLength: 8 }),
      fate: fc.constantFrom("kept", "delete", "replace", "insert"),
      put: fc.string({ maxLength: 8 })
    })
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.boolean(), (pieces, isReversed) => {
        const changes: Array<TextChange> = []
        let original = ""
        let expected = ""
        for (const { fate, put, text } of pieces) {
          const range = { start: original.length, end: original.length + text.length }
          original += text
          // The test makes no change of an empty range. Such a change would be an insertion, and the order of
          // insertions at one place matters.
          if (fate === "insert" && text !== "") changes.push({ op: "insert", position: range.end, text: put })
          if (fate === "delete" && text !== "") changes.push({ op: "delete", range })
          if (fate === "replace" && text !== "") changes.push({ op: "replace", range, text: put })
          expected +=
            text === "" || fate === "kept" ? text : fate === "insert" ? text + put : fate === "delete" ? "" : put
        }
        const given = isReversed && !changes.some(({ op }) => op === "insert") ? changes.toReversed() : changes
        return applyTextChanges(original, given) === expected
      })
    )
  })
})
