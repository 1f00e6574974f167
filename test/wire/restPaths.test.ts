/**
 * The paths, methods and headers of REST on a running pod: an unusual form of a request must not bypass the access rule
 * of a route.
 */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { anEdge, assertRefused, corsOrigin, type Edge, titleOf } from "./edges.ts"

let edge: Edge
beforeAll(async () => {
  edge = await anEdge()
})
afterAll(() => edge.close())

const json = { "content-type": "application/json" }
const body = '{"title":"changed"}'

describe("ids in the paths of REST requests", () => {
  it("every route with an id in its path, except `resolve.id`, refuses an id that is not a UUID", () =>
    edge.changingNothing(async () => {
      // `resolve.id` accepts any text. It reports what an id stands for, and reports an unknown text as unknown.
      const takesAnyText = new Set(["resolve.id"])
      const routes = edge.catalog.rest.filter(
        ({ name, path }) => /:(?:id|workspaceId)\b/.test(path) && !takesAnyText.has(name)
      )
      assert.isAtLeast(routes.length, 4)
      for (const operation of routes) {
        for (const id of [
          "1",
          "x'--",
          "%00",
          "%ED%A0%80",
          "a%2Fb",
          "%2e%2e",
          "{}",
          "*",
          "00000000-0000-0000-0000-00000000000g",
          "x".repeat(4096)
        ]) {
          const request = { method: operation.method, path: operation.path.replace(/:\w+/, id) }
          const headers = { ...json, ...edge.passing(operation) }
          const answer = await edge.client.send({ ...request, headers, ...(operation.takesBody ? { body } : {}) })
          assertRefused(answer, `${titleOf(operation)} with ${id.slice(0, 50)}`)
        }
      }
    }))

  it("a delete request without an id, with a wildcard, or with the id of another person's record deletes nothing", async () => {
    const other = await edge.pod.aPerson()
    assert.strictEqual((await edge.key.send("PUT", "/api/hub/knowledge/kept", { value: 1 })).status, 200)
    await edge.changingNothing(async () => {
      const foreign = { method: "DELETE", path: `/api/hub/entities/${edge.entityId}`, headers: other.headers }
      assertRefused(await edge.client.send(foreign), "somebody else's entity", 404)
      const { body } = await other.send("DELETE", "/api/hub/knowledge/kept")
      assert.deepStrictEqual(body, { success: false })
      for (const path of [
        "/api/hub/entities",
        "/api/hub/entities/",
        "/api/hub/entities/*",
        "/api/hub/knowledge",
        "/api/hub/knowledge/"
      ]) {
        const answer = await edge.client.send({ method: "DELETE", path, headers: edge.key.headers, body: "{}" })
        assertRefused(answer, path)
      }
    })
  })

  it("if the caller can see no record with the UUID in the path, the answer is 404 and says nothing about the record", async () => {
    const answer = await edge.client.send({ path: `/api/hub/entities/${edge.pod.ownerId}`, headers: edge.key.headers })
    assertRefused(answer, "a foreign id", 404)
  })
})

describe("unusual forms of request paths", () => {
  const disguises = [
    "//api/hub/entities",
    "/api//hub/entities",
    "/api/hub//entities",
    "/api/hub/./entities",
    "/api/hub/health/../entities",
    "/api/hub/health/%2e%2e/entities",
    "/api/hub/health%2f..%2fentities",
    "/api/hub/health/..%2fentities",
    "/api/hub%2fentities",
    "/api/hub/entities%2f",
    "/api/hub/entities%00",
    "/api/hub/entities;x=/health",
    "/api/hub/entities#/health",
    "/api/hub/x/health",
    "/api/hub/entities/health",
    "/livez/../api/hub/entities",
    "/docs/../api/hub/entities",
    "/assets/../api/hub/entities",
    "/API/HUB/entities",
    "/api/hub/Entities",
    "/api/hub-protocolx/entities",
    "\\api\\hub\\entities",
    "/api/hub/entities/%",
    "/api/hub/entities/%zz",
    "/api/hub/entities/%C3",
    "/api/hub/entities/%E0%A4%A",
    "/%"
  ]

  it("a request without a credential is refused, even if its path is written in an unusual form", async () => {
    for (const path of disguises) assertRefused(await edge.client.send({ path }), path)
  })

  it("the pod refuses a path with doubled slashes, dot segments, encoded slashes or other unusual parts, even if the key may call the route that is meant", async () => {
    for (const path of disguises) assertRefused(await edge.client.send({ path, headers: edge.key.headers }), path)
  })

  it("invalid percent-encoding in a path is refused with 400", async () => {
    for (const path of ["/api/hub/entities/%", "/api/hub/knowledge/%E0%A4%A", "/%zz"]) {
      assertRefused(await edge.client.send({ path, headers: edge.key.headers }), path, 400)
    }
  })

  it("a path with a trailing slash, with encoded letters or with the older URL of the API leads to the same route with the same access rule", async () => {
    for (const path of ["/api/hub/users/me/", "/api/hub-protocol/users/me", "/api/hub/users/%6de"]) {
      assertRefused(await edge.client.send({ path }), path, 401)
      const answer = await edge.client.send({ path, headers: edge.key.headers })
      assert.strictEqual(answer.status, 200, path)
      assert.strictEqual(answer.body.id, edge.pod.ownerId, path)
    }
  })

  it("a key of a knowledge entry can contain any character, such as `/` or `%`, and the path of the entry contains the key in encoded form", async () => {
    for (const name of ["a;b", "a#b", "a/b", "a%b", "a?b", "a b", "ä😀", "..", "a:b", "%2F", "%252F"]) {
      const path = `/api/hub/knowledge/${encodeURIComponent(name).replaceAll("%3B", ";")}`
      const put = await edge.client.send({
        method: "PUT",
        path,
        headers: { ...json, ...edge.key.headers },
        body: JSON.stringify({ value: name })
      })
      assert.strictEqual(put.status, 200, name)
      assert.strictEqual(put.body.key, name)
      const read = await edge.client.send({ path, headers: edge.key.headers })
      assert.deepStrictEqual([read.body.key, read.body.value], [name, name])
    }
    assertRefused(await edge.client.send({ path: "/api/hub/knowledge/a", headers: edge.key.headers }), "a", 404)
  })

  it("a request with a URL that is too long is refused with a JSON error, and the pod still answers other requests", async () => {
    for (const path of [`/api/hub/entities?q=${"x".repeat(20_000)}`, `/${"x".repeat(100_000)}`]) {
      assertRefused(await edge.client.send({ path, headers: edge.key.headers }), "a long URL", 431)
    }
    assertRefused(await edge.client.send({ path: "/livez", headers: { cookie: "x".repeat(20_000) } }), "a cookie", 431)
    assert.strictEqual((await edge.client.send({ path: "/livez" })).status, 200)
  })

  it("an unknown route of the API gets 401 without a credential and 404 with a credential, and any other unknown route gets 404", async () => {
    for (const path of ["/api/hub/nothing", "/api/hub", "/api/hub/", "/api/hub-protocol/nothing"]) {
      assertRefused(await edge.client.send({ path }), path, 401)
      assertRefused(await edge.client.send({ path, headers: { authorization: "Bearer nonsense" } }), path, 401)
      assertRefused(await edge.client.send({ path, headers: edge.key.headers }), path, 404)
    }
    for (const path of ["/nothing", "/.env", "/.git/config", "/auth", "/metrics", "/api", "/.well-known/x"]) {
      assertRefused(await edge.client.send({ path }), path, 404)
    }
  })
})

describe("methods of REST requests", () => {
  it("after the check of the credential, a request with a method that its route does not have gets 405 with the list of the route's methods", async () => {
    for (const [method, path, allow] of [
      ["PUT", "/api/hub/entities", "GET, POST"],
      ["POST", `/api/hub/entities/${edge.entityId}`, "GET, PATCH, DELETE"],
      ["TRACE", "/api/hub/entities", "GET, POST"],
      ["PROPFIND", "/api/hub/users/me", "GET, PATCH"]
    ] as const) {
      assertRefused(await edge.client.send({ method, path }), path, 401)
      const answer = await edge.client.send({ method, path, headers: edge.key.headers })
      assertRefused(answer, path, 405)
      assert.strictEqual(answer.headers.allow, allow)
    }
    const probe = await edge.client.send({ method: "DELETE", path: "/livez" })
    assertRefused(probe, "a probe", 405)
    assert.strictEqual(probe.headers.allow, "GET")
  })

  it("no header, parameter or body changes the method of a request", () =>
    edge.changingNothing(async () => {
      const path = `/api/hub/entities/${edge.entityId}`
      for (const method of ["DELETE", "PATCH"]) {
        for (const name of ["x-http-method-override", "x-http-method", "x-method-override"]) {
          const answer = await edge.client.send({ path, headers: { ...edge.key.headers, [name]: method } })
          assert.deepStrictEqual([answer.status, answer.body.id], [200, edge.entityId])
        }
        const headers = { ...edge.key.headers, ...json }
        for (const at of [path, `${path}?_method=${method}`]) {
          const answer = await edge.client.send({ method: "POST", path: at, headers, body: `{"_method":"${method}"}` })
          assertRefused(answer, at, 405)
        }
        const read = await edge.client.send({ path, headers, body })
        assert.deepStrictEqual([read.status, read.body.title], [200, "kept"])
        assertRefused(await edge.client.send({ path: `${path}?_method=${method}`, headers }), "_method", 400)
      }
    }))

  it("a HEAD request gets the same status and content length as a GET request but no body, even if the pod refuses the request", async () => {
    for (const [path, headers] of [
      ["/livez", {}],
      [`/api/hub/entities/${edge.entityId}`, edge.key.headers],
      ["/api/hub/entities?limit=0", edge.key.headers],
      ["/api/hub/entities", {}],
      ["/api/hub/nothing", edge.key.headers]
    ] as const) {
      const get = await edge.client.send({ path, headers })
      const head = await edge.client.send({ method: "HEAD", path, headers })
      assert.deepStrictEqual([head.status, head.text], [get.status, ""], path)
      assert.strictEqual(head.headers["content-length"], get.headers["content-length"], path)
      await edge.assertUsable(head, path)
    }
  })
})

describe("requests from pages of other origins", () => {
  const preflight = (origin: string, path = "/api/hub/entities") =>
    edge.client.send({
      method: "OPTIONS",
      path,
      headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "authorization" }
    })

  it("a web page of an unknown origin gets no CORS header, neither in a preflight nor in an answer", async () => {
    for (const origin of ["https://evil.example", "null", `${corsOrigin}.evil.example`, "http://app.example.com"]) {
      const asked = await preflight(origin)
      assert.strictEqual(asked.status, 204)
      const read = await edge.client.send({ path: "/api/hub/users/me", headers: { ...edge.key.headers, origin } })
      for (const { headers } of [asked, read]) {
        for (const name of Object.keys(headers)) assert.notMatch(name, /^access-control-/, origin)
      }
    }
  })

  it("a web page of a configured origin may call every API of the pod and read the headers that the page needs", async () => {
    for (const path of ["/api/hub/entities", "/trpc/apiKeys.create", "/mcp", "/auth/sign-in"]) {
      const { headers, status } = await preflight(corsOrigin, path)
      assert.strictEqual(status, 204)
      assert.strictEqual(headers["access-control-allow-origin"], corsOrigin)
      assert.include(headers["access-control-allow-headers"], "authorization")
      assert.isUndefined(headers["access-control-allow-credentials"])
    }
    const read = await edge.client.send({
      path: "/api/hub/users/me",
      headers: { ...edge.key.headers, origin: corsOrigin }
    })
    assert.strictEqual(read.headers["access-control-allow-origin"], corsOrigin)
    for (const name of ["x-request-id", "ratelimit-remaining", "retry-after"]) {
      assert.include(read.headers["access-control-expose-headers"], name)
    }
    assert.include(read.headers.vary, "origin")
  })

  it("a web page of an unknown origin cannot sign a person in", async () => {
    const headers = { ...json, origin: "https://evil.example" }
    const answer = await edge.client.send({ method: "POST", path: "/auth/sign-in", headers, body: "{}" })
    assertRefused(answer, "a foreign sign-in", 403)
  })
})
