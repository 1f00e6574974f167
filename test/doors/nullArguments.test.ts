/** Null for an optional argument of a tool counts as an absent argument. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { describeArguments } from "../../src/doors/Arguments.ts"
import { JsonObject, optionalOrNull } from "../../src/doors/Fields.ts"
import { withoutNullArguments } from "../../src/doors/NullArguments.ts"

const Part = Schema.Struct({ kind: Schema.String, label: Schema.optional(Schema.String) })
const input = describeArguments(
  Schema.extend(
    Schema.Struct({
      id: Schema.String,
      owner: Schema.NullOr(Schema.String),
      limit: Schema.optionalWith(Schema.Int, { default: () => 50 }),
      note: optionalOrNull(Schema.String)
    }),
    Schema.Struct({
      preview: optionalOrNull(Schema.String),
      part: Schema.optional(Part),
      parts: Schema.optionalWith(Schema.Array(Part).pipe(Schema.maxItems(3)), { default: () => [] }),
      free: Schema.optional(JsonObject)
    })
  ),
  {
    id: "The id.",
    owner: "The owner.",
    limit: "The limit.",
    note: "The note.",
    preview: { value: "The preview.", null: "Removes the preview." },
    part: "A part.",
    parts: "The parts.",
    free: "Free fields."
  }
)
const read = withoutNullArguments(input)

describe("null for an argument of a tool", () => {
  it("null for a required argument stays, so that it is refused or has its own meaning", () => {
    assert.deepStrictEqual(read({ id: null, owner: null }), { id: null, owner: null })
  })

  it("null stays if the description of the argument gives it a meaning of its own", () => {
    assert.deepStrictEqual(read({ id: "1", preview: null }), { id: "1", preview: null })
  })

  it("null for an unknown argument stays, so that the argument is refused", () => {
    assert.deepStrictEqual(read({ id: "1", colour: null }), { id: "1", colour: null })
  })

  it("null inside free fields stays, because there it is data", () => {
    assert.deepStrictEqual(read({ free: { due: null, limit: null } }), { free: { due: null, limit: null } })
  })

  it("null for an optional argument counts as absent, whether or not its schema accepts null", () => {
    assert.deepStrictEqual(read({ id: "1", limit: null, note: null, part: null, parts: null, free: null }), { id: "1" })
  })

  it("null counts as absent in nested objects and in objects of a list", () => {
    const part = { kind: "a", label: null }
    assert.deepStrictEqual(read({ part, parts: [part, { kind: null, label: "b" }] }), {
      part: { kind: "a" },
      parts: [{ kind: "a" }, { kind: null, label: "b" }]
    })
  })

  it("an input that is no object, and a list in the wrong place, stay as they are", () => {
    for (const wrong of [null, "text", [null], { part: [{ label: null }], parts: { label: null } }]) {
      assert.deepStrictEqual(read(wrong), wrong)
    }
  })
})
