/** Compares the API description with a running pod: its answers and refusals must be as described. */
import { addressHeader } from "../../src/surfaces/AdminSocket.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Redacted, Schema } from "effect"
import { afterAll, beforeAll } from "vitest"
import { describeApi } from "../../src/Description.ts"
import { hubMountAlias } from "../../src/HubApi.ts"
import {
  Broken,
  Conflict,
  Forbidden,
  invalid,
  NotFound,
  TooLarge,
  TooMany,
  Unauthorized,
  Unavailable,
  UnsupportedMedia
} from "../../src/doors/Failure.ts"
import { People } from "../../src/features/people/People.ts"
import { Readiness } from "../../src/features/system/Readiness.ts"
import { type Answer, aPod, type Caller, ownerEmail, type TestPod } from "../support/pod.ts"
import { sessionScopes } from "../../src/doors/Scope.ts"
import { wireAnswerIn } from "../../src/doors/Dialect.ts"
import { failureReference } from "../../src/surfaces/OpenApiFailures.ts"
import {
  brokenPromises,
  schemaDifferences,
  document,
  exampleOf,
  declaredContents,
  exampleIn,
  operationNamed,
  parametersOf,
  undescribedFields,
  unusedId,
  operations,
  resolveReference,
  type Response,
  withUnusedIds,
  credentialsOf,
  text
} from "./promises.ts"

/**
 * These operations use POST but store no record, or send frames that are not kept. So an idempotency key would be
 * useless for them.
 */
const readsByPost = new Set([
  "centrality.recompute",
  "chat.turn",
  "externalSkills.invoke",
  "federation.oidcConfig",
  "memory.forgetPreview",
  "memory.search",
  "n8n.analyze",
  "n8n.search",
  "openai.complete",
  "retrieval.answer",
  "retrieval.ask",
  "retrieval.recall",
  "retrieval.entities",
  "retrieval.search",
  "rules.classify",
  "rules.parse"
])

describe("the API description", () => {
  it("every operation of the API description has a unique name, a summary, an access rule and a meaning for each parameter", () => {
    const names = operations.map(({ operation }) => operation.operationId)
    assert.lengthOf(new Set(names), names.length)
    for (const { operation } of operations) {
      assert.isAbove(operation.summary.length, 10, operation.operationId)
      // If an operation has no scope or no permissions, its description must explain in words who may call it.
      const isOrdinary = operation["x-pod-scope"] !== undefined && operation["x-pod-permissions"] !== undefined
      if (!isOrdinary) assert.isAbove(operation.description?.length ?? 0, 10, operation.operationId)
      for (const { name, description } of parametersOf(operation)) {
        assert.isString(description, `${operation.operationId}: say what ${name} means, where it is declared`)
      }
    }
  })

  it("every group of the API description has a description", () => {
    for (const { name, description } of document.tags) {
      assert.notStrictEqual(description, `Operations of ${name}.`, `Describe the group ${name} where it is declared.`)
    }
  })

  it("the API description lists the credentials that each operation accepts, and no credential for a public operation", () => {
    const taken = (name: string) => credentialsOf(operationNamed(name).operation)
    assert.deepStrictEqual(taken("probes.live"), [])
    assert.deepStrictEqual(taken("auth.signOut"), ["session"])
    assert.deepStrictEqual(taken("entities.create"), ["bearer", "session"])
    assert.deepInclude(operationNamed("knowledge.put").operation, {
      "x-pod-scope": "hub-protocol.write",
      "x-pod-permissions": ["entity.knowledge.create", "entity.knowledge.update", "entity.knowledge.read"]
    })
  })

  it("the API description lists the idempotency key header for every write that needs a credential, and for no other operation", () => {
    for (const { method, operation } of operations) {
      const isOffered = parametersOf(operation).some(({ name }) => name === "Idempotency-Key")
      const isRead = method === "GET" || readsByPost.has(operation.operationId)
      assert.strictEqual(isOffered, !isRead && credentialsOf(operation).length > 0, operation.operationId)
    }
  })

  it("every reference in the API description has a target, and every component is referenced", () => {
    const references = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference))
    for (const reference of references) assert.isDefined(resolveReference({ $ref: reference }), reference)
    for (const kind of ["schemas", "parameters", "headers", "responses"]) {
      for (const name of Object.keys(document.components[kind]))
        assert.isTrue(references.has(`#/components/${kind}/${name}`), name)
    }
    assert.notInclude(text, "$id")
    assert.notInclude(text, "HttpApiDecodeError")
  })

  it("if the pod has a public address, the API description contains this address", () => {
    assert.deepStrictEqual(
      describeApi("https://pod.example.com/team/").servers.map(({ url }) => url),
      ["/", "https://pod.example.com/team"]
    )
  })

  it("every request body and every JSON answer in the API description has an example that the schema of the operation accepts", () => {
    for (const { name, schema, media } of declaredContents) {
      const shownExample = exampleIn(media)
      assert.isDefined(shownExample, `${name} shows no example`)
      assert.deepStrictEqual(schemaDifferences(media.schema, shownExample), [], name)
      const decoded = Schema.decodeUnknownEither(schema)(shownExample)
      assert.isTrue(Either.isRight(decoded), `${name}: ${Either.isLeft(decoded) ? decoded.left.message : ""}`)
    }
    assert.isAbove(declaredContents.length, 180)
  })

  it("every field in the API description has a description, except fields with clear names", () => {
    assert.strictEqual(undescribedFields.join(" "), "")
  })

  it("if an answer contains all fields of another answer, the API description refers to the other answer and does not repeat its fields", () => {
    const schemas = document.components["schemas"] as Readonly<
      Record<string, { readonly allOf?: ReadonlyArray<object> }>
    >
    const bases = [
      ["Track", "StoredRecord"],
      ["EntityWritten", "Entity"],
      ["ProposalDetail", "Proposal"],
      ["Document", "DocumentHead"]
    ] as const
    for (const [name, base] of bases) {
      assert.deepStrictEqual(schemas[name].allOf?.[0], { $ref: `#/components/schemas/${base}` }, name)
    }
    assert.notInclude(text, '"anyOf":[{"$ref":"#/components/schemas/SessionId"},{"type":"null"}]')
  })

  it("a parameter that several operations share is described only once in the API description", () => {
    const whole = operations.flatMap(({ operation }) => operation.parameters.filter((each) => !("$ref" in each)))
    assert.lengthOf(new Set(whole.map((each) => JSON.stringify(each))), whole.length)
  })

  it("every operation of the API description lists exactly the status codes that the operation can answer", () => {
    const listed = ({ responses }: { readonly responses: Readonly<Record<string, object>> }) => Object.keys(responses)
    for (const { method, operation } of operations) {
      const isGuarded = credentialsOf(operation).length > 0
      const readsBody = operation.requestBody !== undefined || method !== "GET"
      const name = operation.operationId
      assert.notInclude(listed(operation), "default", name)
      for (const status of ["200", "400", "500", "503"]) assert.include(listed(operation), status, name)
      for (const status of ["401", "403", "429"]) {
        if (isGuarded) assert.include(listed(operation), status, name)
        else if (method === "GET") assert.notInclude(listed(operation), status, name)
      }
      for (const status of ["413", "415"]) assert.strictEqual(listed(operation).includes(status), readsBody, name)
    }
    for (const [path, response] of Object.entries(operationNamed("entities.get").operation.responses)) {
      if (path !== "200") assert.deepStrictEqual(response, { $ref: `#/components/responses/E${path}` })
    }
    assert.deepStrictEqual(listed(operationNamed("entities.get").operation), [
      "200",
      "400",
      "401",
      "403",
      "404",
      "429",
      "500",
      "503"
    ])
  })

  it("the API description needs on average fewer than a fixed number of bytes for each operation", () => {
    assert.isBelow(Buffer.byteLength(text) / operations.length, 2_270)
  })

  it("for every failure the API description has the same body that the pod answers", () => {
    const failures = [
      invalid("", "no"),
      new Unauthorized({ reason: "no_auth" }),
      new Unauthorized({ reason: "expired", keyIdPrefix: "01890a5d" }),
      new Forbidden({ code: "GRANT_DENIED", why: "no", required: [], granted: ["*"] }),
      new NotFound({ why: "no" }),
      new Conflict({ code: "VERSION_CONFLICT", why: "no" }),
      TooLarge.bytes(1),
      new UnsupportedMedia({ why: "no" }),
      new TooMany({ why: "no", retryAfterSeconds: 1 }),
      new Broken({ errorId: unusedId }),
      new Unavailable({ why: "no", retryAfterSeconds: 1 })
    ]
    for (const failure of failures) {
      for (const dialect of ["hub", "plain", "openai"] as const) {
        const { status, body, headers } = wireAnswerIn(dialect, failure)
        const response = resolveReference(failureReference(String(status), dialect)[1]) as Response | undefined
        // For `plain` and `openai`, the document describes only the failures that an operation can return.
        if (dialect !== "hub" && response === undefined) continue
        assert(response !== undefined)
        const { example, schema } = response.content["application/json"]
        assert.deepStrictEqual(schemaDifferences(schema, body), [], `${failure._tag} ${dialect}`)
        if (dialect === "hub") assert.deepStrictEqual(schemaDifferences(schema, example), [], failure._tag)
        for (const header of Object.keys(headers ?? {})) assert.property(response.headers ?? {}, header, failure._tag)
      }
    }
  })
})

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
    answer.headers.delete(addressHeader) // every answer over the operator's socket has this header
    assert.deepStrictEqual(brokenPromises(name, answer), [])
  }
  const signedInFor = (operation: (typeof operations)[number]["operation"]): Caller =>
    credentialsOf(operation).includes("operator") ? pod.operator! : pod.owner
  const guarded = operations.filter(({ operation }) => credentialsOf(operation).length > 0)

  it("the pod refuses a request with no credential, or with an invalid one, as the API description says", async () => {
    for (const { path, method, operation } of guarded) {
      const at = withUnusedIds(path)
      keeps(operation.operationId, await pod.stranger.send(method, at), 401)
      keeps(operation.operationId, await pod.as({ authorization: "Bearer x" }).send(method, at), 401)
    }
  })

  it("a key without the needed scope, and a key where only a session is accepted, are refused as the API description says", async () => {
    const narrow = await pod.aKey(pod.owner, { scope: ["probe"] })
    for (const { path, method, operation } of guarded) {
      keeps(operation.operationId, await narrow.send(method, withUnusedIds(path)), 403)
    }
  })

  it("every operation refuses a repeated query parameter as the API description says", async () => {
    for (const { path, method, operation } of operations) {
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

  it("the pod answers a conflict, and a setup link that is no longer valid, as the API description says", async () => {
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

  it("the answers to a repeated write and to a key that expires soon have the headers that the API description lists", async () => {
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

  it("the older base URL of the API gives the same answers as the current base URL", async () => {
    const [hub, older] = [
      await key.send("GET", "/api/hub/users/me"),
      await key.send("GET", `${hubMountAlias}/users/me`)
    ]
    assert.deepStrictEqual(older.body, hub.body)
  })

  it("requests beyond the rate limit, and requests while the pod stops, are answered as the API description says", async () => {
    const other = await aPod({ kind: "memory" }, { rateLimitPerMinute: 1 })
    try {
      // The limit applies to each minute of the clock. The second request may fall into a new minute, so the test sends
      // three.
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
