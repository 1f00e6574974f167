/** Checks that the answer to a refused input reports each fault once, in readable words and without secrets. */
import { assert, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import { type Fault, Invalid } from "../../src/doors/Failure.ts"
import { decoderOf, faultsOf } from "../../src/doors/Faults.ts"
import { TimestampInput } from "../../src/doors/Fields.ts"
import { wireAnswerOf } from "../../src/doors/WireAnswer.ts"
import { NewPermission } from "../../src/features/grants/Grant.ts"
import { KeyRequest } from "../../src/features/keys/MintRequest.ts"
import { ProposalInput } from "../../src/features/proposals/ProposalListing.ts"

/** Returns the faults as lines, such as `scope.0: …`. */
const faultLines = <A, I>(schema: Schema.Schema<A, I>, input: unknown): ReadonlyArray<string> => {
  const decoded = decoderOf(schema, { onExcessProperty: "error" })(input)
  if (Either.isRight(decoded)) throw new Error("the input was expected to be refused")
  return faultsOf(decoded.left).map(({ message, path }) => (path === "" ? message : `${path}: ${message}`))
}

const Part = Schema.Union(
  Schema.Struct({ kind: Schema.Literal("event"), count: Schema.Number }),
  Schema.Struct({ kind: Schema.Literal("schedule"), cron: Schema.String, zone: Schema.String })
)

describe("a value that can be absent or null", () => {
  const Input = Schema.Struct({
    id: Schema.optional(Schema.NullOr(Schema.UUID)),
    name: Schema.optional(Schema.NullOr(Schema.String.pipe(Schema.maxLength(3)))),
    part: Schema.optional(Part)
  })

  it("if an optional value is invalid, the answer has one fault, whose message does not tell the client to send `null` or to omit the field", () => {
    assert.deepStrictEqual(faultLines(Input, { id: 5 }), ["id: Expected a string, actual 5"])
    assert.deepStrictEqual(faultLines(Input, { name: "long" }), [
      'name: Expected a string at most 3 character(s) long, actual "long"'
    ])
    assert.deepStrictEqual(faultLines(Input, { part: {} }), ["part.kind: is missing"])
  })
})

describe("a value that the pod reads in another form", () => {
  it("the message about a value of a wrong type says which type the client must send, and does not say how the pod converts the value", () => {
    const Input = Schema.Struct({
      when: Schema.optional(Schema.Trim),
      expiresAt: Schema.optional(Schema.NullOr(TimestampInput)),
      limit: Schema.optional(Schema.NumberFromString)
    })
    assert.deepStrictEqual(faultLines(Input, { when: 1 }), ["when: Expected a string, actual 1"])
    assert.deepStrictEqual(faultLines(Input, { expiresAt: {} }), ["expiresAt: Expected a string, actual an object"])
    assert.deepStrictEqual(faultLines(Input, { expiresAt: "soon" }), [
      'expiresAt: Expected a time in ISO 8601, such as 2025-03-03T09:00:00Z, actual "soon"'
    ])
    assert.deepStrictEqual(faultLines(Input, { limit: "ten" }), ['limit: Expected a number, actual "ten"'])
  })

  it("if the schema of a secret has a message of its own, this message is shown for a value of a wrong type too", () => {
    const secret = Schema.String.pipe(Schema.maxLength(4)).annotations({
      message: () => ({ message: "Use 4 characters.", override: true })
    })
    for (const value of ["longer", 5]) assert.deepStrictEqual(faultLines(secret, value), ["Use 4 characters."])
  })
})

describe("a value that can have one of several forms", () => {
  it("if a tag field says which of several forms an invalid value should have, the answer has only the faults of this form", () => {
    assert.deepStrictEqual(faultLines(Schema.Struct({ part: Part }), { part: { kind: "schedule", cron: 5 } }), [
      "part.cron: Expected a string, actual 5",
      "part.zone: is missing"
    ])
    assert.deepStrictEqual(faultLines(Part, { kind: "scedule" }), [
      'kind: There is no kind "scedule". Did you mean schedule?'
    ])
    assert.deepStrictEqual(faultLines(Part, 5), ["Expected an object, actual 5"])
  })

  it("if an invalid value can have several forms and no tag field, the answer has the faults of the form that shares the most fields with the value", () => {
    const grant = { permissions: ["*"] }
    assert.deepStrictEqual(faultLines(KeyRequest, { keyName: 5, scope: ["mcp.read"], grant }), [
      "keyName: Expected a string, actual 5"
    ])
    assert.deepStrictEqual(faultLines(KeyRequest, { name: 5, scopes: ["mcp.read"] }), [
      "name: Expected a string, actual 5"
    ])
    assert.deepStrictEqual(faultLines(KeyRequest, {}), [
      "keyName: is missing",
      "scope: is missing",
      "grant: is missing"
    ])
  })

  it("if a field accepts several forms and its value has none of them, the answer lists all accepted forms in one line", () => {
    const Input = Schema.Struct({
      value: Schema.Union(Schema.String, Schema.Literal("a", "b"), Schema.Array(Schema.Number))
    })
    assert.deepStrictEqual(faultLines(Input, { value: {} }), [
      'value: Expected one of "a", "b" or a string or a list, actual an object'
    ])
  })
})

describe("a value that is not in a list of allowed values", () => {
  it("the message about a value that is not allowed is one line with the most similar allowed value", () => {
    assert.deepStrictEqual(
      faultLines(KeyRequest, { keyName: "k", scope: ["mcp.reed"], grant: { permissions: ["*"] } }),
      ['scope.0: There is no scope "mcp.reed". Did you mean mcp.read?']
    )
    assert.deepStrictEqual(faultLines(ProposalInput, { status: "aproved" }), [
      'status: There is no status "aproved". Did you mean approved?'
    ])
  })

  it("a new permission with blanks or a mistyped subject or action is refused, and the message says what is wrong", () => {
    assert.deepStrictEqual(faultLines(NewPermission, "documnt.read"), [
      "There is no subject documnt. Did you mean document?"
    ])
    assert.deepStrictEqual(faultLines(NewPermission, "document.reed"), ["There is no action reed. Did you mean read?"])
    assert.deepStrictEqual(faultLines(NewPermission, "entity.note.updat"), [
      "There is no action updat. Did you mean update?"
    ])
    for (const blank of [" entity.read", "entity.read ", "\tentity.read", " *", "* "]) {
      assert.deepStrictEqual(faultLines(NewPermission, blank), [
        "The permission begins or ends with a blank. A permission has no blanks."
      ])
    }
    for (const allowed of ["document.*", "entity.note.read", "entity.reed", "proposal.approve"]) {
      assert.isTrue(Schema.is(NewPermission)(allowed), allowed)
    }
  })

  it("the message about a value that is not allowed lists all allowed values if none is similar", () => {
    assert.deepStrictEqual(faultLines(ProposalInput, { view: "everything" }), [
      'view: There is no view "everything". Use one of "full", "basic".'
    ])
    assert.deepStrictEqual(faultLines(ProposalInput, { view: 5 }), ['view: Expected one of "full", "basic", actual 5'])
  })
})

describe("the message about a refused value", () => {
  const Input = Schema.Struct({
    text: Schema.optional(Schema.String.pipe(Schema.maxLength(10))),
    at: Schema.optional(Schema.DateTimeUtc),
    word: Schema.optional(Schema.Literal("one", "two")),
    password: Schema.optional(Schema.String.pipe(Schema.maxLength(10)))
  })

  it("the message about a refused value repeats at most forty characters of the value", () => {
    const long = `begin ${"x".repeat(5_000)} end`
    for (const name of ["text", "at", "word"]) {
      const [line] = faultLines(Input, { [name]: long })
      assert.isBelow(line.length, 150, line)
      assert.notInclude(line, "x".repeat(40))
    }
    assert.isBelow(faultLines(Input, { text: { [long]: [long] } })[0].length, 100)
  })

  it("the message about a refused value never repeats a secret, which the pod recognizes by the name of the field or by the form of the value", () => {
    const [line] = faultLines(Input, { password: "correct horse battery staple" })
    assert.strictEqual(line, "password: Expected a string at most 10 character(s) long")
    const key = "svc_user_abcdefghijklmnopqrstuvwxyz0123456789"
    for (const name of ["text", "at", "word"]) {
      const told1 = faultLines(Input, { [name]: key })[0]
      assert.notInclude(told1, "svc_user", told1)
      assert.notInclude(told1, "abcdef", told1)
    }
  })

  it("the message about an unknown field repeats at most a hundred characters of its name", () => {
    const Free = Schema.Record({ key: Schema.String, value: Schema.Number })
    assert.isBelow(faultLines(Free, { ["n".repeat(5_000)]: "x" })[0].length, 200)
  })
})

describe("several faults in one text", () => {
  const textOf = (...faults: ReadonlyArray<Fault>) => wireAnswerOf(new Invalid({ faults })).body["error"]

  it("a message about several faults of an input states each fault as a separate sentence", () => {
    const unknown = { path: "colour", message: "There is no such field here. Known fields: name, title." }
    const missing = { path: "name", message: "is missing" }
    assert.strictEqual(
      textOf(unknown, missing),
      "colour: There is no such field here. Known fields: name, title. name: is missing."
    )
    assert.strictEqual(textOf(missing), "name: is missing")
  })
})
