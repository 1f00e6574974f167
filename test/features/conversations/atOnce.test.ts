/** Conversations on PostgreSQL when many writers act at the same time. */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { aPod, type Answer, type TestPod } from "../../support/pod.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../../support/postgres.ts"

const writers = 24

describePostgres("conversations with many concurrent writers on PostgreSQL", (server) => {
  let pod: TestPod
  let database: TestDatabase
  beforeAll(async () => {
    database = await aDatabaseOn(server)
    pod = await aPod({ kind: "postgres", url: database.url })
  })
  afterAll(async () => {
    await pod?.stop()
    await database?.drop()
  })

  const atOnce = async (send: (at: number) => Promise<Answer>) => {
    const answers = await Promise.all(Array.from({ length: writers }, (_, at) => send(at)))
    for (const { body, status } of answers) assert.strictEqual(status, 200, JSON.stringify(body))
    return answers.map(({ body }) => body)
  }
  /** Every second request carries an idempotency key, so it runs inside the transaction of that key. */
  const repeatable = (at: number): Readonly<Record<string, string>> =>
    at % 2 === 0 ? {} : { "idempotency-key": `asked-by-${at}-of-many` }

  it("concurrent requests with one external key create one thread, and all answers except one say that the thread already existed", async () => {
    for (let round = 0; round < 5; round++) {
      const draft = { externalSource: "chat", externalId: `round ${round}` }
      const begun = await atOnce((at) => pod.owner.send("POST", "/api/hub/threads", draft, repeatable(at)))
      assert.lengthOf(new Set(begun.map(({ id }) => id)), 1)
      assert.lengthOf(
        begun.filter(({ reused }) => reused !== true),
        1
      )
    }
  })

  it("concurrent requests for a focus session with the same value in the field `correlationId` create one focus session", async () => {
    for (let round = 0; round < 5; round++) {
      const draft = { goal: "Once", correlationId: `round ${round}` }
      const begun = await atOnce((at) => pod.owner.send("POST", "/api/hub/focus-sessions", draft, repeatable(at)))
      assert.lengthOf(new Set(begun.map(({ id }) => id)), 1)
    }
  })

  it("if a new thread has the external key of a thread that the caller may not read, the pod answers with a conflict without the id of this thread", async () => {
    const draft = { externalSource: "chat", externalId: "unread" }
    const writing = await pod.aKey(pod.owner, { grant: { permissions: ["channel.create"] } })
    const first = await pod.owner.send("POST", "/api/hub/threads", draft)
    for (const headers of [{}, { "idempotency-key": "a-key-that-only-writes" }]) {
      const { body, status } = await writing.send("POST", "/api/hub/threads", draft, headers)
      assert.deepInclude({ status, code: body.code }, { status: 409, code: "THREAD_EXISTS" })
      assert.notInclude(JSON.stringify(body), first.body.id)
    }
  })

  it("if callers post messages to a thread and change the thread at the same time, the listing shows every message once, newest first", async () => {
    const { id } = (await pod.owner.send("POST", "/api/hub/threads", { title: "Busy" })).body
    const path = `/api/hub/threads/${id}`
    const answers = await atOnce((at) =>
      at % 4 === 0
        ? pod.owner.send("PATCH", path, { title: `Busy ${at}` })
        : at % 4 === 1
          ? pod.owner.send("POST", `${path}/messages.batch`, {
              messages: [1, 2, 3].map((part) => ({ role: "user", content: `${at}.${part}` }))
            })
          : pod.owner.send("POST", `${path}/messages`, { role: "user", content: `${at}` })
    )
    const acknowledged = answers.flatMap(({ messageId, messageIds = [messageId] }) => messageIds).filter(Boolean)
    const posted = (await pod.owner.send("GET", `${path}/messages?limit=200`)).body
    assert.deepStrictEqual(
      posted.map((message: { id: string }) => message.id),
      acknowledged.toSorted((one: string, other: string) => (one < other ? 1 : -1))
    )
    assert.match((await pod.owner.send("GET", path)).body.title, /^Busy \d+$/)
  })
})
