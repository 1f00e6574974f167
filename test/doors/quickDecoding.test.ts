/**
 * The pod makes one decoder for the input of each operation. The decoder accepts the same inputs and returns the same
 * values as the decoder of the library (`Schema` of Effect).
 */
import { HttpApi } from "@effect/platform"
import type { Rpc } from "@effect/rpc"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Either, Option, Schema } from "effect"
import * as fc from "fast-check"
import { quickDecoderOf, notAccepted } from "../../src/doors/CompiledSchema.ts"
import { fieldFinder } from "../../src/doors/UnknownFields.ts"
import { HubApi } from "../../src/HubApi.ts"
import { Procedures } from "../../src/Procedures.ts"
import { Tools } from "../../src/Tools.ts"

type Input = Schema.Schema<unknown>

const endpointInputs = (): ReadonlyArray<readonly [string, Input]> => {
  const found: Array<readonly [string, Input]> = []
  HttpApi.reflect(HubApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      const parts = [endpoint.pathSchema, endpoint.urlParamsSchema, endpoint.payloadSchema]
      for (const part of parts) if (Option.isSome(part)) found.push([endpoint.name, part.value as unknown as Input])
    }
  })
  return found
}

/** Every input schema of the operations. Each schema occurs once, with the name of the first operation that has it. */
const inputs = new Map(
  [
    ...endpointInputs(),
    ...[...(Procedures.requests as unknown as ReadonlyMap<string, Rpc.AnyWithProps>)].map(
      ([name, { payloadSchema }]) => [name, payloadSchema as unknown as Input] as const
    ),
    ...Tools.map(({ input, name }) => [name, input as Input] as const)
  ]
    .toReversed()
    .map(([name, schema]) => [schema, name])
)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const others = [
  undefined,
  null,
  7,
  -1.5,
  true,
  "",
  "text",
  "2026-01-01T00:00:00.000Z",
  [],
  {},
  ["text"],
  { unknown: 1 }
]

/**
 * Returns the input itself, and inputs that differ from it in one field, at every depth: the field is unknown, is
 * absent, or has another value.
 */
const variants = (value: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(value)) {
    const [first, ...rest] = value
    return [value, [], [...value, null], ...(value.length === 0 ? [] : variants(first).map((one) => [one, ...rest]))]
  }
  if (!isObject(value)) return [value, ...others]
  return [
    value,
    ...others,
    { ...value, unknown: 1 },
    ...Object.keys(value).flatMap((name) => {
      const { [name]: inner, ...without } = value
      return [without, ...variants(inner).map((one) => ({ ...without, [name]: one }))]
    })
  ]
}

const samples = 2 // The number of values that are generated for each schema.
const variantsMax = 150 // The greatest number of variants of each value.

/** Makes inputs of the schema, in the form that a client sends. */
const inputsOf = (schema: Input): ReadonlyArray<unknown> =>
  fc
    .sample(Arbitrary.make(Schema.encodedSchema(schema)), { numRuns: samples, seed: 7 })
    .flatMap((value) => variants(value).slice(0, variantsMax))

describe("decoding an input", () => {
  it("the quick decoder accepts more than 90 % of the valid inputs, returns the same values for them as `Schema`, and accepts no input with an unknown field", () => {
    let quick = 0
    let slow = 0
    for (const [schema, name] of inputs) {
      const decodeQuickly = quickDecoderOf(schema)
      const decode = Schema.decodeUnknownEither(schema, { onExcessProperty: "error" })
      const finder = fieldFinder(schema.ast)
      for (const input of inputsOf(schema)) {
        const decoded = decode(input)
        const decodedQuickly = decodeQuickly(input)
        if (decodedQuickly === notAccepted) {
          if (Either.isRight(decoded)) slow += 1
          continue
        }
        quick += 1
        assert.deepStrictEqual(Either.right(decodedQuickly), decoded, `${name}: ${JSON.stringify(input)}`)
        assert.deepStrictEqual(finder.unknownIn(input), [], name)
      }
    }
    // The quick decoder does not handle operations without any input, or fields without a declared type. The library
    // decodes these.
    assert.isAbove(quick / (quick + slow), 0.9, `${quick} inputs at once, ${slow} by Schema`)
  })

  it("if an input has a fault or an unknown field, the quick decoder lets `Schema` report the fault", () => {
    const decode = quickDecoderOf(
      Schema.Struct({ limit: Schema.optionalWith(Schema.NumberFromString, { default: () => 20 }) })
    )
    assert.deepStrictEqual(decode({}), { limit: 20 })
    assert.deepStrictEqual(decode({ limit: "3" }), { limit: 3 })
    assert.strictEqual(decode({ limit: 3 }), notAccepted)
    assert.strictEqual(decode({ limit: "3", limits: "3" }), notAccepted)
  })
})
