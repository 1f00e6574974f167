/** The header `x-workspace-id` gives the workspace to a procedure whose input contains none. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { aPod, type Caller, type TestPod } from "../support/pod.ts"
import { storages } from "../support/storages.ts"
import { aSubscriber, aSubscribingClient, proceduresFor } from "../support/subscriber.ts"

const nowhere = "0190a0a0-0000-7000-8000-00000000dead"

for (const [where, storage] of storages) {
  describe(`the header x-workspace-id ${where}`, () => {
    let pod: TestPod
    let key: Caller
    let [here, there] = ["", ""]
    const webhook = { name: "Deploys", url: "https://hooks.example.com/in", eventTypes: ["entity.note.create"] }
    beforeAll(async () => {
      pod = await aPod(storage)
      here = await pod.aWorkspace(pod.owner, "Here")
      there = await pod.aWorkspace(pod.owner, "There")
      for (const workspaceId of [here, there, null]) {
        const title = workspaceId === here ? "here" : workspaceId === there ? "there" : "personal"
        await pod.owner.send("POST", "/api/hub/entities", { title, workspaceId, profileSlug: "note" })
      }
      key = await pod.aKey(pod.owner)
    })
    afterAll(() => pod?.stop())

    const within = (workspaceId: string, caller: Caller = pod.owner): Caller =>
      pod.as({ ...caller.headers, "x-workspace-id": workspaceId })
    const titles = async (caller: Caller, input?: object) => {
      const { body, status } = await caller.query("entities.getEntities", input)
      return status === 200 ? body.result.data.map(({ title }: { title: string }) => title).sort() : status
    }

    it("a session or a key gets the same records for a workspace in the header `x-workspace-id` as for this workspace in the input of a listing", async () => {
      assert.deepStrictEqual(await titles(key), ["here", "personal", "there"])
      const listed = await titles(key, { workspaceId: here })
      assert.include(listed, "here")
      assert.notInclude(listed, "there")
      for (const caller of [pod.owner, key]) {
        assert.deepStrictEqual(await titles(within(here, caller)), listed)
        assert.deepStrictEqual(await titles(within(here, caller), { limit: 10 }), listed)
        assert.deepStrictEqual(await titles(within(here.toUpperCase(), caller)), listed)
      }
    })

    it("a write without a workspace in its input is stored in the workspace of the header `x-workspace-id`", async () => {
      const made = await within(here).mutate("webhooks.create", webhook)
      assert.strictEqual(made.body.result.data.subscription.workspaceId, here)
      const plain = await pod.owner.mutate("webhooks.create", webhook)
      assert.strictEqual(plain.body.result.data.subscription.workspaceId, null)
    })

    it("a call with the header `x-workspace-id` is refused if its input contains another workspace, or `null` for the personal space", async () => {
      for (const workspaceId of [there, null, "", 7]) {
        const { body, status } = await within(here).mutate("webhooks.create", { ...webhook, workspaceId })
        assert.strictEqual(status, 400, JSON.stringify(body))
        assert.match(body.error.message, /x-workspace-id/)
      }
      for (const workspaceId of [here, here.toUpperCase()]) {
        const { body } = await within(here).mutate("webhooks.create", { ...webhook, workspaceId })
        assert.strictEqual(body.result.data.subscription.workspaceId, here)
      }
    })

    it("in the header `x-workspace-id` and in the input, a workspace that the caller cannot read gets the same answer as a missing workspace", async () => {
      const stranger = await pod.aPerson()
      const answers = []
      for (const workspaceId of [here, nowhere]) {
        for (const answer of [
          await within(workspaceId, stranger).query("entities.getEntities"),
          await stranger.query("entities.getEntities", { workspaceId }),
          await within(workspaceId, stranger).mutate("webhooks.create", webhook),
          await stranger.mutate("webhooks.create", { ...webhook, workspaceId })
        ]) {
          const text = JSON.stringify(answer.body).replaceAll(workspaceId, "id")
          answers.push([answer.status, text.replaceAll(/"(errorId|requestId|decisionId)":"[^"]*"/g, "")])
        }
      }
      const [list, listed, write, written, ...missing] = answers
      assert.deepStrictEqual(missing, [list, listed, write, written])
      assert.deepStrictEqual([list, write], [listed, written])
    })

    it("a header `x-workspace-id` that is empty, not a UUID or sent twice is refused by procedures that use a workspace, and ignored by other procedures", async () => {
      for (const value of ["Here", "", `${here}, ${there}`, `${here}\u00e9`]) {
        assert.strictEqual(await titles(within(value)), 400, value)
        assert.strictEqual((await within(value).query("apiKeys.list")).status, 200, value)
      }
    })

    it("a key for one workspace cannot read another workspace by the header `x-workspace-id`", async () => {
      const bound = await pod.aKey(pod.owner, { workspaceId: there })
      assert.strictEqual(await titles(within(here, bound)), await titles(bound, { workspaceId: here }))
      assert.notInclude(await titles(within(there, bound)), "here")
    })

    it("a new key is limited to the workspace in the header `x-workspace-id`, whether the input of the call has the current or the older form", async () => {
      const older = { name: "older", scopes: ["hub-protocol.read"], grant: { permissions: ["*"] } }
      const newer = { keyName: "newer", scope: ["hub-protocol.read"], grant: { permissions: ["*"] } }
      for (const input of [older, newer]) {
        const { body, status } = await within(here).mutate("apiKeys.create", input)
        assert.strictEqual(status, 200, JSON.stringify(body))
        const made = pod.as({ authorization: `Bearer ${body.result.data.key}` })
        assert.deepStrictEqual(await titles(made), ["here"])
      }
    })

    it("the header `x-workspace-id` has no effect on a procedure whose input has no workspace field, or whose workspace field is required", async () => {
      const rule = { targetKind: "action", targetPattern: "entity.create", verdict: "propose", scopeKind: "pod" }
      assert.strictEqual((await within(nowhere).mutate("governanceRules.create", rule)).status, 200)
      assert.strictEqual((await within(nowhere).query("webhooks.list", { limit: 1 })).status, 200)
      const { body, status } = await within(here).mutate("governance.setPolicy", { writesRequireProposal: true })
      assert.deepStrictEqual([status, /workspaceId/.test(body.error.message)], [400, true])
    })

    it("the header `x-workspace-id` applies to every call of a batch, and the pod accepts or refuses each call by its own input", async () => {
      const inputs = { 0: {}, 1: { workspaceId: there }, 2: { workspaceId: here } }
      const { body, status } = await within(here).send(
        "GET",
        `/trpc/entities.getEntities,entities.getEntities,entities.getEntities?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`
      )
      assert.strictEqual(status, 207)
      assert.deepStrictEqual(
        body.map((one: any) => one.error?.data.code ?? one.result.data.length),
        [2, "BAD_REQUEST", 2]
      )
    })

    it("a subscription with a workspace in the header `x-workspace-id` gets only the events of this workspace", async () => {
      const subscriber = aSubscriber(
        aSubscribingClient(pod.baseUrl + proceduresFor(key.headers), within(here, key).headers),
        { type: "test.seen" }
      )
      await subscriber.opened
      for (const workspaceId of [there, undefined, here]) {
        await pod.owner.mutate("events.log", { type: "test.seen", data: { workspaceId }, workspaceId })
      }
      const [{ data }] = await subscriber.next(1)
      assert.deepStrictEqual(data.data, { workspaceId: here })
      subscriber.leave()
    })

    it("a write that is sent again with the same idempotency key and another workspace in the header `x-workspace-id` counts as a new write", async () => {
      const made = []
      for (const workspaceId of [here, there, here]) {
        const event = { type: "test.done", data: {} }
        const { body } = await within(workspaceId).mutate("events.log", event, { "idempotency-key": "again-and-again" })
        made.push(body.result.data.id)
      }
      assert.strictEqual(made[0], made[2])
      assert.notStrictEqual(made[0], made[1])
    })
  })
}
