/** What the store that counts the records of an owner guarantees on each engine. */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { type QuotaName, quotas } from "../../../src/features/gate/Quota.ts"
import { QuotaStore } from "../../../src/features/gate/QuotaStore.ts"
import { KeyStore } from "../../../src/features/keys/KeyStore.ts"
import { PeopleStore } from "../../../src/features/people/PeopleStore.ts"
import { Project } from "../../../src/features/projects/Project.ts"
import { ProposalStore } from "../../../src/features/proposals/ProposalStore.ts"
import { Records } from "../../../src/features/records/Records.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aPassed } from "../../support/passed.ts"
import { aMember, anAgent, aNewKey, aWorkspaceOf } from "../../support/people.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { aProposal } from "../proposals/proposalCalls.ts"

const event = { type: "thing.noted", data: {} }

export const quotaStoreContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))
  const count = (name: QuotaName, ownerId: string) =>
    Effect.flatMap(QuotaStore, (store) => store.count(quotas[name], ownerId))

  rule(
    "for a person without records, the quota store counts zero records of each type with a quota",
    Effect.gen(function* () {
      const ownerId = uuidv7()
      for (const name of Object.keys(quotas) as ReadonlyArray<QuotaName>) {
        assert.strictEqual(yield* count(name, ownerId), 0, name)
      }
    })
  )

  rule(
    "the quota store counts the records of a person in all spaces, but no archived records and no records of other people",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const records = yield* Records
      const add = (at: string) =>
        withReach(reach)(
          records.add(
            Project,
            {
              id: uuidv7(),
              spaceId: at,
              fields: { name: "Quay", description: null, status: "active", settings: {}, metadata: {} }
            },
            event,
            aPassed
          )
        )
      yield* add(spaceId)
      const { id } = yield* add(personId)
      assert.strictEqual(yield* count("project", personId), 2)
      yield* withReach(reach)(records.remove(Project, id, null, event, aPassed))
      assert.strictEqual(yield* count("project", personId), 1)
      assert.strictEqual(yield* count("project", uuidv7()), 0)
    })
  )

  rule(
    "the quota store counts the agents, the workspaces and the unrevoked keys of a person, and the waiting proposals of an agent",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const asPerson = withReach(reach)
      const before = yield* count("workspace", personId)
      yield* aWorkspaceOf(personId)
      assert.strictEqual(yield* count("workspace", personId), before + 1)

      const keys = yield* KeyStore
      const key = yield* asPerson(keys.add(aNewKey({ personId }), aPassed))
      assert.strictEqual(yield* count("api_key", personId), 1)
      yield* asPerson(keys.revoke(key.id, "test", aPassed))
      assert.strictEqual(yield* count("api_key", personId), 0)

      yield* asPerson(Effect.flatMap(PeopleStore, ({ addAgent }) => addAgent(uuidv7(), anAgent(), aPassed)))
      assert.strictEqual(yield* count("agent", personId), 1)

      const proposal = aProposal({ spaceId, userId: personId })
      yield* asPerson(Effect.flatMap(ProposalStore, ({ add }) => add(proposal, event, aPassed)))
      assert.strictEqual(yield* count("proposal", proposal.actorId), 1)
    })
  )
}
