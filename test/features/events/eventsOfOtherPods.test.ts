/**
 * Event streams of two pods that share one PostgreSQL. A reader of one pod gets each event of the other pod exactly
 * once.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { aReader } from "../../support/eventReader.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../../support/postgres.ts"

const path = "/api/hub/events/stream"
const patience = 240_000

describePostgres("watching events on two pods", (server) => {
  let database: TestDatabase
  let first: TestPod
  let second: TestPod
  beforeAll(async () => {
    database = await aDatabaseOn(server)
    first = await aPod({ kind: "postgres", url: database.url })
    second = await aPod({ kind: "postgres", url: database.url })
  }, patience)
  afterAll(async () => {
    await second?.stop()
    await first?.stop()
    await database?.drop()
  })

  const logged = async (pod: TestPod, { headers }: Caller, workspaceId?: string) => {
    const { body } = await pod
      .as(headers)
      .mutate("events.log", { type: "pump.started", ...(workspaceId === undefined ? {} : { workspaceId }) })
    return body.result.data.id as string
  }

  it(
    "a reader of the event stream that moves from one pod to another gets each event once, even while both pods write",
    async () => {
      const person = await first.aPerson()
      const spaces = [undefined, await first.aWorkspace(person, "One"), await first.aWorkspace(person, "Two")]
      let reader = await aReader(second.baseUrl + path, person.headers)
      await reader.heartbeats(1)
      const made: Array<string> = []
      const write = async (pod: TestPod) => {
        for (let round = 0; round < 30; round++) made.push(await logged(pod, person, spaces[round % 3]))
      }
      const writing = Promise.all([write(first), write(second)])
      const got: Array<string> = []
      for (let at = 0; got.length < 60; at++) {
        got.push(...(await reader.events(1)).map(({ data }) => data.id as string))
        reader.close()
        got.push(...reader.taken().map(({ data }) => data.id as string))
        const pod = at % 2 === 0 ? first : second
        reader = await aReader(pod.baseUrl + path, { ...person.headers, "last-event-id": reader.lastId() })
      }
      reader.close()
      await writing
      assert.strictEqual(new Set(got).size, got.length)
      assert.sameMembers(got, made)
    },
    patience
  )

  it(
    "attack: if two pods share a database and one pod revokes a key or ends a session, this key or session can no longer read the event stream of the other pod",
    async () => {
      const person = await first.aPerson()
      const key = await first.aKey(person)
      const readers = await Promise.all([key, person].map(({ headers }) => aReader(second.baseUrl + path, headers)))
      for (const reader of readers) await reader.heartbeats(1)
      assert.strictEqual((await person.mutate("apiKeys.revoke", { keyId: key.id })).status, 200)
      await readers[0].closed
      assert.strictEqual((await person.send("POST", "/auth/sign-out", {})).status, 200)
      await readers[1].closed
      for (const { headers } of [key, person]) {
        assert.strictEqual((await aReader(second.baseUrl + path, headers)).status, 401)
      }
    },
    patience
  )
})
