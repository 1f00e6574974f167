/**
 * Two pods that share one PostgreSQL also share the work after each event: each delivery, run and notification happens
 * once.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { aMoment } from "../../support/aMoment.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../../support/postgres.ts"
import { aReceiver, quickWebhooks } from "../../support/receiver.ts"
import { assertOk, procedureData } from "../../attacks/attackScene.ts"

const patience = 240_000
const rounds = 20 // The number of writes through each pod.

describePostgres("the work of two pods", (server) => {
  let database: TestDatabase
  const pods: Array<TestPod> = []
  beforeAll(async () => {
    database = await aDatabaseOn(server)
    const open = () => aPod({ kind: "postgres", url: database.url }, {}, { webhooks: quickWebhooks() })
    pods.push(await open(), await open())
  }, patience)
  afterAll(async () => {
    for (const pod of pods) await pod.stop()
    await database?.drop()
  })

  /** Does `work` through both pods at the same time, `rounds` times through each pod. Returns all results. */
  const byBoth = async <A>(person: Caller, work: (caller: Caller, at: number) => Promise<A>) => {
    const through = async (pod: TestPod) => {
      const done: Array<A> = []
      for (let at = 0; at < rounds; at++) done.push(await work(pod.as(person.headers), at))
      return done
    }
    return (await Promise.all(pods.map(through))).flat()
  }
  const logging =
    (type: string, subjects: ReadonlyArray<string> = []) =>
    async (caller: Caller, at: number) => {
      const subject = subjects.length === 0 ? {} : { subjectId: subjects[at % subjects.length] }
      return procedureData(await caller.mutate("events.log", { type, ...subject })).id as string
    }

  it(
    "if two pods share a database, each webhook gets each event once, and gets the events about one record in order",
    async () => {
      const person = await pods[0].aPerson()
      const receivers = await Promise.all([aReceiver(), aReceiver()])
      for (const { url } of receivers) {
        const draft = { name: "Shared", url, eventTypes: ["shared.sent"] }
        procedureData(await person.mutate("webhooks.create", draft))
      }
      const subjects = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
      const written = await byBoth(person, logging("shared.sent", subjects))
      for (const { calls, stop, until } of receivers) {
        await until(() => new Set(calls.map(({ body }) => body.id)).size === written.length)
        assert.sameMembers(
          calls.map(({ body }) => body.id),
          written
        )
        for (const subjectId of subjects) {
          const seqs = calls.flatMap(({ body }) => (body.subjectId === subjectId ? [body.seq as number] : []))
          assert.deepStrictEqual(
            seqs,
            seqs.toSorted((one, other) => one - other)
          )
        }
        await stop()
      }
    },
    patience
  )

  it(
    "if two pods share a database, an automation rule runs once for each event, and each run does its step once",
    async () => {
      const person = await pods[0].aPerson()
      const sentence = { when: "shared.ran", then: "create a task called Shared" }
      const draft = { intent: "A test", scope: { kind: "pod" }, sentence }
      const { ruleId } = assertOk(await person.send("POST", "/api/hub/rules", draft))
      const written = await byBoth(person, logging("shared.ran"))
      const runs = async (): Promise<ReadonlyArray<any>> =>
        procedureData(await person.query("automations.listRuns", { ruleId, limit: 200 }))
      let found = await runs()
      while (found.filter(({ finishedAt }) => finishedAt !== null).length < written.length) {
        await aMoment()
        found = await runs()
      }
      assert.sameMembers(
        found.map(({ eventId }) => eventId),
        written
      )
      const tasks = assertOk(await person.send("GET", "/api/hub/entities?profileSlug=task&limit=1000"))
      assert.lengthOf(tasks, written.length)
    },
    patience
  )

  it(
    "if two pods share a database, each mention of a person sends one notification",
    async () => {
      const person = await pods[0].aPerson("named-by-both@example.com")
      const threadIds = await byBoth(person, async (caller) => {
        const { id } = assertOk(await caller.send("POST", "/api/hub/threads", { title: "Talk" }))
        return id as string
      })
      // An agent writes the message, because people get no notification of their own messages.
      const draft = { name: "Speaker", capabilities: ["*"] }
      const agentId = procedureData(await person.mutate("agents.create", draft)).id as string
      const agent = await pods[0].aKey(person, { agentId })
      await Promise.all(
        threadIds.map(async (threadId, at) => {
          const caller = pods[at % 2].as(agent.headers)
          const message = { role: "user", content: "For @named-by-both" }
          assertOk(await caller.send("POST", `/api/hub/threads/${threadId}/messages`, message))
        })
      )
      const mentions = async (): Promise<ReadonlyArray<any>> =>
        procedureData(await person.query("notifCenter.list", { kind: "mention", limit: 100 }))
      let found = await mentions()
      while (found.length < threadIds.length) {
        await aMoment()
        found = await mentions()
      }
      assert.sameMembers(
        found.map(({ subjectId }) => subjectId),
        threadIds
      )
      assert.isTrue(found.every(({ count }) => count === 1))
    },
    patience
  )
})
