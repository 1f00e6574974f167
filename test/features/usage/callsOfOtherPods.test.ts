/**
 * Streams of calls of two pods that share one PostgreSQL. A person who watches a key on one pod gets the calls that the
 * other pod has answered.
 */
import { assert, it } from "@effect/vitest"
import { aReader, type EventReader } from "../../support/eventReader.ts"
import type { Caller } from "../../support/pod.ts"
import { describeTwoPods } from "../../support/twoPods.ts"
import { connected } from "../../support/postgresServer.ts"

const patience = 240_000

describeTwoPods("watching the calls with a key on two pods", (pods) => {
  const watch = async ({ headers }: Caller, keyId: string, lastEventId: string | null = null): Promise<EventReader> => {
    const input = encodeURIComponent(JSON.stringify({ keyId, lastEventId }))
    const reader = await aReader(`${pods.second.baseUrl}/trpc/apiKeys.watchCalls?input=${input}`, {
      ...headers,
      accept: "text/event-stream"
    })
    await reader.events(1)
    return reader
  }

  it(
    "attack: if two pods share a database and one pod ends a session or suspends a person, the other pod ends the stream of calls that this session or person watches",
    async () => {
      const person = await pods.first.aPerson()
      const other = await pods.first.aPerson()
      const readers: Array<EventReader> = []
      for (const each of [person, other]) readers.push(await watch(each, (await pods.first.aKey(each)).id))
      assert.strictEqual((await person.send("POST", "/auth/sign-out", {})).status, 200)
      await pods.first.owner.send("PATCH", `/api/hub/people/${other.id}`, { isSuspended: true })
      for (const reader of readers) {
        await reader.closed
        assert.deepStrictEqual(
          reader.taken().map(({ data, event }) => [event, data.data.httpStatus]),
          [["serialized-error", 401]]
        )
      }
    },
    patience
  )

  it(
    "attack: when a session expires, the pod ends the stream of calls that the session watches, even if the watched key makes no further call",
    async () => {
      const person = await pods.first.aPerson()
      const reader = await watch(person, (await pods.first.aKey(person)).id)
      await connected(pods.url, (client) =>
        client.query("UPDATE auth_sessions SET expires_at = now() WHERE user_id = $1", [person.id])
      )
      await reader.closed
      assert.deepStrictEqual(
        reader.taken().map(({ data }) => data.data.httpStatus),
        [401]
      )
    },
    patience
  )

  it(
    "if two pods share a database, a person who watches a key on one pod gets each call of the key on both pods exactly once",
    async () => {
      const person = await pods.first.aPerson()
      const key = await pods.first.aKey(person)
      const reader = await watch(person, key.id)
      const got: Array<string> = []
      for (let round = 0; round < 3; round++) {
        for (const pod of [pods.first, pods.second]) await pod.as(key.headers).send("GET", "/api/hub/users/me")
        got.push(...(await reader.events(2)).map(({ data }) => data.id as string))
      }
      reader.close()
      const again = await watch(person, key.id, "0")
      const all = (await again.events(6)).map(({ data }) => data.id as string)
      again.close()
      assert.strictEqual(new Set(got).size, got.length)
      assert.sameMembers(got, all)
    },
    patience
  )
})
