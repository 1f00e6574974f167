/** Attacks: a caller asks for more records than fit into memory, or asks for large answers and does not read them. */
import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { get, type IncomingMessage } from "node:http"
import { afterAll, beforeAll } from "vitest"
import { BodyMemory } from "../../src/surfaces/BodyMemory.ts"
import { aMoment } from "../support/aMoment.ts"
import { type Caller, aPod, type TestPod } from "../support/pod.ts"
import { onOneDatabase } from "../support/storages.ts"

const million = "lorem ipsum ".repeat(80_000) // 960,000 characters, a little less than a field can have

const addNotes = async (caller: Caller, count: number) => {
  for (let at = 0; at < count; at++) {
    const note = { title: `note ${at}`, profileSlug: "note", properties: { content: million } }
    const { status } = await caller.send("POST", "/api/hub/entities", note)
    assert.strictEqual(status, 200)
  }
}

const listTool = (limit: number) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "svc_get_entities", arguments: { limit } }
})
const mcp = { accept: "application/json, text/event-stream" }

onOneDatabase((storage) => {
  describe("attack: a caller lists records that are larger together than one answer can be", () => {
    let pod: TestPod
    let key: Caller
    beforeAll(async () => {
      pod = await aPod(storage())
      key = await pod.aKey(pod.owner)
      await addNotes(key, 40)
    })
    afterAll(() => pod.stop())

    it("the answer is 400 and says to ask for fewer records, and a smaller limit gets the records", async () => {
      const refused = await key.send("GET", "/api/hub/entities?limit=200")
      assert.strictEqual(refused.status, 400)
      assert.include(refused.body.error, "smaller `limit`")
      const { body, status } = await key.send("POST", "/mcp", listTool(200), mcp)
      assert.strictEqual(status, 200)
      assert.include(typeof body === "string" ? body : JSON.stringify(body), "smaller `limit`")
      const answered = await key.send("GET", "/api/hub/entities?limit=20")
      assert.strictEqual(answered.status, 200)
      assert.lengthOf(answered.body, 20)
    })

    it("the calendar feed and the context of the person still answer, although they read all these records", async () => {
      const { body: feed } = await pod.owner.send("POST", "/api/hub/calendar/feed", {})
      const calendar = await fetch(new URL(feed.url, pod.baseUrl))
      assert.strictEqual(calendar.status, 200)
      const context = await pod.owner.send("GET", `/api/hub/users/${pod.ownerId}/context`)
      assert.strictEqual(context.status, 200)
      assert.isNotEmpty(context.body.recentActivity)
    })

    it("a search still finds these records", async () => {
      const { body, status } = await key.send("POST", "/api/hub/knowledge/search", { query: "lorem", limit: 5 })
      assert.strictEqual(status, 200)
      assert.isNotEmpty(body.answers[0].items)
    })
  })
})

describe("attack: a caller asks for large answers and does not read them", () => {
  let pod: TestPod
  let key: Caller
  const unread: Array<IncomingMessage> = []
  beforeAll(async () => {
    pod = await aPod({ kind: "memory" })
    key = await pod.aKey(pod.owner)
    await addNotes(key, 34)
    const url = `${pod.baseUrl}/api/hub/entities?limit=34`
    const [answer] = (await once(get(url, { headers: key.headers, agent: false }), "response")) as [IncomingMessage]
    unread.push(answer)
  })
  afterAll(async () => {
    for (const answer of unread) answer.destroy()
    await pod.stop()
  })

  const further: Readonly<Record<string, () => Promise<string>>> = {
    REST: async () => {
      const { body, headers, status } = await key.send("GET", "/api/hub/entities?limit=34")
      assert.strictEqual(status, 503)
      assert.isNotNull(headers.get("retry-after"))
      return JSON.stringify(body)
    },
    tRPC: async () => {
      const input = encodeURIComponent(JSON.stringify({ limit: 34 }))
      const { body, status } = await key.send("GET", `/api/hub/trpc/entities.getEntities?input=${input}`)
      assert.strictEqual(status, 503)
      return JSON.stringify(body)
    },
    MCP: async () => {
      const { body } = await key.send("POST", "/mcp", listTool(34), mcp)
      const text = typeof body === "string" ? body : JSON.stringify(body)
      assert.include(text, `"isError":true`)
      return text
    }
  }
  for (const [surface, ask] of Object.entries(further)) {
    it(`the pod refuses a further large answer of the same person over ${surface}, until the client has read the first`, async () => {
      assert.include(await ask(), "large answers")
    })
  }

  it("the pod still sends small answers to this person", async () => {
    const { status } = await key.send("GET", "/api/hub/users/me")
    assert.strictEqual(status, 200)
  })

  it("when the client has left, the pod sends large answers again", async () => {
    for (const answer of unread) {
      answer.destroy()
      await once(answer, "close")
    }
    // The pod learns a moment later that the client has left. If it never learns it, the test fails at its time limit.
    while ((await key.send("GET", "/api/hub/entities?limit=34")).status !== 200) await aMoment()
  })
})

describe("the memory of answers", () => {
  const requests = () =>
    Array.from({ length: 10 }, () => ({})) as unknown as ReadonlyArray<Parameters<BodyMemory["release"]>[0]>
  const large = 30_000_000

  it("a person who does not read large answers leaves memory for the answers of others", () => {
    const memory = new BodyMemory()
    const [one, two, three, four] = requests()
    assert.isTrue(memory.admitAnswer(one, "first", large))
    assert.isFalse(memory.admitAnswer(two, "first", large))
    assert.isTrue(memory.admitAnswer(three, "second", large))
    memory.release(one)
    assert.isTrue(memory.admitAnswer(four, "first", large))
  })

  it("all answers of a batch count together, and end together", () => {
    const memory = new BodyMemory()
    const [one, two] = requests()
    assert.isTrue(memory.admitAnswer(one, "first", large / 2))
    assert.isTrue(memory.admitAnswer(one, "first", large / 2))
    assert.isFalse(memory.admitAnswer(one, "first", large / 2))
    memory.release(one)
    assert.isTrue(memory.admitAnswer(two, "first", large))
  })

  it("the large answers of many persons leave room for small answers", () => {
    const memory = new BodyMemory()
    const all = requests()
    const admitted = all.slice(0, 8).filter((request, at) => memory.admitAnswer(request, `person ${at}`, large))
    assert.isBelow(admitted.length, 8)
    assert.isTrue(memory.admitAnswer(all[8], "another", 10_000))
  })
})
