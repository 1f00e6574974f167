/**
 * Event streams of two pods that share one PostgreSQL. A reader of one pod gets each event of the other pod exactly
 * once.
 */
import { assert, it } from "@effect/vitest"
import { aReader } from "../../support/eventReader.ts"
import type { Caller, TestPod } from "../../support/pod.ts"
import { describeTwoPods } from "../../support/twoPods.ts"

const path = "/api/hub/events/stream"
const patience = 240_000

describeTwoPods("watching events on two pods", (pods) => {
  const logged = async (pod: TestPod, { headers }: Caller, workspaceId?: string) => {
    const { body } = await pod
      .as(headers)
      .mutate("events.log", { type: "pump.started", ...(workspaceId === undefined ? {} : { workspaceId }) })
    return body.result.data.id as string
  }

  it(
    "a reader of the event stream that moves from one pod to another gets each event once, even while both pods write",
    async () => {
      const person = await pods.first.aPerson()
      const spaces = [undefined, await pods.first.aWorkspace(person, "One"), await pods.first.aWorkspace(person, "Two")]
      let reader = await aReader(pods.second.baseUrl + path, person.headers)
      await reader.heartbeats(1)
      const made: Array<string> = []
      const write = async (pod: TestPod) => {
        for (let round = 0; round < 30; round++) made.push(await logged(pod, person, spaces[round % 3]))
      }
      const writing = Promise.all([write(pods.first), write(pods.second)])
      const got: Array<string> = []
      for (let at = 0; got.length < 60; at++) {
        got.push(...(await reader.events(1)).map(({ data }) => data.id as string))
        reader.close()
        got.push(...reader.taken().map(({ data }) => data.id as string))
        const pod = at % 2 === 0 ? pods.first : pods.second
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
      const person = await pods.first.aPerson()
      const key = await pods.first.aKey(person)
      const readers = await Promise.all(
        [key, person].map(({ headers }) => aReader(pods.second.baseUrl + path, headers))
      )
      for (const reader of readers) await reader.heartbeats(1)
      assert.strictEqual((await person.mutate("apiKeys.revoke", { keyId: key.id })).status, 200)
      await readers[0].closed
      assert.strictEqual((await person.send("POST", "/auth/sign-out", {})).status, 200)
      await readers[1].closed
      for (const { headers } of [key, person]) {
        assert.strictEqual((await aReader(pods.second.baseUrl + path, headers)).status, 401)
      }
    },
    patience
  )
})
