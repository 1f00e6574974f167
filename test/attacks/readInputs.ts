/**
 * Derives the inputs of a read operation from its declaration: the fields, whether each field is required, and values
 * for each field.
 */
import { HttpApi } from "@effect/platform"
import { Arbitrary, Either, identity, Option, Schema } from "effect"
import fc from "fast-check"
import type { RestInput } from "../../src/doors/InputReader.ts"
import { HubApi } from "../../src/HubApi.ts"
import { Procedures } from "../../src/Procedures.ts"
import { Tools } from "../../src/Tools.ts"
import type { Approach } from "../doors/surfaces.ts"

type Fields = Readonly<Record<string, unknown>>
type Part = "path" | "query" | "body"
type Closed = Schema.Schema<unknown>

export interface Field {
  readonly part: Part
  readonly name: string
  /** Encoded values that are generated from the declaration, without duplicates. */
  readonly values: ReadonlyArray<unknown>
  readonly isNeeded: boolean
}

const endpoints = (() => {
  const found = new Map<string, ReadonlyArray<readonly [Part, Closed]>>()
  HttpApi.reflect(HubApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      const parts: ReadonlyArray<readonly [Part, Option.Option<unknown>]> = [
        ["path", endpoint.pathSchema],
        ["query", endpoint.urlParamsSchema],
        ["body", endpoint.payloadSchema]
      ]
      found.set(
        endpoint.name,
        parts.flatMap(([part, schema]) => (Option.isNone(schema) ? [] : [[part, schema.value as Closed] as const]))
      )
    }
  })
  return found
})()

/**
 * Returns the parts of an input with their schemas. The input of a REST operation can have several parts. The input of
 * a procedure or a tool has only one part, the body. The schemas need no services, but their types do not show this.
 */
const partsOf = ({ operation: { name }, place, rest }: Approach): ReadonlyArray<readonly [Part, Closed]> => {
  if (rest !== undefined) return endpoints.get(name) ?? []
  const schema =
    place === "mcp"
      ? Tools.find((tool) => tool.name === name)?.input
      : (Procedures.requests as ReadonlyMap<string, { readonly payloadSchema: Schema.Schema.Any }>).get(name)
          ?.payloadSchema
  return schema === undefined ? [] : [["body", schema as Closed]]
}

const samplesMax = 60 // Inputs for each read. This number is large enough for every optional field to occur.
const valuesMax = 3

const samplesOf = new WeakMap<Closed, ReadonlyArray<Fields>>()

/** Returns valid inputs in the form in which a client sends them. Every call returns the same inputs. */
const encodedSamples = (schema: Closed): ReadonlyArray<Fields> => {
  const samples = samplesOf.get(schema) ?? drawnSamples(schema)
  samplesOf.set(schema, samples)
  return samples
}

/** Generates valid inputs. Leaves out values that cannot be encoded. */
const drawnSamples = (schema: Closed): ReadonlyArray<Fields> => {
  const encode = Schema.encodeEither(schema)
  const decode = Schema.decodeUnknownEither(schema)
  return fc
    .sample(Arbitrary.make(schema), { numRuns: samplesMax, seed: 7 })
    .flatMap((value) =>
      Option.toArray(
        Either.getRight(
          Either.flatMap(
            Either.try(() => encode(value)),
            identity
          )
        )
      )
    )
    .filter((value): value is Fields => typeof value === "object" && value !== null && Either.isRight(decode(value)))
}

const fieldsOfPart = (part: Part, schema: Closed): ReadonlyArray<Field> => {
  const samples = encodedSamples(schema)
  const isEnough = (input: Fields) => Either.isRight(Schema.decodeUnknownEither(schema)(input))
  const names = [...new Set(samples.flatMap((sample) => Object.keys(sample)))]
  let least = samples[0] ?? {}
  for (const name of names) {
    const { [name]: _, ...rest } = least
    if (isEnough(rest)) least = rest
  }
  return names.map((name) => {
    const values = new Map(
      samples.filter((sample) => sample[name] !== undefined).map((each) => [JSON.stringify(each[name]), each[name]])
    )
    return { part, name, values: [...values.values()].slice(0, valuesMax), isNeeded: name in least }
  })
}

export const fieldsOf = (way: Approach): ReadonlyArray<Field> =>
  partsOf(way).flatMap(([part, schema]) => fieldsOfPart(part, schema))

/** Returns an input with a value for each given field, in the form that `ask` accepts. */
export const inputOf = (way: Approach, given: ReadonlyArray<readonly [Field, unknown]>): unknown => {
  const part = (wanted: Part) =>
    Object.fromEntries(given.filter(([field]) => field.part === wanted).map(([{ name }, value]) => [name, value]))
  const rest: RestInput = { path: part("path"), query: part("query"), body: part("body") } as RestInput
  return way.rest === undefined ? part("body") : rest
}
