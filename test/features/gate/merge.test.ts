/**
 * The rules for merging a proposal with a record that has changed: a person's changes are kept, and no value is
 * invented.
 */
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { diffFields, type Fields, hasFields, jsonEquals } from "../../../src/features/gate/FieldDiff.ts"
import { mergeFields } from "../../../src/features/gate/Merge.ts"

const parsed = (text: string) => JSON.parse(text) as Fields

const name = fc.constantFrom("a", "b", "__proto__")
const { record } = fc.letrec<{ record: Fields; value: unknown }>((tie) => ({
  record: fc.array(fc.tuple(name, tie("value")), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
  value: fc.oneof({ depthSize: "small" }, fc.constantFrom(0, 1, "x", null, [], [0]), tie("record"))
}))

/** Records without nested fields. In such records it is easy to see which fields each side of a merge changes. */
const flat = fc.dictionary(fc.constantFrom("a", "b", "c", "d", "e", "f"), fc.constantFrom(1, 2, 3))

const at = (value: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (inside, field) => (hasFields(inside) && Object.hasOwn(inside, field) ? inside[field] : undefined),
    value
  )

/** Returns every path to a value that is not an object with fields. */
const leaves = (fields: Fields, above: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> =>
  Object.entries(fields).flatMap(([field, value]) =>
    hasFields(value) && Object.keys(value).length > 0 ? leaves(value, [...above, field]) : [[...above, field]]
  )

const begins = (path: ReadonlyArray<string>, other: ReadonlyArray<string>) =>
  path.every((field, depth) => field === other[depth])
const meet = (one: ReadonlyArray<string>, other: ReadonlyArray<string>) => begins(one, other) || begins(other, one)

describe("conflicts of a merge", () => {
  it("for each conflict, a merge keeps the current value of the field, and reports the base value, the current value and the proposed value", () => {
    fc.assert(
      fc.property(record, record, record, (base, current, proposed) => {
        const { fields, conflicts } = mergeFields(base, current, proposed)
        for (const conflict of conflicts) {
          assert.isTrue(jsonEquals(at(fields, conflict.path), at(current, conflict.path)))
          assert.isTrue(jsonEquals(conflict.current, at(current, conflict.path)))
          assert.isTrue(jsonEquals(conflict.base, at(base, conflict.path)))
          assert.isTrue(jsonEquals(conflict.proposed, at(proposed, conflict.path)))
        }
      }),
      { numRuns: 3000 }
    )
  })

  it("a merge reports a conflict only if the record and the proposal both differ from the base and from each other", () => {
    fc.assert(
      fc.property(record, record, record, (base, current, proposed) => {
        for (const conflict of mergeFields(base, current, proposed).conflicts) {
          assert.isFalse(jsonEquals(conflict.base, conflict.current))
          assert.isFalse(jsonEquals(conflict.base, conflict.proposed))
          assert.isFalse(jsonEquals(conflict.current, conflict.proposed))
        }
      }),
      { numRuns: 3000 }
    )
  })

  it("if the current record and the proposed record of a merge are swapped, the conflicts have the same paths", () => {
    fc.assert(
      fc.property(record, record, record, (base, current, proposed) => {
        const swapped = mergeFields(base, proposed, current)
        const straight = mergeFields(base, current, proposed)
        assert.deepStrictEqual(
          straight.conflicts.map(({ path }) => path),
          swapped.conflicts.map(({ path }) => path)
        )
        if (straight.conflicts.length === 0) assert.isTrue(jsonEquals(straight.fields, swapped.fields))
      }),
      { numRuns: 3000 }
    )
  })

  const conflicting: ReadonlyArray<readonly [string, Fields, Fields, Fields, ReadonlyArray<string>]> = [
    ["two different new values of a field", { a: 1 }, { a: 2 }, { a: 3 }, ["a"]],
    ["two different values of a field that did not exist before", {}, { a: 2 }, { a: 3 }, ["a"]],
    ["a changed field that the proposal removes", { a: 1 }, { a: 2 }, {}, ["a"]],
    ["a removed field that the proposal changes", { a: 1 }, {}, { a: 3 }, ["a"]],
    ["a removed object in which the proposal changes a field", { o: { a: 1 } }, {}, { o: { a: 2 } }, ["o", "a"]],
    ["two different changes of a list", { o: { a: [1] } }, { o: { a: [1, 2] } }, { o: { a: [0, 1] } }, ["o", "a"]],
    [
      "an object that somebody replaced with a number and in which the proposal changes a field",
      { o: { a: 1 } },
      { o: 5 },
      { o: { a: 2 } },
      ["o"]
    ],
    [
      "a changed object that the proposal replaces with a number",
      { o: { a: 1 } },
      { o: { a: 2, b: 1 } },
      { o: 5 },
      ["o"]
    ],
    [
      "a number that the record and the proposal replaced with different objects",
      { o: 5 },
      { o: { a: 1 } },
      { o: { b: 1 } },
      ["o"]
    ],
    ["a list where the proposal has an object", {}, { o: [] }, { o: {} }, ["o"]]
  ]
  for (const [what, base, current, proposed, path] of conflicting) {
    it(`the merge of a proposal keeps the current value and reports a conflict for ${what}`, () => {
      const values = { base: at(base, path), current: at(current, path), proposed: at(proposed, path) }
      assert.deepStrictEqual(mergeFields(base, current, proposed), {
        fields: current,
        conflicts: [{ path, ...values }]
      })
    })
  }
})

describe("merges without a conflict", () => {
  it("if the record has not changed since the proposal, the merge gives the proposed record", () => {
    fc.assert(
      fc.property(record, record, (base, proposed) => {
        assert.deepStrictEqual(mergeFields(base, base, proposed).conflicts, [])
        assert.isTrue(jsonEquals(mergeFields(base, base, proposed).fields, proposed))
      }),
      { numRuns: 2000 }
    )
  })

  it("if the proposal changes nothing, the merge gives the current record", () => {
    fc.assert(
      fc.property(record, record, (base, current) => {
        assert.deepStrictEqual(mergeFields(base, current, base).conflicts, [])
        assert.isTrue(jsonEquals(mergeFields(base, current, base).fields, current))
      }),
      { numRuns: 2000 }
    )
  })

  it("if the record and the proposal have the same change, the merge contains this change", () => {
    fc.assert(
      fc.property(record, record, (base, both) => {
        assert.deepStrictEqual(mergeFields(base, both, both).conflicts, [])
        assert.isTrue(jsonEquals(mergeFields(base, both, both).fields, both))
      }),
      { numRuns: 2000 }
    )
  })

  it("if only the record or only the proposal changed a field, even by removing it, the merge contains this change", () => {
    fc.assert(
      fc.property(flat, flat, flat, (base, current, proposed) => {
        const { fields, conflicts } = mergeFields(base, current, proposed)
        for (const field of ["a", "b", "c", "d", "e", "f"]) {
          const isConflict = conflicts.some(({ path }) => path[0] === field)
          const byProposal = base[field] !== proposed[field]
          const byOthers = base[field] !== current[field]
          assert.strictEqual(isConflict, byProposal && byOthers && current[field] !== proposed[field])
          assert.strictEqual(fields[field], byProposal && !isConflict ? proposed[field] : current[field])
          assert.strictEqual(Object.hasOwn(fields, field), fields[field] !== undefined)
        }
      }),
      { numRuns: 2000 }
    )
  })

  it("a merge keeps the changes of the record and of the proposal if they change different fields", () => {
    let apart = 0
    fc.assert(
      fc.property(record, record, record, (base, current, proposed) => {
        const ours = diffFields(base, current)
        const theirs = diffFields(base, proposed)
        if (ours.some(({ path }) => theirs.some((other) => meet(path, other.path)))) return
        if (ours.length > 0 && theirs.length > 0) apart++
        const { fields, conflicts } = mergeFields(base, current, proposed)
        assert.deepStrictEqual(conflicts, [])
        for (const { path, after } of [...ours, ...theirs]) assert.isTrue(jsonEquals(at(fields, path), after))
        const changes = diffFields(base, fields).map(({ path }) => path.join("."))
        assert.deepStrictEqual(changes.toSorted(), [...ours, ...theirs].map(({ path }) => path.join(".")).toSorted())
      }),
      { numRuns: 5000 }
    )
    assert.isAbove(apart, 20, "some runs had changes of different fields on both sides")
  })

  it("each value in a merged record is the current value, the proposed value, or an object that lost all its fields", () => {
    fc.assert(
      fc.property(record, record, record, (base, current, proposed) => {
        const { fields } = mergeFields(base, current, proposed)
        for (const path of leaves(fields)) {
          const value = at(fields, path)
          const isEmptied = jsonEquals(value, {}) && hasFields(at(current, path)) && hasFields(at(proposed, path))
          assert.isTrue(isEmptied || [current, proposed].some((source) => jsonEquals(at(source, path), value)))
        }
      }),
      { numRuns: 3000 }
    )
  })
})

describe("merging objects", () => {
  it("if the record and the proposal both add an object at the same path, the merge joins the two objects field by field", () => {
    assert.deepStrictEqual(mergeFields({}, { o: { a: 1 } }, { o: { b: 2 } }), {
      fields: { o: { a: 1, b: 2 } },
      conflicts: []
    })
  })

  it("if the proposal removes an object, the merge removes only the fields that the object had when the proposal was made", () => {
    const base = { o: { a: 1 } }
    assert.deepStrictEqual(mergeFields(base, { o: { a: 1, b: 2 } }, {}), { fields: { o: { b: 2 } }, conflicts: [] })
    assert.deepStrictEqual(mergeFields(base, base, {}), { fields: {}, conflicts: [] })
  })

  it("if only the record or only the proposal added, removed or emptied an object, the merge does the same", () => {
    const empty = { o: {} }
    assert.deepStrictEqual(mergeFields(empty, empty, {}).fields, {})
    assert.deepStrictEqual(mergeFields(empty, {}, empty).fields, {})
    assert.deepStrictEqual(mergeFields({}, {}, empty).fields, empty)
    assert.deepStrictEqual(mergeFields({}, empty, {}).fields, empty)
    assert.deepStrictEqual(mergeFields({ o: { a: 1 } }, { o: { a: 1 } }, empty).fields, empty)
  })

  it("a merge treats a field with the name `__proto__` like any other field", () => {
    const base = parsed(`{"__proto__": {"admin": false}}`)
    const proposed = parsed(`{"__proto__": {"admin": true}}`)
    const { fields, conflicts } = mergeFields(base, base, proposed)
    assert.strictEqual(JSON.stringify(fields), `{"__proto__":{"admin":true}}`)
    assert.strictEqual(Object.getPrototypeOf(fields), Object.prototype)
    assert.deepStrictEqual(conflicts, [])
    const added = mergeFields({}, {}, proposed).fields
    assert.strictEqual(JSON.stringify(added), `{"__proto__":{"admin":true}}`)
    assert.isFalse("admin" in {})
  })
})
