/** If a client sends null for an optional argument of a tool, the pod treats the argument as absent. */
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

describe("tool arguments whose value is `null`", () => {
  it("the pod keeps `null` for a required argument of a tool, so that `null` is refused or has a meaning of its own", () => {
    assert.deepStrictEqual(read({ id: null, owner: null }), { id: null, owner: null })
  })

  it("the pod keeps `null` for an optional argument of a tool if the description of the argument gives `null` a meaning of its own", () => {
    assert.deepStrictEqual(read({ id: "1", preview: null }), { id: "1", preview: null })
  })

  it("the pod keeps `null` for an unknown argument of a tool, so that the argument is refused", () => {
    assert.deepStrictEqual(read({ id: "1", colour: null }), { id: "1", colour: null })
  })

  it("the pod keeps `null` inside the free-form fields of a tool argument, because `null` is data there", () => {
    assert.deepStrictEqual(read({ free: { due: null, limit: null } }), { free: { due: null, limit: null } })
  })

  it("the pod treats an optional argument of a tool with the value `null` as absent, whether or not the schema of the argument accepts `null`", () => {
    assert.deepStrictEqual(read({ id: "1", limit: null, note: null, part: null, parts: null, free: null }), { id: "1" })
  })

  it("the pod treats optional fields of nested objects and of objects in a list as absent if their value is `null`", () => {
    const part = { kind: "a", label: null }
    assert.deepStrictEqual(read({ part, parts: [part, { kind: null, label: "b" }] }), {
      part: { kind: "a" },
      parts: [{ kind: "a" }, { kind: null, label: "b" }]
    })
  })

  it("the pod does not change a tool input that is not an object or that has a list in the wrong place", () => {
    for (const wrong of [null, "text", [null], { part: [{ label: null }], parts: { label: null } }]) {
      assert.deepStrictEqual(read(wrong), wrong)
    }
  })
})
