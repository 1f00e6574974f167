/**
 * The POST endpoints that classify and parse rule texts. These endpoints store nothing, so the pod treats their calls
 * as reads.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { eventTable } from "../../../src/features/events/EventTable.ts"
import { MemoryDatabase } from "../../../src/platform/MemoryDatabase.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"

describe("classifying and parsing rule texts by POST", () => {
  let pod: TestPod
  let reader: Caller
  beforeAll(async () => {
    pod = await aPod({ kind: "memory" })
    reader = await pod.aKey(pod.owner, { scope: ["hub-protocol.read"], grant: { permissions: ["track.read"] } })
  })
  afterAll(() => pod.stop())

  const classify = (body: unknown, caller: Caller = reader, headers = {}) =>
    caller.send("POST", "/api/hub/rules/classify", body, headers)
  const parse = (body: unknown, caller: Caller = reader) => caller.send("POST", "/api/hub/rules/parse", body)
  const events = () =>
    pod.run(
      Effect.map(
        Effect.flatMap(MemoryDatabase, ({ rows }) => rows),
        ({ all }) => all(eventTable).length
      )
    )

  it("a request to classify a text as a rule needs a credential with the read scope, and gets 405 unless its method is POST", async () => {
    assert.strictEqual((await classify({ text: "x" }, pod.stranger)).status, 401)
    const writer = await pod.aKey(pod.owner, { scope: ["hub-protocol.write"] })
    assert.strictEqual((await classify({ text: "x" }, writer)).status, 403)
    assert.strictEqual((await reader.send("GET", "/api/hub/rules/classify")).status, 405)
  })

  it("a request to classify or parse a rule text that is missing, empty, too long or not a string is refused", async () => {
    for (const body of [{}, { text: "" }, { text: 5 }, { text: "x".repeat(10_001) }]) {
      assert.strictEqual((await classify(body)).status, 400)
    }
    for (const body of [{}, { text: "" }, { text: "x".repeat(2001) }])
      assert.strictEqual((await parse(body)).status, 400)
    assert.strictEqual((await parse({ text: "x".repeat(2000) })).status, 200)
  })

  it("a request to parse a rule text for a workspace of which the caller is not a member is refused", async () => {
    const other = await pod.aPerson()
    const workspaceId = await pod.aWorkspace(other)
    assert.strictEqual((await parse({ text: "x", workspaceId })).status, 403)
  })

  it("a key can classify and parse rule texts whatever its grant is, and an agent can do so without capabilities", async () => {
    const text = "Whenever a task is created, notify me"
    const { body, status } = await classify({ text, context: { capabilities: ["mail"], profiles: ["task"] } })
    assert.strictEqual(status, 200)
    assert.deepStrictEqual([body.primary, body.oneShot], ["behaviour", false])
    const { body: made } = await pod.owner.mutate("agents.create", { name: "Reader" })
    const agent = await pod.aKey(pod.owner, { agentId: made.result.data.id })
    const parsed = await parse({ text }, agent)
    assert.strictEqual(parsed.status, 200)
    assert.deepStrictEqual(parsed.body.sentence, { when: "entity.task.create", where: null, then: "notify me" })
    assert.strictEqual(parsed.body.refused, null)
  })

  it("a request to classify a rule text stores nothing, and its idempotency key has no effect", async () => {
    const before = await events()
    const key = { "idempotency-key": "the-same-every-time" }
    for (let times = 0; times < 2; times++) {
      const { headers, status } = await classify({ text: "Every monday, notify me" }, reader, key)
      assert.deepStrictEqual([status, headers.get("x-idempotent-replay")], [200, null])
    }
    assert.strictEqual(await events(), before)
  })
})
