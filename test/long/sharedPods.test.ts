/**
 * Two pods share one PostgreSQL. One pod is killed while it works on events, and the other pod finishes all of this
 * work.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { aFolder, type BuiltPod, startPod } from "../support/builtPod.ts"
import { ask, type RequestHeaders, signInOwner } from "../support/client.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../support/postgres.ts"
import { aReceiver } from "../support/receiver.ts"

// The time limit of a test in ms. The other pod continues a job of the killed pod only after two minutes, and other
// work only when the lease of this work ends.
const patience = 600_000
const events = 60
const callsBeforeTheKill = 10
const type = "shared.happened"

describePostgres("two pods of which one is killed", (server) => {
  let database: TestDatabase
  const folders = [aFolder(), aFolder()]
  const pods: Array<BuiltPod> = []
  beforeAll(async () => {
    database = await aDatabaseOn(server)
    const environment = { POD_DATABASE_URL: database.url, POD_WEBHOOK_ALLOW: "127.0.0.1" }
    for (const folder of folders) pods.push(await startPod({ dataDir: folder.path, environment }))
  }, patience)
  afterAll(async () => {
    for (const pod of pods) await pod.kill()
    for (const folder of folders) folder.remove()
    await database?.drop()
  })

  const okay = async (asked: ReturnType<typeof ask>) => {
    const { body, status } = await asked
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body
  }
  const mutate = async (pod: BuiltPod, session: RequestHeaders, path: string, input: object) =>
    (await okay(ask(pod.baseUrl, "POST", `/trpc/${path}`, session, input))).result.data
  const query = async (pod: BuiltPod, session: RequestHeaders, path: string, input: object) => {
    const text = encodeURIComponent(JSON.stringify(input))
    return (await okay(ask(pod.baseUrl, "GET", `/trpc/${path}?input=${text}`, session))).result.data
  }
  /** Asks again and again until the answer has everything that the test expects. */
  const until = async <A>(look: () => Promise<A>, isEnough: (found: A) => boolean): Promise<A> => {
    for (;;) {
      const found = await look()
      if (isEnough(found)) return found
    }
  }

  it(
    "after one of two pods is killed, every event is delivered, starts its automation rule once with all steps, and sends one notification",
    async () => {
      const [killed, left] = pods
      const session = await signInOwner(left.baseUrl)
      const receiver = await aReceiver()
      await mutate(left, session, "webhooks.create", { name: "Shared", url: receiver.url, eventTypes: [type] })
      const sentence = { when: type, then: "create a task called Shared, then notify me" }
      const rule = { intent: "A test", scope: { kind: "pod" }, sentence }
      const { ruleId } = await okay(ask(left.baseUrl, "POST", "/api/hub/rules", session, rule))
      const logging = Array.from({ length: events }, (_, at) =>
        ask(pods[at % 2].baseUrl, "POST", "/trpc/events.log", session, { type }).catch(() => null)
      )
      await receiver.until((_call, calls) => calls.length >= callsBeforeTheKill)
      await killed.kill()
      const answers = await Promise.all(logging)
      const acknowledged = answers.flatMap((answer) => (answer?.status === 200 ? [answer.body.result.data.id] : []))
      const committed: ReadonlyArray<string> = (await query(left, session, "events.list", { type, limit: 100 })).map(
        ({ id }: { readonly id: string }) => id
      )
      assert.includeMembers([...committed], acknowledged)
      await receiver.until((_call, calls) => new Set(calls.map(({ body }) => body.id)).size >= committed.length)
      assert.sameMembers([...new Set(receiver.calls.map(({ body }) => body.id as string))], [...committed])
      const ids = new Set(receiver.calls.map(({ headers }) => headers["webhook-id"]))
      assert.strictEqual(ids.size, committed.length, "an event has more than one webhook-id")
      const runs = await until(
        () => query(left, session, "automations.listRuns", { ruleId, limit: 200 }) as Promise<ReadonlyArray<any>>,
        (all) => all.filter(({ finishedAt }) => finishedAt !== null).length >= committed.length
      )
      assert.sameMembers(
        runs.map(({ eventId }) => eventId),
        [...committed]
      )
      assert.isTrue(runs.every(({ output, status }) => status === "succeeded" && output.steps.length === 2))
      const tasks = await okay(ask(left.baseUrl, "GET", "/api/hub/entities?profileSlug=task&limit=1000", session))
      assert.lengthOf(tasks, committed.length)
      const count = (all: ReadonlyArray<{ readonly count: number }>) => all.reduce((sum, each) => sum + each.count, 0)
      const notices = await until(
        () => query(left, session, "notifCenter.list", { kind: "automation_notice" }),
        (all) => count(all) >= committed.length
      )
      assert.strictEqual(count(notices), committed.length)
      await receiver.stop()
    },
    patience
  )
})
