/** The last actions of the caller, on each storage. Only the caller can see them, whichever user the path names. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

for (const [where, storage] of storages) {
  describe(`the recent context of a user ${where}`, () => {
    let pod: TestPod
    let other: Caller & { readonly id: string }
    beforeAll(async () => {
      pod = await aPod(storage)
      other = await pod.aPerson()
    })
    afterAll(() => pod?.stop())

    const contextOf = (caller: Caller, userId: string) => caller.send("GET", `/api/hub/users/${userId}/context`)
    const titles = (body: { readonly recentActivity: ReadonlyArray<{ readonly data: { readonly title: string } }> }) =>
      body.recentActivity.map(({ data }) => data.title)

    it("a key with a limited grant cannot read the user context", async () => {
      const key = await pod.aKey(pod.owner, { grant: { permissions: ["entity.read"] } })
      const refused = await contextOf(key, pod.ownerId)
      assert.deepStrictEqual([refused.status, refused.body.code], [403, "GRANT_DOOR_UNSUPPORTED"])
    })

    it("the user context is always the context of the caller, even if the path contains the id of another user", async () => {
      await pod.owner.send("POST", "/api/hub/entities", { title: "Of the owner" })
      const { body, status } = await contextOf(other, pod.ownerId)
      assert.deepStrictEqual([status, body], [200, { userId: pod.ownerId, preferences: {}, recentActivity: [] }])
    })

    it("the user context has the last ten actions of the caller, newest first, and the answer has no cursor for a second page", async () => {
      const person = await pod.aPerson()
      const made = Array.from({ length: 12 }, (_, at) => `Note ${at}`)
      for (const title of made) await person.send("POST", "/api/hub/entities", { title })
      await person.send("POST", "/api/hub/threads", { title: "A thread" })
      const { body, headers, status } = await contextOf(person, "me")
      assert.strictEqual(status, 200, JSON.stringify(body))
      assert.strictEqual(body.userId, "me")
      assert.deepStrictEqual(titles(body), ["A thread", ...made.toReversed()].slice(0, 10))
      assert.deepStrictEqual(
        [body.recentActivity[0].type, body.recentActivity[1].type],
        ["thread_updated", "entity_created"]
      )
      assert.isNull(headers.get("x-svc-next-cursor"))
    })
  })
}
