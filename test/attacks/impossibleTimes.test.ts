/**
 * The pod refuses times that do not exist, both in the cursor of every listing and in writes. This test uses a pod with
 * an SQL database.
 */
import { HttpApi } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Either, Option, Schema, SchemaAST } from "effect"
import { afterAll, beforeAll } from "vitest"
import { cursorText, markOf } from "../../src/doors/Cursor.ts"
import type { Operation } from "../../src/doors/Operation.ts"
import { HubApi } from "../../src/HubApi.ts"
import { Procedures } from "../../src/Procedures.ts"
import { Tools } from "../../src/Tools.ts"
import { anEdge, type Edge } from "../wire/edges.ts"

let edge: Edge
beforeAll(async () => {
  edge = await anEdge()
})
afterAll(() => edge.close())

const id = "01890a5d-ac96-774b-bcce-b302099a8057"
const mark = markOf("entities", id)
const written = (text: string) => Buffer.from(`${mark} ${text}`).toString("base64url")
const placeText = (at: string) => cursorText({ at, id }, mark)

const impossible: Readonly<Record<string, string>> = {
  "30 February": placeText("2026-02-30T00:00:00.000Z"),
  "29 February of a year that is not a leap year": placeText("2025-02-29T00:00:00.000Z"),
  "month 13": placeText("2026-13-01T00:00:00.000Z"),
  "the 25th hour": placeText("2026-01-01T25:00:00.000Z"),
  "midnight as the 24th hour": placeText("2026-01-01T24:00:00.000Z"),
  "a 61st second": placeText("2026-01-01T00:00:60.000Z"),
  "the year 0": placeText("0000-01-01T00:00:00.000Z"),
  "the last year that JavaScript can represent": placeText("+275760-09-13T00:00:00.000Z"),
  "a year before Christ": written(`2026-01-01T00:00:00.000Z BC ${id}`),
  "a year below zero": placeText("-000001-01-01T00:00:00.000Z"),
  "an id that is not a UUID": written("2026-01-01T00:00:00.000Z 01890a5d-ac96-774b-bcce-b302099a805g"),
  "a time without an id": written("2026-01-01T00:00:00.000Z")
}

const hasCursor = (schema: Schema.Schema.Any) =>
  SchemaAST.getPropertySignatures(schema.ast).some(({ name }) => name === "cursor")

/** The names of the endpoints that accept a cursor in their query. */
const endpoints = new Set<string>()
HttpApi.reflect(HubApi, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) => {
    const query: unknown = Option.getOrUndefined(endpoint.urlParamsSchema)
    if (query !== undefined && hasCursor(query as Schema.Schema.Any)) endpoints.add(endpoint.name)
  }
})

const isRefused = ({ decode }: Operation, input: unknown) => {
  const decoded = decode(input)
  return Either.isLeft(decoded) && decoded.left.some(({ path }) => path === "cursor")
}

describe("attack: a cursor contains a time or an id that cannot exist", () => {
  for (const [what, cursor] of Object.entries(impossible)) {
    it(`every listing answers 400, and never 500, to a cursor with ${what}`, async () => {
      const listings = edge.catalog.rest.filter(({ name }) => endpoints.has(name))
      assert.isAtLeast(listings.length, 15)
      for (const operation of listings) {
        assert.isTrue(isRefused(operation, { path: {}, query: { cursor }, body: undefined }), operation.name)
        const path = `${edge.pathOf(operation)}?cursor=${encodeURIComponent(cursor)}`
        const answer = await edge.client.send({ method: "GET", path, headers: edge.passing(operation) })
        assert.strictEqual(answer.status, 400, `${path}: ${answer.text}`)
        assert.isTrue(
          answer.body.details.some((fault: { readonly path: string }) => fault.path === "cursor"),
          `${path}: ${answer.text}`
        )
      }
      const others = [
        ...Tools.filter(({ input }) => hasCursor(input)).map(({ name }) => edge.catalog.tools.get(name)!),
        ...[...(Procedures.requests as ReadonlyMap<string, { readonly payloadSchema: Schema.Schema.Any }>)]
          .filter(([, { payloadSchema }]) => hasCursor(payloadSchema))
          .map(([name]) => edge.catalog.procedures.get(name)!)
      ]
      assert.isNotEmpty(others)
      for (const operation of others) assert.isTrue(isRefused(operation, { cursor }), operation.name)
    })
  }

  it("the list of entities accepts a cursor with the earliest or latest possible time, or with 29 February of a leap year", async () => {
    const { body: me } = await edge.key.send("GET", "/api/hub/users/me")
    for (const at of ["0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", "2024-02-29T00:00:00.000Z"]) {
      const { status } = await edge.key.send(
        "GET",
        `/api/hub/entities?cursor=${cursorText({ at, id }, markOf("entities", me.id))}`
      )
      assert.strictEqual(status, 200, at)
    }
  })
})

describe("attack: an expiry time is outside what the database can store", () => {
  for (const expiresAt of [
    "+275760-09-13T00:00:00.000Z",
    "+010000-01-01T00:00:00.000Z",
    "-000001-01-01T00:00:00.000Z"
  ]) {
    it(`the pod answers 400 to the expiry time ${expiresAt} for a key and for an automation rule, and names only this field`, async () => {
      const { owner } = edge.pod
      const namesOf = (details: ReadonlyArray<{ readonly path: string }>) => details.map(({ path }) => path)
      const order = { keyName: "x", scope: ["hub-protocol.read"], grant: { permissions: ["*"] }, expiresAt }
      const key = await owner.mutate("apiKeys.create", order)
      assert.strictEqual(key.status, 400, JSON.stringify(key.body))
      assert.deepStrictEqual(namesOf(key.body.error.data.details), ["expiresAt"], JSON.stringify(key.body))
      const sentence = { when: "a task is created", then: "notify me" }
      const draft = { intent: "Tell me of tasks", scope: { kind: "pod" }, sentence, expiresAt }
      const rule = await owner.send("POST", "/api/hub/rules", draft)
      assert.strictEqual(rule.status, 400, JSON.stringify(rule.body))
      assert.deepStrictEqual(namesOf(rule.body.details), ["expiresAt"], JSON.stringify(rule.body))
    })
  }
})
