/**
 * Memory with an embedding model, over HTTP: a person finds facts by their meaning, and only the person's own facts.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { aModelStub, type ModelStub, replies } from "../../support/modelStub.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"
import { aMoment } from "../../support/aMoment.ts"

const topics = [
  ["tea", "coffee", "drink"],
  ["berlin", "city", "lives"]
]

/** An embedding model with two topics. Words of the same topic have the same vector. */
const byTopic = (text: string): ReadonlyArray<number> => {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? []
  return [...topics.map((topic) => 0.01 + words.filter((word) => topic.includes(word)).length), 0.1]
}

const recalled = async (caller: Caller, query: string): Promise<ReadonlyArray<string>> => {
  const { body, status } = await caller.send("GET", `/api/hub/memory?q=${encodeURIComponent(query)}`)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.map(({ fact }: { readonly fact: string }) => fact)
}

const until = async (ask: () => Promise<ReadonlyArray<string>>, fact: string): Promise<ReadonlyArray<string>> => {
  for (;;) {
    const found = await ask()
    if (found.includes(fact)) return found
    await aMoment()
  }
}

for (const [where, storage] of storages) {
  describe(`memory with an embedding model ${where}`, () => {
    let stub: ModelStub
    let pod: TestPod
    const remember = async (caller: Caller, fact: string): Promise<string> => {
      const { body, status } = await caller.send("POST", "/api/hub/memory", { fact })
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body.id
    }

    beforeAll(async () => {
      stub = await aModelStub()
      stub.reply(replies.vectors(byTopic))
      pod = await aPod(storage, { embeddingUrl: Option.some(stub.url), embeddingModel: Option.some("topics") })
    })
    afterAll(async () => {
      await pod.stop()
      await stub.stop()
    })

    it("a memory question finds a fact that has the same meaning in other words", async () => {
      await remember(pod.owner, "Maria prefers tea.")
      await remember(pod.owner, "Maria lives near the harbour.")
      const found = await until(() => recalled(pod.owner, "which coffee"), "Maria prefers tea.")
      assert.strictEqual(found[0], "Maria prefers tea.")
    })

    it("a memory question does not find a forgotten fact by its meaning, and finds no facts of other people", async () => {
      const id = await remember(pod.owner, "Jonas was born in Berlin.")
      await until(() => recalled(pod.owner, "what city"), "Jonas was born in Berlin.")
      const other = await pod.aPerson()
      await remember(other, "The bricks are red.")
      await until(() => recalled(other, "stone"), "The bricks are red.")
      assert.notInclude(await recalled(other, "what city"), "Jonas was born in Berlin.")
      const deleted = await pod.owner.send("DELETE", `/api/hub/memory/${id}?userId=${pod.ownerId}`)
      assert.deepStrictEqual([deleted.status, deleted.body], [200, { success: true }])
      assert.notInclude(await recalled(pod.owner, "what city"), "Jonas was born in Berlin.")
    })

    it("after one request made the pod forget hundreds of facts, a memory question still finds a new fact by its meaning", async () => {
      const other = await pod.aPerson()
      for (const round of ["first", "second"]) {
        const turns = Array.from({ length: 150 }, (_, at) => ({ role: "user", content: `Parcel ${round} ${at}.` }))
        const { body, status } = await other.send("POST", "/api/hub/memory/turns", { sessionId: round, turns })
        assert.strictEqual(status, 200, JSON.stringify(body))
      }
      const { body, status } = await other.send("POST", "/api/hub/memory/forget", { query: "parcel" })
      assert.deepStrictEqual([status, body.facts?.length], [200, 300], JSON.stringify(body).slice(0, 300))
      await remember(other, "Olga prefers tea.")
      await until(() => recalled(other, "which coffee"), "Olga prefers tea.")
    })

    it("if the embedding model does not answer, a memory question finds facts by their words", async () => {
      stub.reply(replies.refusing(400))
      assert.deepStrictEqual(await recalled(pod.owner, "prefers something"), ["Maria prefers tea."])
      stub.reply(replies.vectors(byTopic))
    })
  })
}
