/**
 * Search with an embedding model, over HTTP: what the search finds by vectors, and what it answers if the model returns
 * no vectors.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { aModelStub, type ModelReply, type ModelStub, replies } from "../../support/modelStub.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"
import { aMoment } from "../../support/aMoment.ts"

const topics = [
  ["crane", "hoist", "lifting"],
  ["tide", "flood", "water"],
  ["invoice", "bill", "payment"]
]

/** An embedding model with three topics. Words of the same topic have the same vector. */
const byTopic = (text: string): ReadonlyArray<number> => {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? []
  return [...topics.map((topic) => 0.01 + words.filter((word) => topic.includes(word)).length), 0.1]
}
const model = replies.vectors(byTopic)

const search = async (caller: Caller, query: string, more: object = {}) => {
  const { body, status } = await caller.send("POST", "/api/hub/knowledge/search", { query, ...more })
  assert.strictEqual(status, 200, JSON.stringify(body))
  const { items } = body.answers.find((each: any) => each.substrate === "semantic")
  return { degraded: body.degraded, items, titles: items.map(({ title }: { title: string }) => title) }
}

/** Repeats a request until the answer is as expected, or until the time limit of the test. */
const until = async <A>(ask: () => Promise<A>, isExpected: (answer: A) => boolean): Promise<A> => {
  for (;;) {
    const answer = await ask()
    if (isExpected(answer)) return answer
    await aMoment()
  }
}

for (const [where, storage] of storages) {
  describe(`search with an embedding model ${where}`, () => {
    let stub: ModelStub
    let pod: TestPod
    const make = async (caller: Caller, entity: object) => {
      const { body, status } = await caller.send("POST", "/api/hub/entities", { profileSlug: "note", ...entity })
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body
    }
    const health = async () => {
      const { body } = await pod.owner.send("GET", "/api/hub/health/dependencies")
      return body.dependencies.find(({ name }: { name: string }) => name === "embedding-service")
    }
    const serving = (reply: ModelReply) =>
      stub.reply((response, asked) =>
        asked.path.endsWith("/models") ? replies.json(200, { data: [] })(response, asked) : reply(response, asked)
      )

    beforeAll(async () => {
      stub = await aModelStub()
      serving(model)
      pod = await aPod(storage, {
        embeddingUrl: Option.some(stub.url),
        embeddingModel: Option.some("topics")
      })
    })
    afterAll(async () => {
      await pod.stop()
      await stub.stop()
    })

    it("a search by meaning finds an entity that has the topic but none of the words of the question, and the answer says why the search found the entity", async () => {
      await make(pod.owner, { title: "Hoist", description: "The hoist stands on the quay." })
      await make(pod.owner, { title: "Invoice 17", description: "For the bricks." })
      const { items } = await until(
        () => search(pod.owner, "crane"),
        ({ degraded, titles }) => degraded.length === 0 && titles.length > 0
      )
      assert.strictEqual(items[0].title, "Hoist")
      assert.strictEqual(items[0].why, "The item means something similar to the question.")
      assert.deepStrictEqual(items[0].marks, [])
    })

    it("if a question has a phrase in quotes or a word with a minus, the search compares no vectors and does not send the question to the embedding model", async () => {
      serving(model)
      assert.deepStrictEqual((await search(pod.owner, '"crane"')).titles, [])
      assert.deepStrictEqual((await search(pod.owner, "crane -quay")).titles, [])
      assert.strictEqual(stub.asked().length, 0)
    })

    it("if two searches have the same question, the pod sends the question to the embedding model only once", async () => {
      serving(model)
      await search(pod.owner, "which hoist is it")
      await search(pod.owner, "which hoist is it")
      assert.deepStrictEqual(
        stub.asked().map(({ body }) => body.input),
        [["which hoist is it"]]
      )
    })

    it("if a question goes to several groups of records, the pod sends the question to the embedding model only once", async () => {
      serving(model)
      const query = "how do I set up the hoist on the quay"
      const { body } = await pod.owner.send("POST", "/api/hub/knowledge/search", { query, compare: true })
      assert.includeMembers(body.routedTo, ["semantic", "procedural"])
      assert.deepStrictEqual(
        stub.asked().map(({ body: sent }) => sent.input),
        [[query]]
      )
    })

    it("after a text was changed, a search finds it by the meaning of the new text, and no longer by the meaning of the old text", async () => {
      const note = await make(pod.owner, { title: "Shed", description: "A bill is in it." })
      await until(
        () => search(pod.owner, "payment"),
        ({ titles }) => titles.includes("Shed")
      )
      await pod.owner.send("PATCH", `/api/hub/entities/${note.id}`, { description: "It stands in the flood." })
      const { titles } = await search(pod.owner, "payment")
      assert.notInclude(titles, "Shed")
      await until(
        () => search(pod.owner, "tide"),
        (found) => found.titles.includes("Shed")
      )
    })

    it("a search by meaning finds no records that the caller may not read, and its scores are the same as if these records did not exist", async () => {
      const reader = await pod.aPerson()
      await make(reader, { title: "Lifting gear", description: "It stands on the quay." })
      const before = await until(
        () => search(reader, "crane"),
        ({ degraded, titles }) => degraded.length === 0 && titles.length > 0
      )
      await make(pod.owner, { title: "Secret hoist", description: "crane crane" })
      await until(
        () => search(pod.owner, "crane"),
        ({ titles }) => titles[0] === "Secret hoist"
      )
      assert.deepStrictEqual(await search(reader, "crane"), before)
    })

    it("if the embedding model refuses a text, a search can still find this text by its words, and other texts also by their meaning", async () => {
      const choosy: ModelReply = (response, asked) =>
        asked.body.input.some((text: string) => text.includes("forbidden"))
          ? replies.refusing(400)(response, asked)
          : model(response, asked)
      serving(choosy)
      await make(pod.owner, { title: "One", description: "forbidden flood" })
      await make(pod.owner, { title: "Two", description: "a flood of water" })
      await until(
        () => search(pod.owner, "tide"),
        ({ titles }) => titles.includes("Two")
      )
      assert.include((await search(pod.owner, "forbidden")).titles, "One")
      await until(health, ({ reason }) => reason === "The embedding model has read 100 % of all changed texts.")
      serving(model)
    })

    it("if the embedding model does not answer, a search compares only words, and its answer says that the vectors are missing", async () => {
      for (const reply of [replies.garbage, replies.refusing(500), replies.silent]) {
        serving(reply)
        const { degraded, titles } = await search(pod.owner, `hoist ${Math.random()}`)
        assert.deepStrictEqual([degraded, titles[0]], [["semantic:vector-down"], "Hoist"])
      }
      serving(replies.vectors(() => [1, 2, 3, 4, 5, 6, 7]))
      assert.deepStrictEqual((await search(pod.owner, `hoist ${Math.random()}`)).degraded, ["semantic:vector-down"])
      serving(model)
    })
  })
}
