/**
 * Pages of listings: an operation that accepts a cursor also returns the cursor of the next page. The body of its
 * answer contains only the items, without the cursor.
 */
import { HttpApi } from "@effect/platform"
import type { Rpc } from "@effect/rpc"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option, Schema, SchemaAST } from "effect"
import { encoderOf } from "../../src/doors/CompiledSchema.ts"
import { Timestamp } from "../../src/doors/Fields.ts"
import { cursorField } from "../../src/doors/Cursor.ts"
import { pagedStruct, cutPage, hasNextCursor, pageOf, singlePage } from "../../src/doors/Page.ts"
import { HubApi } from "../../src/HubApi.ts"
import { Procedures } from "../../src/Procedures.ts"
import { Tools } from "../../src/Tools.ts"

const takesCursor = (input: Schema.Schema.Any | undefined) =>
  input !== undefined &&
  SchemaAST.getPropertySignatures(SchemaAST.typeAST(input.ast)).some(({ name }) => name === "cursor")

interface Declaration {
  readonly name: string
  readonly input: Schema.Schema.Any | undefined
  readonly success: Schema.Schema.Any
}

const endpoints = (): ReadonlyArray<Declaration> => {
  const found: Array<Declaration> = []
  HttpApi.reflect(HubApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      // For the query, reflection gives the type `unknown`, but the value is a schema.
      const input = Option.getOrUndefined(endpoint.urlParamsSchema) as Declaration["input"]
      found.push({ name: `rest ${endpoint.name}`, input, success: endpoint.successSchema })
    }
  })
  return found
}

const declared: ReadonlyArray<Declaration> = [
  ...endpoints(),
  ...[...(Procedures.requests as unknown as ReadonlyMap<string, Rpc.AnyWithProps>)].map(
    ([name, { payloadSchema: input, successSchema: success }]) => ({ name: `procedure ${name}`, input, success })
  ),
  ...Tools.map(({ input, name, success }) => ({ name: `tool ${name}`, input, success }))
]

describe("pages of listings", () => {
  it("every operation that accepts a cursor also returns a cursor, and no other operation returns a cursor", () => {
    const [taking, answering] = [
      declared.filter(({ input }) => takesCursor(input)),
      declared.filter(({ success }) => hasNextCursor(success))
    ].map((some) => some.map(({ name }) => name))
    assert.isAbove(taking?.length ?? 0, 40)
    assert.deepStrictEqual(answering, taking)
    assert.isTrue(takesCursor(Schema.Struct({ cursor: cursorField("times") })))
  })

  it("in the body of an answer, the pod encodes a page as the list of its items, without the cursor", () => {
    const [at, id] = [DateTime.unsafeMake(0), "00000000-0000-7000-8000-000000000001"]
    const text = "1970-01-01T00:00:00.000Z"
    assert.deepStrictEqual(encoderOf(pageOf(Timestamp))({ items: [at], next: { at: null, id } }), [text])
    const answer = pagedStruct(Schema.Struct({ times: Schema.Array(Timestamp) }))
    assert.deepStrictEqual(encoderOf(answer)({ answer: { times: [at] }, next: null }), { times: [text] })
  })

  it("if an operation is declared to return a page but returns something else, its call fails with an unexpected error", () => {
    assert.throws(() => encoderOf(pageOf(Timestamp))([]))
    assert.throws(() => encoderOf(pageOf(Timestamp))({ items: ["no time"], next: null }))
    assert.throws(() => encoderOf(pagedStruct(Schema.Struct({ times: Schema.Array(Timestamp) })))({ times: [] }))
  })

  it("a page of a listing has a cursor for the next page only if more rows were found than fit into the page", () => {
    const id = "00000000-0000-7000-8000-000000000001"
    const cursorOf = () => ({ at: null, id })
    assert.deepStrictEqual(cutPage([], 1, cursorOf), singlePage([]))
    assert.deepStrictEqual(cutPage([1, 2], 2, cursorOf), singlePage([1, 2]))
    assert.deepStrictEqual(cutPage([1, 2, 3], 2, cursorOf), { items: [1, 2], next: { at: null, id } })
  })
})
