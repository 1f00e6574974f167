/**
 * A proposal gets one outcome with one effect, however many callers decide on it at the same moment.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Caller } from "../support/pod.ts"
import { anAttackScene, anEntity, eventsOf, type AttackScene, assertOk } from "./attackScene.ts"
import { storages } from "../support/storages.ts"

const rounds = 8

for (const [where, storage] of storages) {
  describe(`attack: several callers decide on one proposal at the same moment, ${where}`, () => {
    let ground: AttackScene
    let people: ReadonlyArray<Caller>
    beforeAll(async () => {
      ground = await anAttackScene(storage)
      people = [ground.owner, await ground.pod.aKey(ground.owner)]
    })
    afterAll(() => ground?.pod.stop())

    const aProposal = async () => {
      const { id } = await anEntity(ground.owner)
      const asked = assertOk(await ground.agent.send("PATCH", `/api/hub/entities/${id}`, { title: "Better" }))
      return { id, proposalId: asked.proposalId as string }
    }
    const effects = async (id: string) =>
      (await eventsOf(ground.owner)).filter(({ actorId, subjectId }) => subjectId === id && actorId === ground.agentId)
        .length

    it("attack: if two callers approve a proposal at the same moment, the pod applies it only once", async () => {
      for (let round = 0; round < rounds; round++) {
        const { id, proposalId } = await aProposal()
        const path = `/api/hub/proposals/${proposalId}/approve`
        const statuses = (await Promise.all(people.map((each) => each.send("POST", path, {})))).map(
          ({ status }) => status
        )
        assert.sameMembers(statuses, [200, 409])
        assert.strictEqual(await effects(id), 1)
        assert.strictEqual(assertOk(await ground.owner.send("GET", `/api/hub/entities/${id}`)).version, 2)
      }
    })

    it("attack: if one caller approves and another rejects a proposal at the same moment, exactly one of the two calls succeeds", async () => {
      for (let round = 0; round < rounds; round++) {
        const { id, proposalId } = await aProposal()
        const verbs = round % 2 === 0 ? ["approve", "reject"] : ["reject", "approve"]
        const answers = await Promise.all(
          verbs.map((verb, at) => people[at].send("POST", `/api/hub/proposals/${proposalId}/${verb}`, {}))
        )
        const successes = verbs.filter((_, at) => answers[at].status === 200)
        assert.strictEqual(successes.length, 1, JSON.stringify(answers.map(({ body, status }) => [status, body])))
        const { status } = assertOk(await ground.owner.send("GET", `/api/hub/proposals/${proposalId}`))
        assert.strictEqual(status, successes[0] === "approve" ? "approved" : "rejected")
        assert.strictEqual(await effects(id), successes[0] === "approve" ? 1 : 0)
        const { title } = assertOk(await ground.owner.send("GET", `/api/hub/entities/${id}`))
        assert.strictEqual(title, successes[0] === "approve" ? "Better" : "Plan")
      }
    })

    it("attack: if two callers revert a proposal at the same moment, only one revert succeeds, and the record gets its earlier value back", async () => {
      const { id, proposalId } = await aProposal()
      assertOk(await ground.owner.send("POST", `/api/hub/proposals/${proposalId}/approve`, {}))
      const path = `/api/hub/proposals/${proposalId}/revert`
      const statuses = (await Promise.all(people.map((each) => each.send("POST", path)))).map(({ status }) => status)
      assert.strictEqual(statuses.filter((status) => status === 200).length, 1, statuses.join())
      assert.strictEqual(assertOk(await ground.owner.send("GET", `/api/hub/entities/${id}`)).title, "Plan")
    })
  })
}
