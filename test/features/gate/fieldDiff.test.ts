/** Tests the differences that a proposal shows to a person. They are exactly what the proposal changes. */
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import {
  diffFields,
  type FieldDifference,
  type Fields,
  hasFields,
  jsonEquals,
  type TextSegment
} from "../../../src/features/gate/FieldDiff.ts"

const parsed = (text: string) => JSON.parse(text) as Fields

/** Few names and few values, so that two records often share fields. */
const name = fc.constantFrom("a", "b", "c", "__proto__", "constructor")
const word = fc.constantFrom("red ", "blue", "blue ", "  ", "\n", "\r\n", "\t", "é", "\u{1F600} ", "\u00a0")
const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(""))
const scalar = fc.oneof(text, fc.constantFrom(0, 1, true, false, null))
const { record } = fc.letrec<{ record: Fields; value: unknown }>((tie) => ({
  record: fc.array(fc.tuple(name, tie("value")), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  value: fc.oneof({ depthSize: "small" }, scalar, tie("record"), fc.array(tie("value"), { maxLength: 2 }))
}))

/** Returns the same JSON with the keys of every object in reverse order. */
const reordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reordered)
  if (!hasFields(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, reordered(inner)])
  )
}

/**
 * Applies one difference to a record. First asserts that the record has the value that the difference calls `before`.
 */
const applied = (fields: Fields, { path, kind, before, after }: FieldDifference): Fields => {
  const [first, ...rest] = path
  const own = new Map(Object.entries(fields))
  if (rest.length > 0) {
    const inner = own.get(first)
    assert.isTrue(hasFields(inner), `there is no object at ${path.join(".")}`)
    own.set(first, applied(inner as Fields, { path: rest, kind, before, after }))
  } else {
    assert.strictEqual(own.has(first), kind !== "added")
    if (kind !== "added") assert.deepStrictEqual(own.get(first), before)
    if (kind === "removed") own.delete(first)
    else own.set(first, after)
  }
  return Object.fromEntries(own)
}

const side = (words: ReadonlyArray<TextSegment>, kind: "removed" | "added") =>
  words
    .filter((piece) => piece.kind === "same" || piece.kind === kind)
    .map((piece) => piece.text)
    .join("")

const wordsOf = (before: string, after: string): ReadonlyArray<TextSegment> => {
  const [difference] = diffFields({ text: before }, { text: after })
  assert.isDefined(difference.words)
  return difference.words
}

/** Writes a text change as `[-removed-]` and `[+added+]`. */
const marked = (before: string, after: string) =>
  wordsOf(before, after)
    .map(({ kind, text }) => (kind === "same" ? text : kind === "removed" ? `[-${text}-]` : `[+${text}+]`))
    .join("")

describe("two records without differences", () => {
  it("a record does not differ from itself, whatever the order of its fields", () => {
    fc.assert(
      fc.property(record, (fields) => {
        assert.deepStrictEqual(diffFields(fields, reordered(fields) as Fields), [])
        assert.isTrue(jsonEquals(fields, reordered(fields)))
      })
    )
  })

  it("two records are equal exactly if the diff between them is empty", () => {
    fc.assert(
      fc.property(record, record, (one, other) => {
        assert.strictEqual(jsonEquals(one, other), diffFields(one, other).length === 0)
        assert.strictEqual(jsonEquals(one, other), jsonEquals(other, one))
      }),
      { numRuns: 500 }
    )
  })

  const unequal = ["{} []", "{} null", "[] null", "0 false", `"" null`, `"1" 1`, "[1,2] [2,1]", "[1] [1,1]"]
  for (const pair of [...unequal, `{"a":null} {}`, `{"a":1} {"b":1}`, `{"0":1} [1]`]) {
    const [one, other] = pair.split(" ").map((json): unknown => JSON.parse(json))
    it(`the diff of two records finds a difference between the values in “${pair}”`, () => {
      assert.isFalse(jsonEquals(one, other))
      assert.isFalse(jsonEquals(other, one))
    })
  }

  it("the diff treats a field with the value `undefined` like a missing field", () => {
    assert.isTrue(jsonEquals({ a: 1, b: undefined }, { a: 1 }))
    assert.deepStrictEqual(diffFields({ b: undefined }, {}), [])
  })
})

describe("two records with differences", () => {
  it("applying the differences of two records to the first record gives the second record", () => {
    fc.assert(
      fc.property(record, record, (before, after) => {
        assert.isTrue(jsonEquals(diffFields(before, after).reduce(applied, before), after))
      }),
      { numRuns: 1000 }
    )
  })

  it("if the two records of a diff are swapped, the diff has the same paths in the same order", () => {
    const reversed = { added: "removed", removed: "added", changed: "changed" } as const
    fc.assert(
      fc.property(record, record, (before, after) => {
        assert.deepStrictEqual(
          diffFields(after, before).map(({ path, kind }) => ({ path, kind: reversed[kind] })),
          diffFields(before, after).map(({ path, kind }) => ({ path, kind }))
        )
      })
    )
  })

  it("the diff of two records is the same for every order of their fields", () => {
    fc.assert(
      fc.property(record, record, (before, after) => {
        const differences = diffFields(before, after)
        assert.isTrue(jsonEquals(diffFields(reordered(before) as Fields, reordered(after) as Fields), differences))
      })
    )
  })

  it("the diff of two records is sorted by path, and treats an array, or an object that only one record has, as one value", () => {
    const before = { title: "Plan", properties: { tags: ["a"], old: { x: 1 }, same: { y: [1] }, due: 1 } }
    const after = { properties: { due: null, fresh: { z: 1 }, same: { y: [1] }, tags: ["a", "b"] }, title: "Plan" }
    assert.deepStrictEqual(diffFields(before, after), [
      { path: ["properties", "due"], kind: "changed", before: 1, after: null },
      { path: ["properties", "fresh"], kind: "added", after: { z: 1 } },
      { path: ["properties", "old"], kind: "removed", before: { x: 1 } },
      { path: ["properties", "tags"], kind: "changed", before: ["a"], after: ["a", "b"] }
    ])
  })

  it("the diff of two records shows a change from an object to a single value, and an empty object that only one record has", () => {
    assert.deepStrictEqual(diffFields({ a: { b: 1 } }, { a: 1, c: {} }), [
      { path: ["a"], kind: "changed", before: { b: 1 }, after: 1 },
      { path: ["c"], kind: "added", after: {} }
    ])
  })

  it("the diff of two records compares fields with the names `__proto__` and `constructor` like any other field", () => {
    const before = parsed(`{"__proto__": {"admin": false}}`)
    const after = parsed(`{"__proto__": {"admin": true}, "constructor": 1}`)
    assert.deepStrictEqual(diffFields(before, after), [
      { path: ["__proto__", "admin"], kind: "changed", before: false, after: true },
      { path: ["constructor"], kind: "added", after: 1 }
    ])
    assert.deepStrictEqual(diffFields({}, before), [{ path: ["__proto__"], kind: "added", after: { admin: false } }])
    assert.isFalse(jsonEquals({}, before))
    assert.isFalse("admin" in {})
  })
})

describe("the changed words of a text", () => {
  it("the kept and removed words of a word diff are the old text, the kept and added words are the new text, and neighbouring pieces have different kinds", () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.string()), fc.oneof(text, fc.string()), (before, after) => {
        fc.pre(before !== after)
        const words = wordsOf(before, after)
        assert.strictEqual(side(words, "removed"), before)
        assert.strictEqual(side(words, "added"), after)
        assert.isFalse(words.some((piece, at) => piece.text === "" || piece.kind === words[at + 1]?.kind))
        assert.isFalse(words.some((piece, at) => piece.kind === "added" && words[at + 1]?.kind === "removed"))
      }),
      { numRuns: 2000 }
    )
  })

  it("the word diff of two texts keeps as many words as the longest common subsequence of the two texts", () => {
    const letters = fc.array(fc.constantFrom("a ", "b ", "c "), { maxLength: 15 })
    const longest = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): number => {
      let row: ReadonlyArray<number> = other.map(() => 0)
      for (const letter of one) {
        const next: Array<number> = []
        for (const [at, against] of other.entries()) {
          next.push(letter === against ? 1 + (row[at - 1] ?? 0) : Math.max(row[at], next[at - 1] ?? 0))
        }
        row = next
      }
      return row.at(-1) ?? 0
    }
    fc.assert(
      fc.property(letters, letters, (one, other) => {
        fc.pre(one.join("") !== other.join(""))
        const stays = wordsOf(one.join(""), other.join("")).filter(({ kind }) => kind === "same")
        assert.strictEqual(stays.map((piece) => piece.text).join("").length / 2, longest(one, other))
      }),
      { numRuns: 2000 }
    )
  })

  it("the word diff of two texts marks only the words that changed", () => {
    assert.strictEqual(marked("Send it on Monday.", "Send it on Friday."), "Send it on [-Monday.-][+Friday.+]")
    assert.strictEqual(marked("one two three four", "one three 3 four"), "one [-two -]three [+3 +]four")
    assert.strictEqual(
      marked("old old\nsame\nold", "new new\nsame\nnew"),
      "[-old old-][+new new+]\nsame\n[-old-][+new+]"
    )
    assert.strictEqual(marked("", "all of it"), "[+all of it+]")
  })

  it("if words are added or removed at the end of a line, the word diff does not mark the word before them as changed", () => {
    assert.strictEqual(marked("Call Ann.", "Call Ann. Then Bob."), "Call Ann.[+ Then Bob.+]")
    assert.strictEqual(marked("Call Ann. Then Bob.\nEnd", "Call Ann.\nEnd"), "Call Ann.[- Then Bob.-]\nEnd")
  })

  it("the word diff treats a word with added letters as a different word", () => {
    assert.strictEqual(marked("See Mon", "See Monday"), "See [-Mon-][+Monday+]")
  })

  it("if two texts differ in more than a thousand words, the word diff shows all words between the equal start and the equal end as one removed and one added piece", () => {
    const lines = (count: number, ending: string) =>
      Array.from({ length: count }, (_, at) => `${at} ${ending}`).join("\n")
    assert.isAbove(wordsOf(`${lines(450, "old")}\nend`, `${lines(450, "new")}\nend`).length, 1000)
    assert.strictEqual(
      marked(`${lines(600, "old")}\nend`, `${lines(600, "new")}\nend`),
      `0 [-${lines(600, "old").slice(2)}-][+${lines(600, "new").slice(2)}+]\nend`
    )
  })

  it("the diff of two records compares words only if both values are texts", () => {
    assert.deepStrictEqual(diffFields({ a: "1" }, { a: 1 }), [{ path: ["a"], kind: "changed", before: "1", after: 1 }])
  })
})

describe("the diff of very long texts", () => {
  const many = (words: (at: number) => string) => Array.from({ length: 125_000 }, (_, at) => words(at)).join(" ")
  const long = many((at) => `w${(at * 7919) % 99_991}`.padEnd(7, "x"))
  const most = 2000 // In ms. If the word diff had no limit on its work, it would take minutes.

  const bounded = (before: string, after: string): ReadonlyArray<TextSegment> => {
    const started = performance.now()
    const words = wordsOf(before, after)
    assert.isBelow(performance.now() - started, most)
    assert.isTrue(side(words, "removed") === before && side(words, "added") === after, "the words give both texts")
    return words
  }

  it("a text of a million characters with an edit at each end is compared word by word", () => {
    assert.deepStrictEqual(
      bounded(`old ${long} old`, `new ${long} new`).map(({ kind }) => kind),
      ["removed", "added", "same", "removed", "added"]
    )
  })

  it("if the middle of a text of a million characters was rewritten, the word diff has one removed and one added piece between the equal start and end", () => {
    const words = bounded(`begin ${long} end`, `begin ${many((at) => `v${at}`.padEnd(7, "y"))} end`)
    assert.deepStrictEqual(
      words.map(({ kind }) => kind),
      ["same", "removed", "added", "same"]
    )
  })

  const hard: Readonly<Record<string, readonly [string, string]>> = {
    "with two words in different orders": [
      many((at) => ((at * at) % 7 < 3 ? "a" : "b")),
      many((at) => (at % 5 < 2 ? "a" : "b"))
    ],
    "with only newlines": ["\n".repeat(1_000_000), "x\n".repeat(500_000)],
    "with a single word each": ["x".repeat(1_000_000), `${"x".repeat(999_999)}y`],
    "with long words that differ at their ends": [
      Array.from({ length: 200 }, (_, at) => "x".repeat(5000) + String(1000 + at)).join(" "),
      Array.from({ length: 200 }, (_, at) => "x".repeat(5000) + String(1100 + ((at * 7) % 200))).join(" ")
    ],
    "that repeat one word many times": ["a ".repeat(500_000), `b ${"a ".repeat(499_600)}c`]
  }
  for (const [what, [before, after]] of Object.entries(hard)) {
    it(`the word diff of two long texts ${what} is computed within the time limit`, () => {
      bounded(before, after)
    })
  }

  it("the diff of ten texts that are slow to compare is computed within the time limit, and both versions of each text can be rebuilt from the diff", () => {
    const [before, after] = hard["with long words that differ at their ends"]
    const fields = (text: string) => Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`field${at}`, text]))
    const started = performance.now()
    const differences = diffFields(fields(before), fields(after))
    assert.isBelow(performance.now() - started, most)
    assert.strictEqual(differences.length, 10)
    for (const { words } of differences) {
      assert.isTrue(side(words!, "removed") === before && side(words!, "added") === after)
    }
  })
})
