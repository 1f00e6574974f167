/** The differences that the inbox shows: of texts by line and word, and of JSON by structure. */
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { jsonChanges, pathText, stableText, valueAt, withValueAt } from "../../src/console/screens/inbox/jsonDiff.ts"
import { foldedRows, lineRows, textOf, wordPieces } from "../../src/console/screens/inbox/textDiff.ts"

const text = fc
  .array(fc.constantFrom("a", "b", "plan ", "due", "\n", "\n\n", " ", "é", "."), { maxLength: 40 })
  .map((parts) => parts.join(""))
/** Removes the line break at the end of a text, because no line follows this line break. */
const lines = (whole: string) => (whole.endsWith("\n") ? whole.slice(0, -1) : whole)
const json = fc.jsonValue({ maxDepth: 3 })

describe("the differences that the inbox shows between two texts", () => {
  it("without the added words, the word difference of two texts is the old text, and without the removed words it is the new text", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const pieces = wordPieces(before, after)
        assert.strictEqual(textOf(pieces.filter(({ kind }) => kind !== "added")), before)
        assert.strictEqual(textOf(pieces.filter(({ kind }) => kind !== "removed")), after)
      })
    )
  })

  it("the line difference of two texts contains every line of both texts, in order", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const rows = lineRows(before, after)
        const side = (name: "before" | "after") =>
          rows.flatMap((row) => (row[name] === undefined ? [] : [textOf(row[name])])).join("\n")
        assert.strictEqual(side("before"), lines(before))
        assert.strictEqual(side("after"), lines(after))
      })
    )
  })

  it("if two texts differ in thousands of lines, the inbox shows the old text as replaced by the new text and leaves out no line", () => {
    const [before, after] = ["a", "b"].map((name) =>
      Array.from({ length: 8_000 }, (_, at) => `${name} ${at}`).join("\n")
    )
    const rows = lineRows(before ?? "", after ?? "")
    assert.strictEqual(rows.map((row) => textOf(row.before)).join("\n"), before)
    assert.strictEqual(rows.map((row) => textOf(row.after)).join("\n"), after)
    assert.deepStrictEqual(rows.at(-1), {
      kind: "changed",
      before: [{ kind: "removed", text: "a 7999" }],
      after: [{ kind: "added", text: "b 7999" }]
    })
  })

  it("folding the difference of two texts hides only unchanged rows and loses no row", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const rows = lineRows(before, after)
        const folded = foldedRows(rows)
        assert.deepStrictEqual(
          folded.flatMap((row) => (row.kind === "hidden" ? row.rows : [row])),
          rows
        )
        assert.isTrue(folded.every((row) => row.kind !== "hidden" || row.rows.every(({ kind }) => kind === "same")))
      })
    )
  })

  it("the difference of two texts marks only the changed words in a changed line", () => {
    assert.deepStrictEqual(lineRows("due Monday\nat home", "due Friday\nat home"), [
      {
        kind: "changed",
        before: [
          { kind: "same", text: "due " },
          { kind: "removed", text: "Monday" }
        ],
        after: [
          { kind: "same", text: "due " },
          { kind: "added", text: "Friday" }
        ]
      },
      { kind: "same", before: [{ kind: "same", text: "at home" }], after: [{ kind: "same", text: "at home" }] }
    ])
  })
})

describe("the differences that the inbox shows between two JSON values", () => {
  it("the difference of two JSON values is empty exactly if their JSON with sorted keys is equal", () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        assert.strictEqual(jsonChanges(before, after).length === 0, stableText(before) === stableText(after))
        assert.deepStrictEqual(jsonChanges(before, before), [])
      })
    )
  })

  it("if the difference of two JSON values contains an added, changed or moved value, the second JSON value has this value at the path in the difference", () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        for (const change of jsonChanges(before, after)) {
          if (change.kind === "added") assert.strictEqual(valueAt(after, change.path), change.after)
          if (change.kind === "changed") assert.strictEqual(valueAt(after, change.path), change.after)
          if (change.kind === "moved") assert.strictEqual(valueAt(after, change.path), change.value)
        }
      })
    )
  })

  it("if only the order of the keys of an object changed, the difference of two JSON values is empty", () => {
    assert.deepStrictEqual(jsonChanges({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }), [])
  })

  it("if a text has moved to another key of a JSON object, the difference of two JSON values shows the text as moved", () => {
    assert.deepStrictEqual(jsonChanges({ place: "The office" }, { location: "The office" }), [
      { kind: "moved", path: ["location"], from: ["place"], value: "The office" }
    ])
  })

  it("if a small value such as `true` has moved to another key, the difference of two JSON values shows the value as removed and as added", () => {
    assert.deepStrictEqual(
      jsonChanges({ done: true }, { open: true }).map(({ kind }) => kind),
      ["removed", "added"]
    )
  })

  it("if a list item has moved to another place, the difference of two JSON values shows the item as moved, and its neighbours as unchanged", () => {
    assert.deepStrictEqual(jsonChanges(["one", "two", "three"], ["two", "three", "one"]), [
      { kind: "moved", path: [2], from: [0], value: "one" }
    ])
  })

  it("if a list item changed, the difference of two JSON values shows only the changed field of this item", () => {
    const before = { steps: [{ name: "Buy", done: false }, { name: "Cook" }] }
    const after = { steps: [{ name: "Buy", done: true }, { name: "Cook" }] }
    assert.deepStrictEqual(jsonChanges(before, after), [
      { kind: "changed", path: ["steps", 0, "done"], before: false, after: true }
    ])
    assert.strictEqual(pathText(["steps", 0, "done"]), "steps[0].done")
  })

  it("the difference of two JSON values shows an embedding as the count of its numbers, without the numbers", () => {
    const before = Array.from({ length: 1536 }, (_, at) => at)
    const after = before.map((each) => each + 1)
    assert.deepStrictEqual(jsonChanges(before, after), [{ kind: "numbers", path: [], count: 1536, changed: 1536 }])
  })
})

describe("writing a value at a path in JSON data", () => {
  it("after a value is written at a path in JSON data, the value is found at this path, and all other values are unchanged", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), json),
        fc.array(fc.string(), { minLength: 1, maxLength: 3 }),
        json,
        (fields, path, value) => {
          const made = withValueAt(fields, path, value)
          assert.strictEqual(stableText(valueAt(made, path)), stableText(value))
          for (const [name, other] of Object.entries(fields)) {
            if (name !== path[0]) assert.strictEqual(valueAt(made, [name]), other)
          }
        }
      )
    )
  })

  it("writing `undefined` at a path in JSON data removes the value at this path", () => {
    assert.deepStrictEqual(withValueAt({ a: { b: 1, c: 2 } }, ["a", "b"], undefined), { a: { c: 2 } })
  })
})
