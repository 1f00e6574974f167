/**
 * The filters of the list of proposals: by kind, by agent, by ids, by status, and for a person's own proposals. The
 * totals count only the proposals that match.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { setRole } from "../../support/membership.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

for (const [where, storage] of storages) {
  describe(`the filters of the list of proposals ${where}`, () => {
    let pod: TestPod
    const ids: Array<string> = []
    const agents: Array<string> = []
    let foreign: string
    beforeAll(async () => {
      pod = await aPod(storage)
      const workspaceId = await pod.aWorkspace(pod.owner)
      const propose = async (key: Caller, title: string, place: object = {}) => {
        const { body } = await key.send("POST", "/api/hub/entities", { profileSlug: "note", title, ...place })
        assert.strictEqual(body.status, "proposed", JSON.stringify(body))
        return body.proposalId as string
      }
      const anAgent = async (person: Caller, name: string) => {
        const made = await person.mutate("agents.create", { name, capabilities: ["*"] })
        return made.body.result.data.id as string
      }
      for (const name of ["First", "Second"]) {
        const agentId = await anAgent(pod.owner, name)
        agents.push(agentId)
        const key = await pod.aKey(pod.owner, { agentId })
        ids.push(await propose(key, `${name} one`), await propose(key, `${name} two`))
      }
      const member = await pod.aPerson()
      await setRole(pod, storage, member.id, workspaceId, "editor")
      const agentId = await anAgent(member, "Of another person")
      const key = await pod.aKey(member, { agentId })
      foreign = await propose(key, "Shared", { workspaceId })
    })
    afterAll(() => pod?.stop())

    const listed = async (query: string) => {
      const { body, status } = await pod.owner.send("GET", `/api/hub/proposals?view=basic&${query}`)
      assert.strictEqual(status, 200, JSON.stringify(body))
      return { ids: body.proposals.map(({ id }: { readonly id: string }) => id), total: body.total }
    }

    it("a request for a list of proposals by ids is refused if it contains a text that is no id, or more than 200 ids", async () => {
      assert.strictEqual((await pod.owner.send("GET", "/api/hub/proposals?ids=nonsense")).status, 400)
      const many = Array.from({ length: 201 }, () => ids[0]).join(",")
      assert.strictEqual((await pod.owner.send("GET", `/api/hub/proposals?ids=${many}`)).status, 400)
    })

    it("the list of proposals of one kind contains and counts only the proposals of this kind", async () => {
      assert.deepStrictEqual(await listed("proposalType=entity.update"), { ids: [], total: 0 })
      const created = await listed("proposalType=entity.create&whose=mine&limit=1")
      assert.deepStrictEqual(created, { ids: [ids[3]], total: 4 })
      assert.strictEqual((await pod.owner.send("GET", "/api/hub/proposals?proposalType=")).status, 400)
    })

    it("the list of the proposals of one agent contains and counts only the proposals of this agent", async () => {
      const found = await listed(`actorId=${agents[1]}&limit=1`)
      assert.deepStrictEqual(found, { ids: [ids[3]], total: 2 })
    })

    it("the list of a person's own proposals contains no proposals of other people's agents", async () => {
      assert.include((await listed("")).ids, foreign)
      const own = await listed("whose=mine")
      assert.sameMembers(own.ids, ids)
      assert.strictEqual(own.total, 4)
    })

    it("the list of proposals can be limited to given ids or can leave out given ids, and its total counts only the listed proposals", async () => {
      const some = `${ids[0]},${ids[2]}`
      assert.deepStrictEqual(await listed(`ids=${some}`), { ids: [ids[2], ids[0]], total: 2 })
      assert.deepStrictEqual(await listed("ids="), { ids: [], total: 0 })
      const others = await listed(`exceptIds=${some}&whose=mine`)
      assert.deepStrictEqual(others, { ids: [ids[3], ids[1]], total: 2 })
    })

    it("the list of settled proposals contains the proposals with every status except pending, and only these", async () => {
      assert.deepStrictEqual(await listed("status=settled"), { ids: [], total: 0 })
      await pod.owner.send("POST", `/api/hub/proposals/${ids[0]}/reject`, {})
      await pod.owner.send("POST", `/api/hub/proposals/${ids[2]}/approve`, {})
      assert.deepStrictEqual(await listed("status=settled"), { ids: [ids[2], ids[0]], total: 2 })
      const ofFirst = await listed(`status=settled&actorId=${agents[0]}&exceptIds=${ids[1]}`)
      assert.deepStrictEqual(ofFirst, { ids: [ids[0]], total: 1 })
      assert.notInclude((await listed("status=pending")).ids, ids[0])
    })
  })
}
