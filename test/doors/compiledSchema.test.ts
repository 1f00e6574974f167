/**
 * The pod makes one encoder for each schema. The encoder gives the same results and errors as the encoder of the
 * library (`Schema` of Effect).
 */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, DateTime, FastCheck, Schema } from "effect"
import { encoderOf } from "../../src/doors/CompiledSchema.ts"
import { described, JsonObject, optionalOrNull, Timestamp } from "../../src/doors/Fields.ts"
import { Id } from "../../src/doors/Id.ts"
import { Entity } from "../../src/features/entities/Entity.ts"
import { Event } from "../../src/features/events/Event.ts"

interface Folder {
  readonly name: string
  readonly inside: ReadonlyArray<Folder>
}
const Folder: Schema.Schema<Folder> = Schema.Struct({
  name: Schema.String,
  inside: Schema.Array(Schema.suspend(() => Folder))
})

const schemas: Readonly<Record<string, Schema.Schema<any, any>>> = {
  "an entity": Entity,
  "a page of entities": Schema.Array(Entity),
  "an event, with its optional fields": Event,
  "a part of an entity": Schema.partialWith(Entity, { exact: true }),
  "fields that can be absent or null": Schema.Struct({ note: optionalOrNull(Schema.String) }),
  "a field with a default value for decoding": Schema.Struct({
    limit: Schema.optionalWith(Schema.Int, { default: () => 20 })
  }),
  "a number that is encoded as text": Schema.Struct({ limit: Schema.NumberFromString }),
  "a pair": Schema.Tuple(Schema.String, Schema.Number),
  "one of two objects that the field `kind` distinguishes": Schema.Union(
    Schema.Struct({ kind: Schema.Literal("at"), at: Timestamp }),
    Schema.Struct({ kind: Schema.Literal("never"), why: Schema.NullOr(Schema.String) })
  ),
  "a text that must not be empty": Schema.String.pipe(Schema.minLength(1), Schema.maxLength(8)),
  "a whole number within bounds": Schema.Struct({ at: Schema.Int.pipe(Schema.between(-3, 3)) }),
  "a whole number that is encoded as text": Schema.Struct({ limit: Schema.NumberFromString.pipe(Schema.int()) }),
  "an object with a rule for two of its fields": Schema.Struct({ from: Schema.Int, to: Schema.Int }).pipe(
    Schema.filter(({ from, to }) => from <= to || "from comes first")
  ),
  "two shapes that differ in the bounds of a field": Schema.Union(
    Schema.Struct({ at: Schema.Int.pipe(Schema.negative()), below: Timestamp }),
    Schema.Struct({ at: Schema.Int.pipe(Schema.nonNegative()) })
  ),
  "a list that must not be empty": Schema.Array(Timestamp).pipe(Schema.minItems(1)),
  "an object whose values are times": Schema.Record({ key: Schema.String, value: Timestamp }),
  "an id": Id,
  "an id that must pass a filter": Id.pipe(Schema.filter((id) => id.startsWith("0"))),
  "a time": Timestamp,
  "an optional time with a description": Schema.Struct({ at: Schema.optional(described("When.", Timestamp)) }),
  "a tree": Folder
}

const values = [
  undefined,
  null,
  7,
  "01890A5D-AC96-774B-BCCE-B302099A8057",
  new Date(0),
  DateTime.unsafeMakeZoned(0, { timeZone: 0 }),
  "text",
  [],
  [{}],
  { id: "no id" },
  { kind: "at", at: "noon" }
]
/** Values of the right form that a refinement does not allow. */
const outOfBounds = ["", "far too long a text", { at: 4 }, { at: -1 }, { at: 0.5 }, { limit: 1.5 }, { from: 2, to: 1 }]

describe("the compiled encoder of answers", () => {
  describe.each(Object.entries(schemas))("%s", (_, schema) => {
    it("the compiled encoder of answers gives the same result as `Schema` for random values", () => {
      const encode = encoderOf(schema)
      const encodeBySchema = Schema.encodeSync(schema)
      FastCheck.assert(
        FastCheck.property(Arbitrary.make(schema), (value) => {
          assert.deepStrictEqual(encode(value), encodeBySchema(value))
        }),
        { numRuns: 50 }
      )
    })

    it("for an invalid value, the compiled encoder of answers fails with the same error as `Schema`", () => {
      const encode = encoderOf(schema)
      for (const broken of [...values, ...outOfBounds]) {
        const outcome = (by: (value: unknown) => unknown) => {
          try {
            return { answer: by(broken) }
          } catch (cause) {
            return { refusal: String(cause) }
          }
        }
        assert.deepStrictEqual(outcome(encode), outcome(Schema.encodeUnknownSync(schema)))
      }
    })
  })

  it("the compiled encoder of answers leaves out a field that the schema does not have", () => {
    const encode = encoderOf(Schema.Struct({ name: Schema.String }))
    assert.deepStrictEqual(encode({ name: "shown", secret: "kept" }), { name: "shown" })
  })

  it("if the schema of an object declares no fields, the compiled encoder of answers leaves out every field of the object", () => {
    assert.deepStrictEqual(encoderOf(Schema.Struct({}))({ secret: "kept" }), {})
  })

  it("the compiled encoder of answers keeps every field of a free-form object, even a field with the name of a method of `Object`", () => {
    const encode = encoderOf(JsonObject)
    assert.deepStrictEqual(encode({ constructor: 1, toString: 2 }), { constructor: 1, toString: 2 })
  })
})
