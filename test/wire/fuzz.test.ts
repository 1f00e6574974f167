/**
 * Sends random inputs that resemble the schemas of the operations. No answer may be an internal failure, and every
 * refusal must have an error text.
 */
import { HttpApi } from "@effect/platform"
import type { Rpc } from "@effect/rpc"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Option, Schema } from "effect"
import * as fc from "fast-check"
import { afterAll, beforeAll } from "vitest"
import { HubApi } from "../../src/HubApi.ts"
import { Procedures } from "../../src/Procedures.ts"
import { Tools } from "../../src/Tools.ts"
import type { RawAnswer, RawRequest } from "../support/raw.ts"
import { anEdge, assertSilent, type Edge } from "./edges.ts"
import { stateOf } from "./podState.ts"

let edge: Edge
beforeAll(async () => {
  edge = await anEdge()
})
afterAll(() => edge.close())

const seed = 20_260_101
const runs = 100 // The number of requests for each surface. The requests and the check of all rows take a few seconds.

/** Texts that often break parsers and databases. */
const spiteful = fc.oneof(
  fc.constantFrom(
    "",
    "\0",
    "\ud800",
    "\udfff\ud800",
    "'; DROP TABLE events; --",
    "%00",
    "../../etc/passwd",
    "{}",
    "null"
  ),
  fc.constantFrom(
    "9".repeat(40),
    "-1",
    "1e999",
    "NaN",
    "𝒳😀é",
    "\u202e",
    "a".repeat(5_000),
    "$1",
    "\\",
    "*",
    "entity.*.read"
  ),
  fc.string({ unit: "binary", maxLength: 40 })
)
const anyId = fc.oneof(fc.uuid(), fc.constant("own"), fc.constant("entity"), spiteful)

/** Replaces some values inside a valid input by other values. */
const disturbed = (value: unknown, choose: () => number, other: () => unknown): unknown => {
  if (choose() === 0) return other()
  if (Array.isArray(value)) return value.map((item) => disturbed(item, choose, other))
  if (typeof value === "bigint" || typeof value === "symbol" || typeof value === "function") return String(value)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, disturbed(item, choose, other)]))
}

const noise = fc.oneof(
  spiteful,
  fc.jsonValue({ maxDepth: 4 }),
  fc.double(),
  fc.constant(Number.MAX_SAFE_INTEGER + 2),
  anyId
)

/** Makes random inputs. Most inputs resemble what the schema accepts, and some do not. */
const inputOf = (schema: Schema.Schema.Any): fc.Arbitrary<unknown> => {
  const alike = Arbitrary.make(Schema.encodedSchema(schema as Schema.Schema<unknown>))
  const shaped = fc.tuple(alike, fc.infiniteStream(fc.nat(12)), fc.infiniteStream(noise)).map(([value, dice, others]) =>
    disturbed(
      value,
      () => dice.next().value ?? 1,
      () => others.next().value
    )
  )
  return fc.oneof({ weight: 5, arbitrary: shaped }, { weight: 1, arbitrary: noise })
}

const textOf = (value: unknown): string => JSON.stringify(value) ?? "null"
/** Replaces the placeholders in a random input by ids of existing records. */
const placed = (text: string) =>
  text.replaceAll('"own"', `"${edge.pod.ownerId}"`).replaceAll('"entity"', `"${edge.entityId}"`)

const queryOf = (value: unknown): string =>
  typeof value !== "object" || value === null
    ? ""
    : new URLSearchParams(
        Object.entries(value).map(([name, item]): [string, string] => [name, String(item).toWellFormed()])
      ).toString()

interface Aim {
  readonly name: string
  readonly request: fc.Arbitrary<() => RawRequest>
}

const json = { "content-type": "application/json" }

const restAims = (): ReadonlyArray<Aim> => {
  const aims: Array<Aim> = []
  HttpApi.reflect(HubApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      // Sign-out has no input, and it would end the session that all other requests need.
      if (endpoint.name === "auth.signOut") return
      const part = (schema: Option.Option<unknown>) =>
        Option.match(schema, {
          onNone: () => fc.constant(undefined),
          onSome: (some) => inputOf(some as Schema.Schema.Any)
        })
      const operation = edge.catalog.rest.find(({ name, path }) => name === endpoint.name && path === endpoint.path)!
      aims.push({
        name: endpoint.name,
        request: fc
          .tuple(fc.option(anyId), part(endpoint.urlParamsSchema), part(endpoint.payloadSchema))
          .map(([id, query, payload]) => () => {
            const path =
              id === null
                ? edge.pathOf(operation)
                : endpoint.path.replace(/:\w+/, encodeURIComponent(id.toWellFormed()))
            return {
              method: endpoint.method,
              path: `${path}?${queryOf(query)}`,
              headers: { ...json, ...edge.passing(operation) },
              ...(operation.takesBody ? { body: placed(textOf(payload)) } : {})
            }
          })
      })
    }
  })
  return aims
}

const procedureAims = (): ReadonlyArray<Aim> =>
  [...(Procedures.requests as unknown as ReadonlyMap<string, Rpc.AnyWithProps>)].map(([path, { payloadSchema }]) => {
    const operation = edge.catalog.procedures.get(path)!
    const base = operation.door._tag === "Session" ? "/trpc" : "/api/hub/trpc"
    return {
      name: path,
      request: inputOf(payloadSchema).map((input) => () => ({
        method: "POST",
        path: `${base}/${path}`,
        headers: { ...json, ...edge.passing(operation) },
        body: placed(textOf(input))
      }))
    }
  })

const toolAims = (): ReadonlyArray<Aim> =>
  Tools.map(({ input, name }) => ({
    name,
    request: inputOf(input).map((args) => () => ({
      method: "POST",
      path: "/mcp",
      headers: { ...json, ...edge.key.headers, accept: "application/json, text/event-stream" },
      body: placed(textOf({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }))
    }))
  }))

/** For each surface, a function that returns the error text of an answer, from the field that clients read. */
const errorTextOf: Record<string, (answer: RawAnswer) => unknown> = {
  rest: ({ body }) => body?.error?.message ?? body?.error,
  procedures: ({ body }) => body?.error?.message,
  tools: ({ text }) => text
}

describe.each([
  ["rest", restAims],
  ["procedures", procedureAims],
  ["tools", toolAims]
] as const)("%s", (surface, aims) => {
  it("no random input causes a 5xx answer, every refusal has an error text, and a refused input changes no row", async () => {
    const seen = new Map<number, number>()
    let state: string | undefined
    const aimed = fc.constantFrom(...aims()).chain(({ name, request }) => request.map((make) => ({ name, make })))
    const property = fc.asyncProperty(aimed, async ({ make, name }) => {
      const request = make()
      const isWrite = request.method !== "GET" && surface !== "tools"
      const before = isWrite ? (state ?? (await stateOf(edge.pod))) : undefined
      const answer = await edge.client.send(request)
      seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
      // This pod has no model, so a chat is answered with 503.
      const isModelAbsent = answer.status === 503 && answer.text.includes('"no_provider"')
      assert.isTrue(answer.status < 500 || isModelAbsent, `${name}: ${answer.text}`)
      // A successful write changes the state. A refusal with 403 also changes the state, because the pod logs it as an
      // event. After one of these two answers, the test must read the state again.
      if (answer.status === 200 || answer.status === 403 || isModelAbsent) state = undefined
      if (answer.status === 200 && surface !== "tools") return
      assert.isString(errorTextOf[surface]?.(answer), name)
      assertSilent(answer.text, name)
      if (before === undefined || answer.status === 403 || isModelAbsent) return
      state = await stateOf(edge.pod)
      assert.strictEqual(state, before, name)
    })
    await fc.assert(property, { seed, numRuns: runs, endOnFailure: true })
    assert.isAtLeast(seen.get(200) ?? 0, 5, "some requests must succeed, or nothing behind the door is tested")
    if (surface !== "tools") assert.isAtLeast(seen.get(400) ?? 0, runs / 5)
  })
})
