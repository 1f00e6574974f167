/** After an internal failure on any surface, the caller gets an error id, and the log has the cause. */
import { SqlClient, SqlError } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { afterEach } from "vitest"
import { EntityStore } from "../../src/features/entities/EntityStore.ts"
import { KeyStore } from "../../src/features/keys/KeyStore.ts"
import { aLog } from "../support/logs.ts"
import { anEmbedded } from "../support/pgliteImage.ts"
import { aPod, type PodHooks, type Storage } from "../support/pod.ts"
import { aRawClient, type RawAnswer } from "../support/raw.ts"
import { asOwner } from "../support/stores.ts"
import { assertSilent } from "./edges.ts"

const inner = "relation secret_plans: SELECT * FROM secret_plans -- /srv/pod/src/Secret.ts:7"

/** Makes an entity store whose list operation ends in the given way. All other functions of the store succeed. */
const listingEnds = (ending: Effect.Effect<never>) =>
  Layer.effect(
    EntityStore,
    Effect.map(EntityStore, (store) => ({ ...store, list: () => ending }))
  )

let stop = () => Promise.resolve()
afterEach(() => stop())

const aBrokenPod = async (hooks: PodHooks, storage: Storage = { kind: "memory" }) => {
  const log = aLog()
  const pod = await aPod(storage, {}, { ...hooks, logging: log.layer })
  stop = pod.stop
  return { pod, log, key: await pod.aKey(pod.owner), client: aRawClient(pod.baseUrl) }
}

type Broken = Awaited<ReturnType<typeof aBrokenPod>>

const rpc = { accept: "application/json, text/event-stream", "content-type": "application/json" }
const toolCall = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "svc_get_entities", arguments: {} }
})

/** Sends one failing read to each surface. Returns the status, the headers and the fields of the error. */
const surfaces: Record<
  string,
  (
    broken: Broken
  ) => Promise<Pick<RawAnswer, "status" | "text" | "headers"> & { readonly error: Readonly<Record<string, unknown>> }>
> = {
  REST: async ({ client, key }) => {
    const answer = await client.send({ path: "/api/hub/entities", headers: key.headers })
    return { ...answer, error: answer.body }
  },
  "the bridge": async ({ client, key }) => {
    const answer = await client.send({ path: "/api/hub/trpc/entities.getEntities", headers: key.headers })
    return { ...answer, error: { ...answer.body.error.data, message: answer.body.error.message } }
  },
  "/trpc": async ({ client, pod }) => {
    const answer = await client.send({ path: "/trpc/entities.getEntities", headers: pod.owner.headers })
    return { ...answer, error: { ...answer.body.error.data, message: answer.body.error.message } }
  }
}

const askTool = async ({ client, key }: Broken) => {
  const answer = await client.send({
    method: "POST",
    path: "/mcp",
    headers: { ...key.headers, ...rpc },
    body: toolCall
  })
  const frame = answer.text.split("\n").find((line) => line.startsWith("data: "))
  return { ...answer, message: JSON.parse(frame?.slice(6) ?? answer.text) }
}

/** Returns the log line with this error id. The line contains the cause, which the caller must not see. */
const causeOf = ({ log }: Broken, errorId: unknown) => {
  assert.match(String(errorId), /^[0-9a-f-]{36}$/)
  const found = log.lines.filter(({ fields }) => fields["errorId"] === errorId)
  assert.lengthOf(found, 1)
  return found[0]
}

const explosions: ReadonlyArray<readonly [string, Effect.Effect<never>]> = [
  ["a store that ends with a defect", Effect.die(new Error(inner))],
  [
    "a store that throws",
    Effect.sync(() => {
      throw new TypeError(inner)
    })
  ],
  [
    "a statement with a mistake",
    Effect.die(new SqlError.SqlError({ message: inner, cause: { code: "42601", message: inner } }))
  ],
  ["an unexpected value", Effect.die({ secret: inner })]
]

describe.each(explosions)("%s", (_name, ending) => {
  it("after an internal failure, the answer has an error id and the log has the cause, on REST, /trpc and /api/hub/trpc", async () => {
    const broken = await aBrokenPod({ adapters: listingEnds(ending) })
    for (const [name, ask] of Object.entries(surfaces)) {
      const { error, status, text } = await ask(broken)
      assert.strictEqual(status, 500, name)
      assert.strictEqual(error.code, "INTERNAL_SERVER_ERROR", name)
      assert.isString(error.message, name)
      assert.notInclude(text, "secret", name)
      assertSilent(text, name)
      const line = causeOf(broken, error.errorId)
      assert.include(line.cause, "secret_plans", name)
      assert.include(String(line.fields["operation"]), "entities", name)
    }
    const { error, text } = await surfaces["REST"](broken)
    assert.strictEqual(error.error, "ServerError")
    assert.hasAllKeys(JSON.parse(text), ["error", "code", "message", "errorId", "docs"])
    const { message, ...answer } = await askTool(broken)
    assert.deepStrictEqual([answer.status, message.result.isError], [200, true])
    assertSilent(answer.text, "MCP")
    const [sentence, data] = message.result.content
    assert.notInclude(sentence.text + data.text, "secret")
    assert.include(causeOf(broken, JSON.parse(data.text).errorId).cause, "secret_plans")
  })
})

it("if one call of a batch fails internally, the other calls get their answers, whether the batch is streamed or not", async () => {
  const { client, key } = await aBrokenPod({ adapters: listingEnds(Effect.die(new Error(inner))) })
  const path = "/api/hub/trpc/entities.getEntities,svc.me?batch=1"
  const plain = await client.send({ path, headers: key.headers })
  assert.strictEqual(plain.status, 207)
  assert.strictEqual(plain.body[0].error.data.httpStatus, 500)
  assert.isString(plain.body[1].result.data.id)
  const streamed = await client.send({ path, headers: { ...key.headers, "trpc-accept": "application/jsonl" } })
  assert.strictEqual(streamed.status, 200)
  assert.match(streamed.text, /"errorId":"[0-9a-f-]{36}"/)
  assertSilent(streamed.text, "stream")
})

it("the pod still answers after a hundred internal failures", async () => {
  const { client, key } = await aBrokenPod({ adapters: listingEnds(Effect.die(new Error(inner))) })
  for (let times = 0; times < 100; times++) {
    const answer = await client.send({ path: "/api/hub/entities", headers: key.headers })
    assert.strictEqual(answer.status, 500)
  }
  assert.strictEqual((await client.send({ path: "/api/hub/users/me", headers: key.headers })).status, 200)
})

describe("a database that cannot be reached", () => {
  const away = Effect.die(new SqlError.SqlError({ message: "connect ECONNREFUSED /var/run/postgresql", cause: {} }))

  it("a request to a pod whose database cannot be reached is answered with 503 and Retry-After", async () => {
    const broken = await aBrokenPod({ adapters: listingEnds(away) })
    for (const [name, ask] of Object.entries(surfaces)) {
      const { headers, status, text } = await ask(broken)
      assert.strictEqual(status, 503, name)
      assert.strictEqual(headers["retry-after"], "1", name)
      assert.notInclude(text, "ECONNREFUSED")
    }
    assert.strictEqual((await askTool(broken)).message.result.isError, true)
  })
})

describe("a failing look-up of a credential", () => {
  const verifyEnds = (ending: Effect.Effect<never>) =>
    Layer.effect(
      KeyStore,
      Effect.map(KeyStore, (store) => ({ ...store, verify: () => ending }))
    )

  it("if the check of a credential fails because of an internal failure, the answer is 500 with an error id, and never 401", async () => {
    const broken = await aBrokenPod({ adapters: verifyEnds(Effect.die(new Error(inner))) })
    const { client, key } = broken
    for (const [path, idIn] of [
      ["/api/hub/entities", ({ body }: RawAnswer) => body.errorId],
      ["/api/hub/no-such-route", ({ body }: RawAnswer) => body.errorId],
      ["/api/hub/trpc/svc.me", ({ body }: RawAnswer) => body.error.data.errorId],
      ["/mcp", ({ body }: RawAnswer) => body.error.data.errorId]
    ] as const) {
      const request = path === "/mcp" ? { method: "POST", body: toolCall } : {}
      const answer = await client.send({ path, ...request, headers: { ...key.headers, ...rpc } })
      assert.strictEqual(answer.status, 500, path)
      assertSilent(answer.text, path)
      assert.isUndefined(answer.headers["www-authenticate"], path)
      assert.include(causeOf(broken, idIn(answer)).cause, "secret_plans", path)
    }
  })
})

describe("a missing table in a real database", () => {
  it("if a table is missing in the database, the answer shows no SQL statement, table name or path", async () => {
    const broken = await aBrokenPod({}, { kind: "pglite", open: () => anEmbedded() })
    const rename = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`ALTER TABLE entities RENAME TO gone`)
    await broken.pod.run(asOwner(rename))
    for (const [name, ask] of Object.entries(surfaces)) {
      const { error, status, text } = await ask(broken)
      assert.strictEqual(status, 500, name)
      assertSilent(text, name)
      assert.include(causeOf(broken, error.errorId).cause, "entities", name)
    }
    const created = await broken.key.send("POST", "/api/hub/entities", { title: "x" })
    assert.strictEqual(created.status, 500)
    assert.isString(causeOf(broken, created.body.errorId).cause)
  })
})
