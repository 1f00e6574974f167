/** Generates inputs that fit the declaration of an operation and name existing records. */
import { HttpApi } from "@effect/platform"
import { Arbitrary, Either, Option, Schema, SchemaAST } from "effect"
import fc from "fast-check"
import { HubApi } from "../../src/HubApi.ts"
import { Procedures } from "../../src/Procedures.ts"
import { Tools } from "../../src/Tools.ts"
import type { Approach } from "./surfaces.ts"

type Fields = Readonly<Record<string, unknown>>

/**
 * Values by field name. If an input has a field with one of these names, the field gets the value. In this way the
 * input names existing records.
 */
export type Known = Readonly<Record<string, unknown>>

interface Parts {
  readonly path?: Schema.Schema.Any
  readonly query?: Schema.Schema.Any
  readonly body?: Schema.Schema.Any
}

/**
 * Names of body fields that can say who acts. A sample (a generated input of an operation) does not contain these
 * fields, unless the operation requires them.
 */
const identityNames = new Set(["userId", "agentUserId", "ownerUserId", "author", "agentId"])

const rest = (): ReadonlyMap<string, Parts> => {
  const found = new Map<string, Parts>()
  const part = (schema: Option.Option<unknown>) => Option.getOrUndefined(schema) as Schema.Schema.Any | undefined
  HttpApi.reflect(HubApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      const [path, query, body] = [endpoint.pathSchema, endpoint.urlParamsSchema, endpoint.payloadSchema].map(part)
      found.set(endpoint.name, { ...(path && { path }), ...(query && { query }), ...(body && { body }) })
    }
  })
  return found
}

const triesMax = 40
const endpoints = rest()

/** True if an input of this schema may have a field with this name. */
const declares = (schema: Schema.Schema<unknown>, name: string) =>
  SchemaAST.getPropertySignatures(Schema.encodedSchema(schema).ast).some((field) => field.name === name)

/** How many optional fields an input has: all generated fields, or only the known fields. */
export type Extent = "everything" | "the least"

const drawnFrom = (schema: Schema.Schema<unknown>): Fields => {
  const decode = Schema.decodeUnknownEither(schema)
  const encode = Schema.encodeEither(schema)
  const arbitrary = Arbitrary.make(schema)
  // Some generated values cannot be encoded. So the code uses the first value that can be encoded. Usually this is the
  // first value.
  for (const numRuns of [1, triesMax]) {
    const drawn = fc
      .sample(arbitrary, { numRuns, seed: 7 })
      .map((value) => Either.try(() => Either.getOrThrow(encode(value))).pipe(Either.getOrUndefined))
      .find((each): each is Fields => each !== undefined && Either.isRight(decode(each)))
    if (drawn !== undefined) return drawn
  }
  throw new Error(`no sample fits ${String(schema.ast)}`)
}

const draws = new WeakMap<Schema.Schema<unknown>, Fields>()

/**
 * Returns an encoded value of the schema, the same at every call. Making a generator takes much longer than drawing a
 * value. So this code makes a generator only once for each schema, and stores the value.
 */
const drawnFor = (schema: Schema.Schema<unknown>): Fields => {
  const drawn = draws.get(schema) ?? drawnFrom(schema)
  draws.set(schema, drawn)
  return drawn
}

const sampled = (schema: Schema.Schema.Any | undefined, known: Known, extent: Extent): Fields => {
  if (schema === undefined) return {}
  // The schemas of a declaration need no services, but the type `Schema.Schema.Any` cannot express this.
  const closed = schema as Schema.Schema<unknown>
  const decode = Schema.decodeUnknownEither(closed)
  const drawn = drawnFor(closed)
  let sample = Object.fromEntries(Object.entries(drawn).filter(([, field]) => field !== undefined))
  const takeIf = (other: Fields) => {
    if (Either.isRight(decode(other))) sample = other
  }
  for (const name of Object.keys(sample)) {
    const { [name]: _, ...others } = sample
    if (identityNames.has(name) || (extent === "the least" && !(name in known))) takeIf(others)
  }
  // A field name may have another meaning in this input, so a known value is used only if it is valid. If the input may
  // have a workspace id, the sample has one.
  const named = Object.keys(sample).filter((each) => each in known)
  for (const name of declares(closed, "workspaceId") && "workspaceId" in known ? [...named, "workspaceId"] : named) {
    takeIf({ ...sample, [name]: known[name] })
  }
  return sample
}

/** Returns an input for the operation, in the form that `ask` accepts. */
export const sampleFor = (
  { rest: operation, operation: { name }, place }: Approach,
  fields: Known,
  extent: Extent = "everything"
): unknown => {
  // A call that can wait for new data returns at once if its waiting time is zero.
  const known = { timeoutSeconds: 0, ...fields }
  if (operation !== undefined) {
    const { path, query, body } = endpoints.get(name) ?? {}
    return {
      path: sampled(path, known, extent),
      query: sampled(query, { ...known, limit: "10", offset: "0" }, extent),
      body: sampled(body, known, extent)
    }
  }
  if (place === "mcp") return sampled(Tools.find((tool) => tool.name === name)?.input, known, extent)
  const procedure = (Procedures.requests as ReadonlyMap<string, { readonly payloadSchema: Schema.Schema.Any }>).get(
    name
  )
  return sampled(procedure?.payloadSchema, known, extent)
}

/** Returns the same input with additional fields: in the body, in the query, or among the arguments. */
export const withFields = (approach: Approach, input: unknown, fields: Readonly<Record<string, string>>): unknown => {
  if (approach.rest === undefined) return { ...(input as Fields), ...fields }
  const { path, query, body } = input as { path: Fields; query: Fields; body: Fields }
  return { path, query: { ...query, ...fields }, body: { ...body, ...fields } }
}
