/**
 * The dry run and the preview of a grant predict the gate's decision. The tests compare the prediction with one real
 * write of each sort.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { subjects } from "../../../src/doors/Door.ts"
import type { Answer, Caller } from "../../support/pod.ts"
import { anAttackScene, procedureData, type AttackScene, assertOk } from "../../attacks/attackScene.ts"
import { everyNth } from "../../support/everyNth.ts"
import { storages } from "../../support/storages.ts"
import { sorts, type Sort, notWritableByKeys, notTestedHere } from "./writesOfEachSort.ts"

interface GateVerdict {
  readonly verdict: string
  readonly rung: string
  readonly code?: string | null
}
interface Tried extends GateVerdict {
  readonly targetType: string | null
  readonly orElse: ReadonlyArray<GateVerdict & { readonly when: string }>
}
type Action = "create" | "update" | "delete"

for (const [where, storage] of storages) {
  describe(`predictions of the gate's decision ${where}`, () => {
    let ground: AttackScene
    beforeAll(async () => {
      ground = await anAttackScene(storage)
    })
    afterAll(() => ground?.pod.stop())

    const tryOut = async (
      subjectType: string,
      action: Action,
      more: Record<string, string> = {},
      workspaceId = ground.workspaceId
    ): Promise<Tried> => {
      const query = new URLSearchParams({ agentUserId: ground.agentId, subjectType, action, ...more })
      const path = `/api/hub/workspaces/${workspaceId}/governance?${query}`
      return assertOk(await ground.owner.send("GET", path)).verdict
    }

    /**
     * Returns the gate's decision on the agent's write, taken from the event of the write, the refusal or the proposal.
     */
    const decisionOn = async ({ body, status }: Answer): Promise<GateVerdict> => {
      const { owner, agentId } = ground
      const answer = body.result?.data ?? body
      const decisionId = answer.decisionId ?? body.error?.data?.decisionId
      const events: ReadonlyArray<any> = procedureData(await owner.query("events.list", { limit: 100 }))
      const event =
        decisionId === undefined
          ? events.find(({ actorId, decision }) => actorId === agentId && decision !== undefined)
          : events.find(({ id }) => id === decisionId)
      assert.isDefined(event, JSON.stringify(body))
      const { rung, verdict } = event.decision
      const isProposed = answer.status === "proposed" || answer.proposalId != null
      assert.strictEqual(verdict, status === 403 ? "deny" : isProposed ? "propose" : "allow", JSON.stringify(body))
      return { verdict, rung, code: status === 403 ? (body.code ?? body.error.data.reason) : null }
    }

    const modes: ReadonlyArray<readonly [string, (agentId: string) => Promise<() => Promise<void>>]> = [
      ["no policy applies", async () => async () => {}],
      ...(["auto", "propose"] as const).map(
        (verdict) =>
          [
            `a governance rule has the verdict “${verdict}”`,
            async (agentUserId: string) => {
              const { owner, workspaceId } = ground
              const about = { scopeKind: "workspace", workspaceId, targetKind: "action", targetPattern: "*" }
              const { id } = procedureData(
                await owner.mutate("governanceRules.create", { ...about, verdict, agentUserId })
              )
              return async () => void procedureData(await owner.mutate("governanceRules.revoke", { ruleId: id }))
            }
          ] as const
      ),
      [
        "the agent's writes need no approval",
        async (agentId) => {
          const { owner } = ground
          procedureData(await owner.mutate("agents.update", { agentId, writesRequireProposal: false }))
          return async () =>
            void procedureData(await owner.mutate("agents.update", { agentId, writesRequireProposal: true }))
        }
      ]
    ]

    const verdictOf = ({ code = null, rung, verdict }: GateVerdict): GateVerdict => ({ verdict, rung, code })

    const compare = async (
      sort: Sort,
      action: Action,
      write: (by: Caller) => Promise<Answer>,
      workspaceId = ground.workspaceId
    ) => {
      const { agent, agentId, owner } = ground
      const { operations = {}, profileSlug, subject, targetType } = sort
      const label = `${targetType ?? subject}.${action}`
      const more = { ...(profileSlug && { profileSlug }), ...(targetType && { targetType }) }
      const predicted = await tryOut(subject, action, more, workspaceId)
      const really = await decisionOn(await write(agent))
      assert.deepStrictEqual(verdictOf(predicted), really, label)
      const operation = operations[action]
      if (operation === undefined || action !== "create") return
      const question = { operation, workspaceId, ...(profileSlug && { kind: profileSlug }) }
      const { can } = procedureData(
        await owner.query("grants.preview", { grant: { permissions: ["*"] }, agentId, can: question })
      )
      assert.deepInclude(can, { verdict: really.verdict, rung: really.verdict === "allow" ? null : really.rung }, label)
    }

    for (const [turn, [words, begin]] of modes.entries()) {
      // Without a policy, the test tries every sort of write. With a policy, it tries only some of them. All policies
      // together cover every sort.
      const tried = turn === 0 ? sorts : everyNth(sorts, turn, modes.length - 1)
      it(`the dry run and the preview of a grant predict the governance gate's decision on each write if ${words}`, async () => {
        const end = await begin(ground.agentId)
        try {
          for (const sort of tried) {
            const scene = await sort.scene(ground)
            for (const action of ["create", "update", "delete"] as const) {
              const write = scene[action]
              if (write !== undefined) await compare(sort, action, write, scene.workspaceId)
            }
          }
        } finally {
          await end()
        }
      })
    }

    it("each subject of a permission, such as `document`, either has a test of the predicted gate decision or is in a list of exceptions", () => {
      const known = [...sorts.map(({ subject }) => subject), ...notWritableByKeys, ...notTestedHere]
      assert.deepStrictEqual([...new Set(known)].toSorted(), [...subjects].toSorted())
    })

    it("for a write that only people may do, a dry run predicts a refusal with the error code `PEOPLE_ONLY`", async () => {
      for (const subject of notWritableByKeys) {
        const predicted = await tryOut(
          subject,
          subject === "messaging" || subject === "notification" || subject === "preference" ? "update" : "create"
        )
        assert.deepInclude(predicted, { verdict: "deny", rung: "forPeople", code: "PEOPLE_ONLY" }, subject)
      }
    })

    it("if the governance gate's decision depends on the record, such as on its type or its last writer, a dry run also lists the other possible decisions", async () => {
      const entry = await tryOut("entity", "update", { profileSlug: "knowledge" })
      assert.deepInclude(entry, { verdict: "allow", rung: "direct", targetType: "knowledge_entry" })
      assert.deepInclude(entry.orElse[0], {
        when: "a person wrote the record last",
        verdict: "propose",
        rung: "overwriting"
      })
      assert.deepInclude(entry.orElse[1], { when: "the record has the type entity", verdict: "propose" })
      const channel = await tryOut("channel", "create")
      assert.deepInclude(channel, { verdict: "propose", targetType: "channel" })
      assert.deepStrictEqual(
        channel.orElse.map(({ rung, when }) => [when, rung]),
        [["the record has the type message", "direct"]]
      )
      const { agentId, owner, workspaceId } = ground
      const asked = { agentUserId: agentId, subjectType: "channel", action: "create", targetType: "track" }
      const path = `/api/hub/workspaces/${workspaceId}/governance?${new URLSearchParams(asked)}`
      assert.strictEqual((await owner.send("GET", path)).status, 400)
      // A real write confirms the prediction: if a person wrote an entry last, an agent's change of the entry becomes a
      // proposal.
      const { agent } = ground
      assertOk(await owner.send("PUT", `/api/hub/knowledge/owned?workspaceId=${workspaceId}`, { value: 1 }))
      const answer = await agent.send("PUT", `/api/hub/knowledge/owned?workspaceId=${workspaceId}`, { value: 2 })
      assert.deepInclude(await decisionOn(answer), { verdict: "propose", rung: "overwriting" })
    })
  })
}
