/** The procedures for the webhooks of one workspace apply only to the caller's own webhooks of this workspace. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { aColleague } from "../../support/membership.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const draft = { name: "Deploys", url: "https://hooks.example.com/in", eventTypes: ["entity.note.create"] }
const nowhere = "0190a0a0-0000-7000-8000-00000000dead"

for (const [where, storage] of storages) {
  describe(`webhooks of one workspace ${where}`, () => {
    let pod: TestPod
    let [here, there] = ["", ""]
    let colleague: Caller
    beforeAll(async () => {
      pod = await aPod(storage)
      here = await pod.aWorkspace(pod.owner, "Here")
      there = await pod.aWorkspace(pod.owner, "There")
      colleague = await aColleague(pod, storage, here, "owner", "partner")
    })
    afterAll(() => pod?.stop())

    const make = async (workspaceId: string, caller: Caller = pod.owner) => {
      const { body, status } = await caller.mutate("webhooks.createForWorkspace", { ...draft, workspaceId })
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body.result.data
    }
    const listed = async (workspaceId: string, caller: Caller = pod.owner) => {
      const { body, status } = await caller.query("webhooks.listForWorkspace", { workspaceId })
      return status === 200 ? body.result.data.map(({ id }: { id: string }) => id) : status
    }
    const isActive = async (id: string) => {
      const { body } = await pod.owner.query("webhooks.list", { limit: 200 })
      return body.result.data.find((webhook: { id: string }) => webhook.id === id)?.active
    }

    it("the pod refuses a request for the webhooks of a workspace if the caller is not a member, the workspace does not exist, or the request contains no workspace", async () => {
      const stranger = await pod.aPerson()
      for (const workspaceId of [here, nowhere]) {
        assert.strictEqual(await listed(workspaceId, stranger), 403)
        const made = await stranger.mutate("webhooks.createForWorkspace", { ...draft, workspaceId })
        assert.strictEqual(made.status, 403)
      }
      for (const workspaceId of [null, undefined, "here"]) {
        const made = await pod.owner.mutate("webhooks.createForWorkspace", { ...draft, workspaceId })
        assert.strictEqual(made.status, 400)
      }
    })

    it("the tRPC procedures for the webhooks of one workspace cannot switch on, switch off or delete a webhook of another person or of another workspace", async () => {
      const { subscription } = await make(here)
      const personal = (await pod.owner.mutate("webhooks.create", draft)).body.result.data.subscription
      for (const [caller, input] of [
        [colleague, { workspaceId: here, id: subscription.id }],
        [pod.owner, { workspaceId: there, id: subscription.id }],
        [pod.owner, { workspaceId: nowhere, id: subscription.id }],
        [pod.owner, { workspaceId: here, id: personal.id }],
        [pod.owner, { workspaceId: here, id: nowhere }]
      ] as const) {
        for (const procedure of ["webhooks.toggleForWorkspace", "webhooks.deleteForWorkspace"]) {
          assert.strictEqual(
            (await caller.mutate(procedure, input)).status,
            404,
            `${procedure} ${JSON.stringify(input)}`
          )
        }
      }
      assert.deepStrictEqual([await isActive(subscription.id), await isActive(personal.id)], [true, true])
      assert.deepStrictEqual(await listed(here, colleague), [])
    })

    it("an agent cannot create, delete, switch on or switch off the webhooks of a workspace, and a key with limits can list and change only webhooks that it made", async () => {
      const made = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
      const agent = await pod.aKey(pod.owner, { agentId: made.body.result.data.id })
      const { subscription } = await make(here)
      const narrow = await pod.aKey(pod.owner, { grant: { permissions: ["webhook"] } })
      const own = await make(here, narrow)
      assert.deepStrictEqual(await listed(here, narrow), [own.subscription.id])
      const bound = await pod.aKey(pod.owner, { workspaceId: there })
      for (const [procedure, more] of [
        ["webhooks.createForWorkspace", draft],
        ["webhooks.toggleForWorkspace", { id: subscription.id }],
        ["webhooks.deleteForWorkspace", { id: subscription.id }]
      ] as const) {
        const input = { workspaceId: here, ...more }
        assert.strictEqual((await agent.mutate(procedure, input)).status, 403, procedure)
        assert.include([403, 404], (await bound.mutate(procedure, input)).status, procedure)
        if ("id" in more) assert.strictEqual((await narrow.mutate(procedure, input)).status, 404, procedure)
      }
      assert.strictEqual(await isActive(subscription.id), true)
    })

    it("a person can list a webhook of a workspace, switch it off and on, and delete it", async () => {
      const { secret, subscription } = await make(there)
      assert.match(secret, /^whsec_/)
      assert.deepInclude(subscription, { ...draft, workspaceId: there, active: true })
      assert.deepStrictEqual(await listed(there), [subscription.id])
      const toggled = async (active?: boolean) => {
        const input = { workspaceId: there, id: subscription.id, ...(active === undefined ? {} : { active }) }
        const { body } = await pod.owner.mutate("webhooks.toggleForWorkspace", input)
        return body.result.data.active
      }
      assert.deepStrictEqual(
        [await toggled(), await toggled(), await toggled(true), await toggled(false)],
        [false, true, true, false]
      )
      const { body } = await pod.owner.mutate("webhooks.deleteForWorkspace", {
        workspaceId: there,
        id: subscription.id
      })
      assert.deepStrictEqual(body.result.data, { success: true, id: subscription.id })
      assert.deepStrictEqual(await listed(there), [])
    })

    it("if many requests toggle a webhook of a workspace at the same moment, each successful request changes its state once, from on to off or from off to on", async () => {
      const { subscription } = await make(here)
      const answers = await Promise.all(
        Array.from({ length: 8 }, () =>
          pod.owner.mutate("webhooks.toggleForWorkspace", { workspaceId: here, id: subscription.id })
        )
      )
      const done = answers.filter(({ status }) => status === 200).length
      assert.isTrue(answers.every(({ status }) => status === 200 || status === 409))
      assert.strictEqual(await isActive(subscription.id), done % 2 === 0)
    })
  })
}
