/** The reasons that a recall of memory facts gives for each fact, over REST on each storage. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { aPod, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

for (const [where, storage] of storages) {
  describe(`the reasons why facts are found ${where}`, () => {
    let pod: TestPod
    beforeAll(async () => {
      pod = await aPod(storage)
      for (const fact of ["The staging database moves on Friday.", "The staging server rests.", "Coffee is black."]) {
        assert.strictEqual((await pod.owner.send("POST", "/api/hub/memory", { fact })).status, 200)
      }
    })
    afterAll(() => pod?.stop())

    const recalled = async (query: string) => {
      const { body, status } = await pod.owner.send("GET", `/api/hub/memory/recall?${query}`)
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body as ReadonlyArray<{ fact: { fact: string }; score: number; words: ReadonlyArray<string> }>
    }

    it("each recalled fact lists those words of the question that occur in the fact, spelled as in the question", async () => {
      const [best, next] = await recalled("q=staging%20databases%20now")
      assert.strictEqual(best?.fact.fact, "The staging database moves on Friday.")
      assert.deepStrictEqual(best?.words, ["staging", "databases"])
      assert.deepStrictEqual(next?.words, ["staging"])
    })

    it("a request to recall facts returns the facts that a fact listing with the same words returns, in the same order, with the highest score first", async () => {
      const found = await recalled("q=staging%20database&limit=2")
      const listed = (await pod.owner.send("GET", "/api/hub/memory?q=staging%20database&limit=2")).body
      assert.deepStrictEqual(
        found.map(({ fact }) => fact),
        listed
      )
      assert.isAtLeast(found[0]?.score ?? 0, found[1]?.score ?? 0)
    })

    it("a request to recall facts finds no facts of another person", async () => {
      const stranger = await pod.aPerson()
      assert.deepStrictEqual((await stranger.send("GET", "/api/hub/memory/recall?q=staging")).body, [])
    })

    it("a request to recall facts is refused if it has no question", async () => {
      assert.strictEqual((await pod.owner.send("GET", "/api/hub/memory/recall")).status, 400)
    })
  })
}
