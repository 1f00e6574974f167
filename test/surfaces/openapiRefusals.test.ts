/** The refusals of a running pod fit the API description. */
import { addressHeader } from "../../src/surfaces/AdminSocket.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { afterAll, beforeAll } from "vitest"
import { hubMountAlias } from "../../src/doors/Mounts.ts"
import { People } from "../../src/features/people/People.ts"
import { Readiness } from "../../src/features/system/Readiness.ts"
import { type Answer, aPod, type Caller, ownerEmail, type TestPod } from "../support/pod.ts"
import { sessionScopes } from "../../src/doors/Scope.ts"
import {
  brokenPromises,
  exampleOf,
  operationNamed,
  unusedId,
  operations,
  withUnusedIds,
  credentialsOf
} from "./promises.ts"

describe("the answers of a running pod fit the API description", () => {
  let pod: TestPod
  let key: Caller
  beforeAll(async () => {
    pod = await aPod({ kind: "memory" }, { bodyLimitBytes: 10_000 }, { hasSocket: true })
    key = await pod.aKey(pod.owner, { scope: sessionScopes })
  })
  afterAll(() => pod.stop())

  const keeps = (name: string, answer: Answer, status: number) => {
    assert.strictEqual(answer.status, status, `${name}: ${JSON.stringify(answer.body)}`)
    // Every answer over the operator's socket has this header, and the API description does not contain it.
    answer.headers.delete(addressHeader)
    assert.deepStrictEqual(brokenPromises(name, answer), [])
  }
  const signedInFor = (operation: (typeof operations)[number]["operation"]): Caller =>
    credentialsOf(operation).includes("operator") ? pod.operator! : pod.owner
  const guarded = operations.filter(({ operation }) => credentialsOf(operation).length > 0)

  it("the pod refuses a request without a credential, or with an invalid credential, as the API description says", async () => {
    for (const { path, method, operation } of guarded) {
      const at = withUnusedIds(path)
      keeps(operation.operationId, await pod.stranger.send(method, at), 401)
      keeps(operation.operationId, await pod.as({ authorization: "Bearer x" }).send(method, at), 401)
    }
  })

  it("the pod refuses a key without the needed scope, and a key for an operation that accepts only sessions, as the API description says", async () => {
    const narrow = await pod.aKey(pod.owner, { scope: ["probe"] })
    for (const { path, method, operation } of guarded) {
      keeps(operation.operationId, await narrow.send(method, withUnusedIds(path)), 403)
    }
  })

  it("every operation refuses a repeated query parameter as the API description says, except health checks and the manifest, which ignore their query", async () => {
    const ignoring = new Set(["/api/hub/health", "/api/hub/manifest", "/livez", "/readyz", "/startupz"])
    for (const { path, method, operation } of operations) {
      if (ignoring.has(path)) {
        keeps(operation.operationId, await pod.stranger.send(method, `${path}?a=1&a=2`), 200)
        continue
      }
      const caller = credentialsOf(operation).includes("bearer") ? key : signedInFor(operation)
      keeps(operation.operationId, await caller.send(method, `${withUnusedIds(path)}?a=1&a=2`), 400)
    }
  })

  it("the pod refuses a request body of a wrong media type, and a body that is too large, as the API description says", async () => {
    for (const { path, method, operation } of operations) {
      if (operation.requestBody === undefined) continue
      const at = withUnusedIds(path)
      const caller = signedInFor(operation)
      keeps(operation.operationId, await caller.send(method, at, "{}", { "content-type": "text/plain" }), 415)
      keeps(operation.operationId, await caller.send(method, at, { title: "x".repeat(20_000) }), 413)
    }
  })

  it("the pod answers a request for a missing record as the API description says", async () => {
    for (const name of ["entities.get", "entities.update", "entities.delete", "knowledge.get"]) {
      const { path, method } = operationNamed(name)
      keeps(name, await key.send(method, withUnusedIds(path), method === "PATCH" ? { title: "x" } : undefined), 404)
    }
    keeps("workspaces.get", await key.send("GET", `/api/hub/workspaces/${unusedId}`), 403)
  })

  it("if a request causes a conflict or uses a setup link that is no longer valid, the pod gives the answer that the API description lists", async () => {
    const draft = { key: "conflict" }
    await key.send("POST", "/api/hub/knowledge", draft)
    keeps("knowledge.create", await key.send("POST", "/api/hub/knowledge", draft), 409)
    const { body } = await key.send("POST", "/api/hub/entities", { title: "x" })
    keeps("entities.update", await key.send("PATCH", `/api/hub/entities/${body.id}`, { title: "y", version: 99 }), 409)
    keeps("setup.claim", await pod.stranger.send("POST", "/setup/claim", exampleOf("setup.claim")), 409)
  })

  it("the pod refuses a sign-in from another origin, with a wrong password, or after too many attempts, as the API description says", async () => {
    const wrong = { email: ownerEmail, password: "not the password" }
    const origin = { origin: "https://elsewhere.example" }
    keeps("auth.signIn", await pod.stranger.send("POST", "/auth/sign-in", wrong, origin), 403)
    keeps("auth.signIn", await pod.stranger.send("POST", "/auth/sign-in", wrong), 401)
    let last = await pod.stranger.send("POST", "/auth/sign-in", { email: "nobody@example.com", password: "wrong one" })
    for (let tries = 0; last.status !== 429 && tries < 100; tries++) {
      last = await pod.stranger.send("POST", "/auth/sign-in", { email: "nobody@example.com", password: "wrong one" })
    }
    keeps("auth.signIn", last, 429)
  })

  it("the answer to a repeated write, and every answer to a request with a key that expires soon, have the headers that the API description lists", async () => {
    const ending = await pod.aKey(pod.owner, { expiresInDays: 3 })
    const send = () =>
      ending.send("POST", "/api/hub/entities", { title: "once" }, { "idempotency-key": "the-same-every-time" })
    const first = await send()
    const again = await send()
    for (const answer of [first, again]) keeps("entities.create", answer, 200)
    assert.strictEqual(again.body.id, first.body.id)
    assert.strictEqual(again.headers.get("x-idempotent-replay"), "true")
    assert.strictEqual(again.headers.get("x-key-expires-soon"), "true")
  })

  it("a request for the caller's own account gets the same answer under the older base URL of the API as under the current one", async () => {
    const [hub, older] = [
      await key.send("GET", "/api/hub/users/me"),
      await key.send("GET", `${hubMountAlias}/users/me`)
    ]
    assert.deepStrictEqual(older.body, hub.body)
  })

  it("requests beyond the rate limit, and requests while the pod stops, are answered as the API description says", async () => {
    const other = await aPod({ kind: "memory" }, { rateLimitPerMinute: 1 })
    try {
      // The limit applies to each minute of the clock. The second request might fall into a new minute, so the test
      // sends three.
      const answers = await Promise.all([1, 2, 3].map(() => other.owner.send("GET", "/api/hub/users/me")))
      keeps(
        "users.me",
        answers.find(({ status }) => status === 429)!,
        429
      )
      await other.run(Effect.flatMap(Readiness, ({ drain }) => drain))
      keeps("probes.ready", await other.stranger.send("GET", "/readyz"), 503)
      const link = await other.run(Effect.flatMap(People, ({ setupLink }) => Effect.map(setupLink, Redacted.value)))
      const claim = { ...(exampleOf("setup.claim") as object), token: link }
      keeps("setup.claim", await other.stranger.send("POST", "/setup/claim", claim), 409)
    } finally {
      await other.stop()
    }
  })
})
