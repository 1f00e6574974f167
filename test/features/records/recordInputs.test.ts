/** Tests the input schemas that the pod derives from the fields of a record type. */
import { assert, describe, it } from "@effect/vitest"
import { Either, JSONSchema, Schema } from "effect"
import { described } from "../../../src/doors/Fields.ts"
import { writable } from "../../../src/features/records/RecordFields.ts"
import { changeOf, draftOf, inputOf } from "../../../src/features/records/RecordInputs.ts"
import { recordType } from "../../../src/features/records/RecordType.ts"

const Berth = recordType("test-berth", {
  identifier: "TestBerth",
  subject: "track",
  table: "tracks",
  fields: {
    name: writable(Schema.String, { input: Schema.String.pipe(Schema.minLength(1)) }),
    note: writable(Schema.NullOr(Schema.String), { meaning: "What to know about the berth.", default: null }),
    depth: writable(Schema.Number, { change: false }),
    state: writable(Schema.Literal("open", "closed"), { meaning: "State of the berth.", draft: false }),
    secret: writable(Schema.String, {
      draft: described("If absent, the pod makes a secret.", Schema.optional(Schema.String)),
      change: described("The next secret.", Schema.optional(Schema.String))
    }),
    checks: Schema.Number
  }
})
const Draft = draftOf(Berth, { name: "North quay", depth: 4 })
const Change = changeOf(Berth, { state: "closed" })

// These lines compile only if the derived types are exact.
const draft: typeof Draft.Type = { name: "North quay", note: null, depth: 4 }
const change: typeof Change.Type = { note: null, state: "open", secret: "tide" }
const refusedByTheCompiler = [
  // @ts-expect-error A decoded draft has a note, because the note has a default.
  { name: "North quay", depth: 4 } satisfies typeof Draft.Type,
  // @ts-expect-error Only the pod sets `checks`.
  { ...draft, checks: 1 } satisfies typeof Draft.Type,
  // @ts-expect-error The depth of a berth cannot be changed.
  { depth: 5 } satisfies typeof Change.Type,
  // @ts-expect-error The depth of a berth is a number.
  { depth: "4" } satisfies Pick<typeof Berth.schema.Type, "depth">
]

const fits = (schema: Schema.Schema.AnyNoContext, value: unknown): boolean =>
  Either.isRight(Schema.decodeUnknownEither(schema, { onExcessProperty: "error" })(value))

interface ObjectSchema {
  readonly properties: Record<string, { readonly description?: string }>
}

const descriptionsIn = (schema: Schema.Schema.AnyNoContext, name: string) => {
  const made = JSONSchema.make(schema) as unknown as ObjectSchema & { readonly $defs?: Record<string, ObjectSchema> }
  return Object.entries((made.$defs?.[name] ?? made).properties).map(
    ([field, { description }]) => `${field}: ${description}`
  )
}

describe("the inputs of a record type", () => {
  it("the derived TypeScript types of a record, its draft and its change refuse the same values as the schemas", () => {
    const [withoutNote, withChecks, withDepth, withText] = refusedByTheCompiler
    assert.isFalse(fits(Schema.typeSchema(Draft), withoutNote))
    assert.isFalse(fits(Schema.typeSchema(Draft), withChecks))
    assert.isFalse(fits(Schema.typeSchema(Change), withDepth))
    assert.isFalse(fits(Berth.content, withText))
  })

  it("a field that only the pod sets is refused in the draft of a new record and in a change of a record", () => {
    assert.isFalse(fits(Draft, { ...draft, checks: 1 }))
    assert.isFalse(fits(Change, { checks: 1 }))
  })

  it("a change of a record is refused if it has a field that clients can set only at creation, and a new record is refused if it has a field that clients can set only later", () => {
    assert.isFalse(fits(Change, { depth: 5 }))
    assert.isFalse(fits(Draft, { ...draft, state: "open" }))
  })

  it("the draft of a new record is refused if a required field is missing", () => {
    assert.isFalse(fits(Draft, { depth: 4 }))
    assert.isFalse(fits(Draft, { name: "North quay" }))
  })

  it("if a record type has a narrower schema for the input of a field, the draft and the change refuse a value outside this schema, although the record accepts the value", () => {
    assert.isFalse(fits(Draft, { name: "", depth: 4 }))
    assert.isFalse(fits(Change, { name: "" }))
    assert.isTrue(fits(Berth.content, { name: "" }))
  })

  it("a change of a record can set a field to `null` only if the record can store `null`", () => {
    assert.isFalse(fits(Change, { name: null }))
    assert.isTrue(fits(Change, { note: null }))
  })

  it("the draft of a new record gets the default value of each omitted field, and an empty change of a record stays empty", () => {
    assert.deepStrictEqual(Schema.decodeSync(Draft)({ name: "North quay", depth: 4 }), draft)
    assert.deepStrictEqual(Schema.decodeSync(Change)({}), {})
    assert.deepStrictEqual(Schema.decodeSync(Change)(change), change)
  })

  it("a draft can contain the workspace, the reason and the focus session of the write, and a change can contain the reason, the focus session and the expected version", () => {
    const details = { reasoning: "It is needed.", sessionId: null }
    assert.isTrue(fits(Draft, { ...draft, workspaceId: null, ...details }))
    assert.isFalse(fits(Draft, { ...draft, expectedVersion: 1 }))
    assert.isTrue(fits(Change, { ...details, expectedVersion: 1 }))
    assert.isFalse(fits(Change, { workspaceId: null }))
  })

  it("the schemas of a record, its draft and its change describe a field with the same words, unless the record type declares the field separately for the draft or the change", () => {
    const note = "note: What to know about the berth."
    const state = "state: State of the berth."
    assert.includeMembers(descriptionsIn(Berth.content, ""), [note, state])
    assert.includeMembers(descriptionsIn(Draft, "TestBerthDraft"), [note, "secret: If absent, the pod makes a secret."])
    assert.includeMembers(descriptionsIn(Change, "TestBerthChange"), [note, state, "secret: The next secret."])
  })

  it("in the API description, the name of the input for a record is made from the name of the record, unless the input has a name of its own", () => {
    const nameOf = (schema: Schema.Schema.AnyNoContext) => Object.keys(JSONSchema.make(schema).$defs ?? {})
    assert.include(nameOf(Draft), "TestBerthDraft")
    assert.include(nameOf(Change), "TestBerthChange")
    assert.include(nameOf(inputOf("TestPlace", Berth.draft)), "TestPlace")
  })
})
