/** The message about an invalid field says which rule the value breaks. It does not say what the field is for. */
import { assert, describe, it } from "@effect/vitest"
import { Either, Option, Schema, SchemaAST } from "effect"
import { HttpApi } from "@effect/platform"
import { described } from "../../src/doors/Fields.ts"
import { decoderOf, faultsOf } from "../../src/doors/Faults.ts"
import { describeExpected } from "../../src/doors/FaultMessages.ts"
import { HubApi } from "../../src/HubApi.ts"
import { Procedures } from "../../src/Procedures.ts"
import { Tools } from "../../src/Tools.ts"

const messageOf = (field: Schema.Schema<any, any>, value: unknown): string => {
  const decoded = decoderOf(Schema.Struct({ field }))({ field: value })
  return Either.isLeft(decoded) ? faultsOf(decoded.left)[0].message : assert.fail("the value was accepted")
}

const meaning = "The name of the thing. It may change."

describe("the message about a value that breaks the limit of a field with a description", () => {
  for (const [field, value, message] of [
    [
      Schema.Array(Schema.Number).pipe(Schema.maxItems(2)),
      [1, 2, 3],
      "an array of at most 2 item(s), actual a list of 3 items"
    ],
    [
      Schema.Array(Schema.Number).pipe(Schema.minItems(1)),
      [],
      "an array of at least 1 item(s), actual a list of 0 items"
    ],
    [Schema.String.pipe(Schema.maxLength(2)), "abc", 'a string at most 2 character(s) long, actual "abc"'],
    [Schema.String.pipe(Schema.minLength(2)), "a", 'a string at least 2 character(s) long, actual "a"'],
    [
      Schema.Number.pipe(Schema.int(), Schema.greaterThanOrEqualTo(1)),
      0,
      "a number greater than or equal to 1, actual 0"
    ],
    [Schema.Number.pipe(Schema.between(1, 5)), 9, "a number between 1 and 5, actual 9"],
    [Schema.Number.pipe(Schema.int()), 1.5, "an integer, actual 1.5"],
    [Schema.String, 5, "a string, actual 5"],
    [Schema.String, ["a"], "a string, actual a list of 1 item"],
    [Schema.Boolean, 5, "a boolean, actual 5"]
  ] as const) {
    it(`if a value breaks the limit of a field that has a description, the error message says "Expected ${message}"`, () => {
      assert.strictEqual(messageOf(described(meaning, field as Schema.Schema<any>), value), `Expected ${message}`)
    })
  }
})

/** Calls `visit` for each part of a schema. */
const walk = (root: SchemaAST.AST, visit: (ast: SchemaAST.AST) => void): void => {
  const seen = new Set<SchemaAST.AST>()
  const go = (ast: SchemaAST.AST): void => {
    if (seen.has(ast)) return
    seen.add(ast)
    visit(ast)
    switch (ast._tag) {
      case "Refinement":
        return go(ast.from)
      case "Transformation":
        go(ast.from)
        return go(ast.to)
      case "Suspend":
        return go(ast.f())
      case "Union":
        return ast.types.forEach(go)
      case "TupleType":
        return [...ast.elements, ...ast.rest].forEach(({ type }) => go(type))
      case "TypeLiteral":
        ast.propertySignatures.forEach(({ type }) => go(type))
        return ast.indexSignatures.forEach(({ type }) => go(type))
      case "Declaration":
        return ast.typeParameters.forEach(go)
      default:
        return
    }
  }
  go(root)
}

it("no error message about an invalid input repeats the description of the field", () => {
  const inputs: Array<readonly [string, SchemaAST.AST]> = []
  HttpApi.reflect(HubApi as any, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      for (const schema of [endpoint.pathSchema, endpoint.urlParamsSchema, endpoint.payloadSchema]) {
        if (Option.isSome(schema)) inputs.push([endpoint.name, schema.value.ast])
      }
    }
  })
  for (const [name, request] of Procedures.requests) inputs.push([name, (request as any).payloadSchema.ast])
  for (const declared of Tools as ReadonlyArray<any>) inputs.push([declared.name, declared.input.ast])
  assert.isAbove(inputs.length, 200)
  const faults = new Set<string>()
  for (const [name, root] of inputs) {
    walk(root, (ast) => {
      for (const expected of describeExpected(ast)) {
        if (/^[A-Z`][^|{<]*[. ]/.test(expected)) faults.add(`${name}: ${expected}`)
      }
    })
  }
  assert.deepStrictEqual([...faults], [])
})
