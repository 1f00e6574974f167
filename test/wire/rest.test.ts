/** A running pod refuses invalid REST bodies and queries with an error text, and changes nothing. */
import { describeApi } from "../../src/Description.ts"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { afterAll, beforeAll } from "vitest"
import { everyNth } from "../support/everyNth.ts"
import { misshapen, unreadable } from "./badInput.ts"
import { anEdge, assertRefused, type Edge, titleOf } from "./edges.ts"
import { stateOf } from "./podState.ts"

let edge: Edge
beforeAll(async () => {
  edge = await anEdge()
})
afterAll(() => edge.close())

const json = { "content-type": "application/json" }

it("a successful write changes the hash with which the tests of REST notice writes", async () => {
  const before = await stateOf(edge.pod)
  const answer = await edge.pod.owner.send("PUT", "/api/hub/knowledge/state", { value: 1 })
  assert.strictEqual(answer.status, 200)
  assert.notStrictEqual(await stateOf(edge.pod), before)
})

describe("bodies of REST requests", () => {
  it("every operation with a request body refuses a body that is not readable JSON, and the refusal changes nothing", () =>
    edge.changingNothing(async () => {
      const { takers } = edge
      assert.isAtLeast(takers.length, 7)
      for (const [turn, operation] of takers.entries()) {
        for (const { name, status, ...bad } of everyNth(unreadable, turn, 4)) {
          const what = `${titleOf(operation)} with ${name}`
          const headers = { ...edge.passing(operation), ...bad.headers }
          const answer = await edge.client.send({
            method: operation.method,
            path: edge.pathOf(operation),
            ...bad,
            headers
          })
          assertRefused(answer, what, status)
          await edge.assertUsable(answer, what)
        }
      }
    }))

  it("every operation refuses a request body that does not fit its schema", () =>
    edge.changingNothing(async () => {
      let refused = 0
      for (const [turn, operation] of edge.takers.entries()) {
        const params = { id: edge.entityId, key: "kept", userId: edge.pod.ownerId, workspaceId: edge.entityId }
        for (const [name, value] of everyNth(misshapen, turn, 2)) {
          if (Either.isRight(operation.decode({ path: params, query: {}, body: value }))) continue
          const request = { method: operation.method, path: edge.pathOf(operation), body: JSON.stringify(value) }
          const answer = await edge.client.send({ ...request, headers: { ...json, ...edge.passing(operation) } })
          assertRefused(answer, `${titleOf(operation)} with ${name}`, 400)
          refused += 1
        }
      }
      assert.isAtLeast(refused, 50)
    }))

  it("the pod refuses a version number that is negative or too large for the database column", () =>
    edge.changingNothing(async () => {
      for (const version of [Number.MAX_SAFE_INTEGER, -1, 2 ** 31]) {
        const body = JSON.stringify({ version })
        const path = `/api/hub/entities/${edge.entityId}`
        const answer = await edge.client.send({
          method: "PATCH",
          path,
          headers: { ...edge.key.headers, ...json },
          body
        })
        assertRefused(answer, body, 400)
      }
    }))

  it("every operation that requires a body refuses a request without a body", () =>
    edge.changingNothing(async () => {
      const { paths } = describeApi()
      const isRequired = ({ method, path }: (typeof edge.takers)[number]) =>
        paths[path.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()]?.requestBody?.required === true
      const operations = edge.takers.filter(isRequired)
      assert.isAbove(operations.length, edge.takers.length / 2)
      for (const operation of operations) {
        const answer = await edge.client.send({
          method: operation.method,
          path: edge.pathOf(operation),
          headers: edge.passing(operation)
        })
        assertRefused(answer, titleOf(operation), 400)
      }
    }))

  it("a caller without a credential who sends an invalid body gets 401 and learns nothing about the body's schema", async () => {
    for (const operation of edge.catalog.rest.filter(
      ({ door, kind }) => kind === "mutation" && door._tag !== "Public"
    )) {
      for (const bad of unreadable.slice(0, 3)) {
        const request = { method: operation.method, path: edge.pathOf(operation), body: bad.body, headers: json }
        assertRefused(await edge.client.send(request), titleOf(operation), 401)
      }
    }
  })

  it("the pod ignores the body of a GET request, and the same connection can be used again", async () => {
    for (const [method, path] of [
      ["GET", `/api/hub/entities/${edge.entityId}`],
      ["GET", "/livez"]
    ] as const) {
      const answer = await edge.client.send({
        method,
        path,
        headers: { ...edge.key.headers, ...json },
        body: '{"title":"other"}'
      })
      assert.strictEqual(answer.status, 200)
      await edge.assertUsable(answer, path)
    }
  })
})

describe("queries of REST requests", () => {
  const refusedQueries = [
    "limit=0",
    "limit=-1",
    "limit=1.5",
    "limit=1e400",
    "limit=NaN",
    "limit=Infinity",
    "limit=",
    "limit=%20",
    "limit=ten",
    "limit[]=1&limit[]=2",
    "offset=-1",
    "offset=10001",
    "offset=",
    "offset=9007199254740993",
    "limit=1&limit=2",
    "workspaceId=a&workspaceId=b",
    "workspaceId=",
    "workspaceId=*",
    "workspaceId=null",
    "workspaceId=[]",
    "projectId=1%20OR%201=1",
    "profileSlug=",
    "profileSlug=A%00b",
    "profileSlug=%FF",
    "profileSlug=..%2F..",
    "q=",
    "q=a%00b",
    "q=%ED%A0%80",
    `q=${"x".repeat(1001)}`,
    "includePodWide=maybe",
    "sort=password",
    "scope=everything",
    "__proto__=1",
    "a=1&a=1",
    "%00=1"
  ]

  it("a REST request with an invalid query value or a repeated query parameter is refused", () =>
    edge.changingNothing(async () => {
      for (const query of refusedQueries) {
        const path = `/api/hub/entities?${query}`

        assertRefused(await edge.client.send({ path, headers: edge.key.headers }), query, 400)
      }
    }))

  it("a secret in the URL of a REST request, a tRPC call or a sign-in is refused, even with a valid credential, and the answer does not repeat the secret", async () => {
    const surfaces = [
      ["/api/hub/entities", edge.key],
      ["/api/hub-protocol/users/me", edge.key],
      ["/api/hub/trpc/svc.me", edge.key],
      ["/trpc/svc.me", edge.pod.owner],
      ["/auth/sign-in", edge.pod.stranger]
    ] as const
    for (const [path, caller] of surfaces) {
      for (const name of ["access_token", "key", "apiKey", "API-Key", "token", "session_token", "authorization"]) {
        const method = path === "/auth/sign-in" ? "POST" : "GET"
        const secret = "svc_user_0123456789abcdefghij"
        const answer = await edge.client.send({ method, path: `${path}?${name}=${secret}`, headers: caller.headers })
        assert.strictEqual(answer.status, 400, `${path} ${name}`)
        assert.notInclude(answer.text, secret)
        assert.include(answer.text, "header")
      }
    }
  })
})
