/**
 * A caller that the pod remembers takes a faster path than a caller that the pod must look up in the database first.
 * The answers and the logged events are the same on both paths.
 */
import { assert, describe, it } from "@effect/vitest"
import { aPod, type Caller } from "../support/pod.ts"
import { onOneDatabase } from "../support/storages.ts"
import { afterAll, beforeAll } from "vitest"
import type { TestPod } from "../support/pod.ts"

const missing = "0190a0a0-0000-7000-8000-00000000beef"
const id = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g
// Each of these texts can differ from call to call. The pod stores the last use of a key a moment after the call, so
// `lastUsedAt` in the first answer can be a time or null.
const ownTexts =
  /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z|"lastUsedAt":(?:null|"[^"]*")|"(?:cursor|next)":"[^"]*"|\b[0-9a-f]{8}\b|\d+/g

/** Returns the text of an answer without the ids, times, cursors and numbers that differ from call to call. */
const withoutOwn = (value: unknown): string =>
  JSON.stringify(value).replaceAll(missing, "missing").replaceAll(id, "id").replaceAll(ownTexts, "own")

type Call = (key: Caller) => Promise<{ readonly status: number; readonly body: any }>

const all = { permissions: ["*"] }
const reads = { permissions: ["entity.note.read"] }
const calls: ReadonlyArray<readonly [what: string, grant: object, status: number, call: Call]> = [
  [
    "a write outside the grant of the key",
    reads,
    403,
    (key) => key.send("POST", "/api/hub/entities", { title: "a", profileSlug: "note" })
  ],
  ["a record that does not exist", all, 404, (key) => key.send("GET", `/api/hub/entities/${missing}`)],
  [
    "a change of a record that does not exist",
    all,
    404,
    (key) => key.send("PATCH", `/api/hub/entities/${missing}`, { title: "a" })
  ],
  ["a list with a limit that is not a number", all, 400, (key) => key.send("GET", "/api/hub/entities?limit=many")],
  ["a new record with a wrong type of title", all, 400, (key) => key.send("POST", "/api/hub/entities", { title: 1 })],
  [
    "a new record in an unknown workspace",
    all,
    403,
    (key) => key.send("POST", "/api/hub/entities", { title: "a", workspaceId: missing })
  ],
  ["a procedure with a wrong input", all, 400, (key) => key.query("events.list", { limit: "many" })],
  ["a list of projects", all, 200, (key) => key.send("GET", "/api/hub/projects")],
  ["the state of the key", all, 200, (key) => key.send("GET", "/api/hub/auth/status")],
  ["a new record", all, 200, (key) => key.send("POST", "/api/hub/entities", { title: "a", profileSlug: "note" })],
  ["a new event", all, 200, (key) => key.mutate("events.log", { type: "test.seen", data: { n: 1 } })]
]

onOneDatabase((storage) => {
  describe("a caller that is in the cache of the pod", () => {
    let pod: TestPod
    beforeAll(async () => {
      pod = await aPod(storage())
    })
    afterAll(() => pod?.stop())

    /** Returns the events among the last 50 that contain the id of the key, the newest first. */
    const eventsOf = async (keyId: string) => {
      const { body } = await pod.owner.query("events.list", { limit: 50 })
      const items = (body.result.data.items ?? body.result.data.events ?? body.result.data) as ReadonlyArray<object>
      return items.filter((event) => JSON.stringify(event).includes(keyId))
    }

    for (const [what, grant, status, call] of calls) {
      it(`a call for ${what} gets the same answer and causes the same events, whether or not the pod has the caller in its cache`, async () => {
        const key = await pod.aKey(pod.owner, { grant })
        const before = (await eventsOf(key.id)).length
        const lookedUp = await call(key)
        const eventsOfFirst = (await eventsOf(key.id)).slice(0, -before || undefined)
        const remembered = await call(key)
        const eventsOfBoth = (await eventsOf(key.id)).slice(0, -before || undefined)
        assert.strictEqual(lookedUp.status, status, JSON.stringify(lookedUp.body))
        assert.strictEqual(remembered.status, lookedUp.status, JSON.stringify(remembered.body))
        assert.strictEqual(withoutOwn(remembered.body), withoutOwn(lookedUp.body))
        const added = eventsOfBoth.slice(0, eventsOfBoth.length - eventsOfFirst.length)
        assert.strictEqual(withoutOwn(added), withoutOwn(eventsOfFirst))
      })
    }
  })
})
