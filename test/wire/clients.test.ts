/**
 * Uses the three request links of the official tRPC client on a running pod. A session calls /trpc. A key calls
 * /api/hub/trpc, which has the same procedures.
 */
import { assert, describe, it } from "@effect/vitest"
import { createTRPCUntypedClient, httpBatchLink, httpBatchStreamLink, httpLink, TRPCClientError } from "@trpc/client"
import type { AnyRouter } from "@trpc/server"
import { LogLevel } from "effect"
import { afterAll, beforeAll } from "vitest"
import { aLog } from "../support/logs.ts"
import { aPod, type Caller, everyScope, type TestPod } from "../support/pod.ts"
import { assertNoSecrets } from "./edges.ts"

const links = { httpLink, httpBatchLink, httpBatchStreamLink }
type LinkName = keyof typeof links

const log = aLog(LogLevel.Debug)
let pod: TestPod
beforeAll(async () => {
  pod = await aPod({ kind: "memory" }, {}, { logging: log.layer })
})
afterAll(() => pod.stop())

/** Every secret that was sent or received, so that the test can search the log for it. */
const secrets: Array<string> = []

const clientOf = (
  name: LinkName,
  at: "/trpc" | "/api/hub/trpc",
  { headers }: Caller,
  more: Record<string, string> = {}
) => {
  secrets.push(...Object.values(headers))
  const link = links[name]<AnyRouter>
  return createTRPCUntypedClient<AnyRouter>({
    links: [link({ url: pod.baseUrl + at, headers: { ...headers, ...more } })]
  })
}

type Client = ReturnType<typeof clientOf>

/** Calls a query. The answer is untyped here, because the tests assert its fields one by one. */
const query = (client: Client, path: string, input?: unknown): Promise<any> => client.query(path, input)
const mutation = async (client: Client, path: string, input?: unknown): Promise<any> => {
  const answer: any = await client.mutation(path, input)
  if (typeof answer?.key === "string") secrets.push(answer.key)
  return answer
}

const errorOf = async (call: Promise<unknown>): Promise<TRPCClientError<AnyRouter>> => {
  const error = await call.then(
    () => undefined,
    (cause: unknown) => cause
  )
  if (error instanceof TRPCClientError) return error as TRPCClientError<AnyRouter>
  throw new Error("the call was expected to fail with a TRPCClientError", { cause: error })
}

const everything = { scope: everyScope, grant: { permissions: ["*"] } }
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-/

describe.each(Object.keys(links) as ReadonlyArray<LinkName>)("%s", (link) => {
  const session = () => clientOf(link, "/trpc", pod.owner)
  const bridge = async (order?: Readonly<Record<string, unknown>>) => {
    const key = await pod.aKey(pod.owner, order)
    return { key, client: clientOf(link, "/api/hub/trpc", key) }
  }

  it("a call gets 401 if it has no credential, has a key on /trpc, or has a session on /api/hub/trpc", async () => {
    const key = await pod.aKey(pod.owner)
    for (const client of [
      clientOf(link, "/trpc", pod.stranger),
      clientOf(link, "/api/hub/trpc", pod.stranger),
      clientOf(link, "/trpc", key),
      clientOf(link, "/api/hub/trpc", pod.owner)
    ]) {
      const { data } = await errorOf(client.query("svc.me"))
      assert.deepInclude(data, { code: "UNAUTHORIZED", httpStatus: 401, reason: "no_auth" })
    }
  })

  it("a key cannot make, list, rotate or revoke keys, and cannot make or list agents", async () => {
    const { client, key } = await bridge()
    const calls = [
      mutation(client, "apiKeys.create", { keyName: "x", ...everything }),
      mutation(client, "apiKeys.rotate", { keyId: key.id }),
      mutation(client, "apiKeys.revoke", { keyId: key.id }),
      query(client, "apiKeys.list"),
      query(client, "apiKeys.listSystemKeys"),
      mutation(client, "agents.create", { name: "x" }),
      query(client, "agents.list")
    ]
    for (const error of await Promise.all(calls.map(errorOf))) {
      assert.deepInclude(error.data, { code: "FORBIDDEN", reason: "SESSION_ONLY" })
    }
    assert.match((await query(client, "svc.me")).id, uuid)
  })

  it("a person can create keys with the current and the older field names, list them without secrets, rotate them and revoke them", async () => {
    const client = session()
    const made = await mutation(client, "apiKeys.create", { keyName: "now", expiresInDays: 30, ...everything })
    const older = await mutation(client, "apiKeys.create", {
      name: "older",
      scopes: ["hub-protocol.read"],
      expiresAt: null
    })
    assert.deepInclude(made, { keyName: "now", status: "created", keyPrefix: "svc_user_" })
    assert.deepInclude(older, { keyName: "older", expiresAt: null, scope: ["hub-protocol.read"] })
    const listed: ReadonlyArray<any> = await query(client, "apiKeys.list", { limit: 500 })
    for (const { id, key } of [made, older]) {
      assert.isTrue(listed.some((one) => one.id === id && one.isActive))
      assert.notInclude(JSON.stringify(listed), key)
    }
    const rotated = await mutation(client, "apiKeys.rotate", { keyId: made.id })
    assert.deepInclude(rotated, { status: "rotated", expiresAt: made.expiresAt })
    assert.notStrictEqual(rotated.key, made.key)
    assert.deepInclude(await mutation(client, "apiKeys.revoke", { keyId: rotated.id }), { status: "revoked" })
    for (const secret of [made.key, rotated.key]) {
      const dead = clientOf(link, "/api/hub/trpc", pod.as({ authorization: `Bearer ${secret}` }))
      assert.deepInclude((await errorOf(dead.query("svc.me"))).data, { code: "UNAUTHORIZED", reason: "key_revoked" })
    }
    const alive = clientOf(link, "/api/hub/trpc", pod.as({ authorization: `Bearer ${older.key}` }))
    assert.strictEqual((await query(alive, "svc.me")).id, pod.ownerId)
  })

  it("a call with an invalid input gets an error that mentions each wrong field, both in its text and in its data", async () => {
    const error = await errorOf(
      session().mutation("apiKeys.create", { keyName: "", scope: ["*"], grant: { permissions: [] } })
    )
    assert.deepInclude(error.data, { code: "BAD_REQUEST", httpStatus: 400, path: "apiKeys.create" })
    assert.deepStrictEqual(JSON.parse(error.message), error.data?.["details"])
    assert.isAbove(JSON.parse(error.message).length, 0)
  })

  it("a person can make an agent, and the agent is listed", async () => {
    const client = session()
    const agent = await mutation(client, "agents.create", { name: `agent of ${link}` })
    assert.isTrue((await query(client, "agents.list")).some(({ id }: { id: string }) => id === agent.id))
  })

  it("an event that is logged by a key or a session is listed and can be read by its id", async () => {
    for (const client of [session(), (await bridge()).client]) {
      const logged = await mutation(client, "events.log", { type: "test.happened", data: { by: link } })
      assert.deepInclude(logged, { type: "test.happened", data: { by: link }, userId: pod.ownerId })
      const [newest] = await query(client, "events.list", { type: "test.happened", limit: 1 })
      assert.strictEqual(newest.id, logged.id)
      assert.deepStrictEqual(await query(client, "events.get", { eventId: logged.id }), logged)
      const missing = await errorOf(client.query("events.get", { eventId: pod.ownerId }))
      assert.deepInclude(missing.data, { code: "NOT_FOUND", httpStatus: 404 })
    }
  })

  it("a session and a key can read the caller's workspaces, the caller's own record and the health of the pod", async () => {
    const id = await pod.aWorkspace(pod.owner, link)
    for (const client of [session(), (await bridge()).client]) {
      const [workspaces, me, alive, ready] = await Promise.all([
        query(client, "workspaces.list"),
        query(client, "svc.me"),
        query(client, "health.alive"),
        query(client, "health.ready")
      ])
      assert.isTrue(workspaces.some((one: { id: string }) => one.id === id))
      assert.strictEqual(me.id, pod.ownerId)
      assert.deepStrictEqual([alive.status, ready.status], ["alive", "ready"])
    }
  })

  it("each call of a batch succeeds or fails independently of the others", async () => {
    const { client } = await bridge({ grant: { permissions: ["entity.note.read"] } })
    const settled = await Promise.allSettled([
      client.query("svc.me"),
      client.query("workspaces.list"),
      client.query("entities.getEntities", { limit: 0 }),
      client.query("no.such"),
      client.query("entities.getEntities")
    ])
    const codes = settled.map((one) => (one.status === "fulfilled" ? "ok" : one.reason.data.code))
    assert.deepStrictEqual(codes, ["ok", "FORBIDDEN", "BAD_REQUEST", "NOT_FOUND", "ok"])
  })

  it("every call with a revoked key fails, even in a batch", async () => {
    const { client, key } = await bridge()
    assert.match((await query(client, "svc.me")).id, uuid)
    await pod.owner.mutate("apiKeys.revoke", { keyId: key.id })
    const calls = [client.query("svc.me"), client.query("health.alive"), client.query("entities.getEntities")]
    for (const error of await Promise.all(calls.map(errorOf))) {
      assert.deepInclude(error.data, { code: "UNAUTHORIZED", httpStatus: 401, reason: "key_revoked" })
    }
  })

  it("a repeated mutation with the same idempotency key gets the first answer again, but the pod shows the secret of a new API key only once", async () => {
    const again = { "idempotency-key": `again-${link}` }
    const key = await pod.aKey(pod.owner)
    const logged = []
    for (let times = 0; times < 2; times++) {
      logged.push(await mutation(clientOf(link, "/api/hub/trpc", key, again), "events.log", { type: `again.${link}` }))
    }
    assert.deepStrictEqual(logged[0], logged[1])
    const create = () =>
      mutation(clientOf(link, "/trpc", pod.owner, again), "apiKeys.create", { keyName: "once", ...everything })
    await create()
    assert.deepInclude((await errorOf(create())).data, { code: "CONFLICT", reason: "IDEMPOTENT_ANSWER_NOT_KEPT" })
  })
})

it("if some calls of a batch are refused, the answer has the status 207 and contains the result of each call in the order of the calls", async () => {
  const key = await pod.aKey(pod.owner, { grant: { permissions: ["entity.note.read"] } })
  const { body, status } = await key.send("GET", "/api/hub/trpc/svc.me,workspaces.list,apiKeys.list?batch=1")
  assert.strictEqual(status, 207)
  assert.strictEqual(body[0].result.data.id, pod.ownerId)
  assert.deepInclude(body[1].error.data, {
    code: "FORBIDDEN",
    path: "workspaces.list",
    reason: "GRANT_DOOR_UNSUPPORTED"
  })
  assert.deepInclude(body[2].error.data, { code: "FORBIDDEN", path: "apiKeys.list", reason: "SESSION_ONLY" })
})

it("a batch whose path has ten thousand commas is refused with 400 and one small answer, for a key and for a session", async () => {
  const key = await pod.aKey(pod.owner)
  for (const [caller, at] of [
    [key, "/api/hub/trpc/"],
    [pod.owner, "/trpc/"]
  ] as const) {
    const { body, status } = await caller.send("GET", `${at}${",".repeat(10_000)}?batch=1`)
    assert.strictEqual(status, 400)
    assert.isBelow(JSON.stringify(body).length, 300)
  }
})

it("the debug log of calls by the official tRPC client contains no credential", () => {
  assert.isAbove(log.lines.length, 100)
  assertNoSecrets(log, secrets)
})
