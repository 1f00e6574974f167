/** What every store of policies must do. The tests run on memory, PGlite and PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, type Layer } from "effect"
import { type GovernanceRule, standardPolicy, type WorkspacePolicy } from "../../../src/features/gate/Policy.ts"
import { type NewGovernanceRule, PolicyStore } from "../../../src/features/governance/PolicyStore.ts"
import { PeopleStore } from "../../../src/features/people/PeopleStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aMember, anAgent, aPerson, aWorkspaceOf, eventsIn } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { aPassed } from "../../support/passed.ts"

const farAhead = DateTime.unsafeMake("2999-01-01T00:00:00Z")
const longAgo = DateTime.unsafeMake("1969-01-01T00:00:00Z")

export const aRule = (
  rule: Partial<NewGovernanceRule> & Pick<NewGovernanceRule, "spaceId" | "createdBy">
): NewGovernanceRule => ({
  id: uuidv7(),
  principalKind: rule.agentUserId === undefined || rule.agentUserId === null ? "any" : "agent",
  agentUserId: null,
  scopeKind: rule.spaceId === rule.createdBy ? "pod" : "workspace",
  workspaceId: rule.spaceId === rule.createdBy ? null : rule.spaceId,
  targetKind: "action",
  targetPattern: "entity.create",
  targetProfile: null,
  verdict: "auto",
  sourceProposalId: null,
  provenance: "authored",
  createdAt: DateTime.unsafeMake(0),
  expiresAt: null,
  ...rule
})

const anyPolicy: WorkspacePolicy = { governanceMode: "standard", autoApproveFor: ["entity.*"], linkedAgentId: uuidv7() }
const event = (type: string, subjectId: string) => ({ type, subjectId, data: { note: type } })

/**
 * Creates a person in a workspace, and an agent of this person. Returns functions that use the policy store as this
 * person.
 */
const kept = Effect.gen(function* () {
  const store = yield* PolicyStore
  const { personId, spaceId, reach } = yield* aMember()
  const people = yield* PeopleStore
  const agent = yield* withReach(reach)(people.addAgent(uuidv7(), anAgent(), aPassed))
  const principal = { ...reach.principal, holder: { id: agent.id, kind: "agent" as const, capabilities: [] } }
  const under = (space: string) =>
    Effect.map(withReach({ ...reach, principal })(store.policyFor(principal, space)), ({ policy }) => policy)
  const add = (rule: Partial<NewGovernanceRule> = {}) => {
    const made = aRule({ spaceId, createdBy: personId, ...rule })
    return Effect.as(withReach(reach)(store.addRule(made, event("governance.rule.create", made.id), aPassed)), made)
  }
  return { store, people, personId, spaceId, reach, agent, under, add }
})

const idsOf = (rules: ReadonlyArray<GovernanceRule>) => rules.map(({ id }) => id)

export const policyStoreContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "without a stored policy, an agent has a membership role only in the personal space of its owner, and each write of the agent needs approval",
    Effect.gen(function* () {
      const { personId, spaceId, under } = yield* kept
      const nothing = { writesRequireProposal: true, workspace: standardPolicy, rules: [] }
      assert.deepStrictEqual(yield* under(personId), { ...nothing, agentRole: "owner" })
      assert.deepStrictEqual(yield* under(spaceId), { ...nothing, agentRole: null })
      assert.deepStrictEqual(yield* under(uuidv7()), { ...nothing, agentRole: null })
    })
  )

  rule(
    "when a person lets an agent write without approval, this applies in every space, but not to the other agents of the person",
    Effect.gen(function* () {
      const { agent, people, personId, reach, spaceId, under } = yield* kept
      const other = yield* withReach(reach)(people.addAgent(uuidv7(), anAgent(), aPassed))
      yield* withReach(reach)(people.changeAgent(agent.id, { writesRequireProposal: false }, aPassed))
      for (const space of [personId, spaceId]) assert.isFalse((yield* under(space)).writesRequireProposal)
      const store = yield* PolicyStore
      const strict = { ...reach.principal, holder: { id: other.id, kind: "agent" as const, capabilities: [] } }
      assert.isTrue((yield* withReach(reach)(store.policyFor(strict, spaceId))).policy.writesRequireProposal)
    })
  )

  rule(
    "a new policy of a workspace replaces the whole earlier policy, applies only in that workspace, and is stored together with an event",
    Effect.gen(function* () {
      const { personId, reach, spaceId, store, under } = yield* kept
      const otherSpace = yield* aWorkspaceOf(personId)
      const both = withReach(aReach({ personId, spaces: [spaceId, otherSpace] }))
      assert.deepStrictEqual(yield* both(store.workspacePolicy(spaceId)), standardPolicy)
      const policies = [anyPolicy, { ...anyPolicy, autoApproveFor: [] }, { ...standardPolicy, autoApproveFor: ["*"] }]
      for (const policy of policies) {
        yield* withReach(reach)(
          store.changeWorkspacePolicy(spaceId, policy, event("workspace.update", spaceId), aPassed)
        )
        assert.deepStrictEqual(yield* both(store.workspacePolicy(spaceId)), policy)
        assert.deepStrictEqual((yield* under(spaceId)).workspace, policy)
        assert.deepStrictEqual((yield* under(personId)).workspace, standardPolicy)
        assert.deepStrictEqual(yield* both(store.workspacePolicy(otherSpace)), standardPolicy)
      }
      const events = (yield* eventsIn(spaceId, personId)).slice(1)
      const formerPolicies = [standardPolicy, ...policies.slice(0, -1)]
      const { data, ...identity } = event("workspace.update", spaceId)
      assert.deepStrictEqual(
        events.map((each) => each.data),
        formerPolicies.map((before) => ({ ...data, before }))
      )
      for (const each of events) assert.deepInclude(each, identity)
    })
  )

  rule(
    "the event of a changed policy has the former values of only those settings that the change names",
    Effect.gen(function* () {
      const { personId, reach, spaceId, store } = yield* kept
      const change = (policyChange: Partial<WorkspacePolicy>) =>
        withReach(reach)(
          store.changeWorkspacePolicy(spaceId, policyChange, event("workspace.update", spaceId), aPassed)
        )
      yield* change({ autoApproveFor: ["view.*"] })
      yield* change({ linkedAgentId: anyPolicy.linkedAgentId })
      yield* change({ autoApproveFor: null })
      yield* change({})
      const events = (yield* eventsIn(spaceId, personId)).slice(1)
      assert.deepStrictEqual(
        events.map(({ data }) => data["before"]),
        [{ autoApproveFor: null }, { linkedAgentId: null }, { autoApproveFor: ["view.*"] }, {}]
      )
    })
  )

  rule(
    "a governance rule belongs to a workspace or to the person who owns the agents, and applies to all agents or to one named agent until the rule expires",
    Effect.gen(function* () {
      const { add, agent, personId, spaceId, under } = yield* kept
      const otherSpace = yield* aWorkspaceOf(personId)
      const stranger = yield* aMember()
      const here = yield* add()
      const hereForIt = yield* add({ agentUserId: agent.id })
      const everywhere = yield* add({ spaceId: personId, verdict: "propose" })
      const lasting = yield* add({ expiresAt: farAhead })
      yield* add({ expiresAt: longAgo })
      yield* add({ agentUserId: uuidv7() })
      yield* add({ spaceId: otherSpace })
      const store = yield* PolicyStore
      const theirs = aRule({ spaceId: stranger.personId, createdBy: stranger.personId })
      yield* withReach(stranger.reach)(store.addRule(theirs, event("governance.rule.create", theirs.id), aPassed))
      const inSpace = yield* under(spaceId)
      assert.sameMembers(idsOf(inSpace.rules), [here.id, hereForIt.id, everywhere.id, lasting.id])
      assert.deepStrictEqual(idsOf((yield* under(personId)).rules), [everywhere.id])
    })
  )

  rule(
    "the list of governance rules contains all rules of the requested spaces as they were stored, newest first, and includes expired rules",
    Effect.gen(function* () {
      const { add, agent, personId, reach, spaceId, store } = yield* kept
      const foreign = yield* kept
      const first = yield* add()
      const second = yield* add({
        agentUserId: agent.id,
        targetKind: "profile",
        targetPattern: "user_observation",
        verdict: "propose",
        sourceProposalId: uuidv7(),
        provenance: "earned",
        expiresAt: longAgo
      })
      const pod = yield* add({
        spaceId: personId,
        targetPattern: "entity.*",
        targetProfile: "task",
        expiresAt: farAhead
      })
      yield* foreign.add()
      const asked = (...spaces: ReadonlyArray<string>) => withReach(reach)(store.rules(spaces))
      assert.deepStrictEqual(idsOf(yield* asked(spaceId, personId)), [pod.id, second.id, first.id])
      assert.deepStrictEqual(idsOf(yield* asked(personId)), [pod.id])
      assert.deepStrictEqual(yield* asked(), [])
      assert.deepStrictEqual(yield* asked(uuidv7()), [])
      for (const read of yield* asked(spaceId, personId)) {
        const { spaceId: _, ...expected } = [first, second, pod].find(({ id }) => id === read.id)!
        assert.deepStrictEqual(read, expected)
      }
    })
  )

  rule(
    "a governance rule can be revoked only once, with one event, and only by a call that names the space of the rule",
    Effect.gen(function* () {
      const { add, personId, reach, spaceId, store, under } = yield* kept
      const { id } = yield* add()
      const revoke = (spaces: ReadonlyArray<string>) =>
        withReach(reach)(store.revokeRule(id, spaces, event("governance.rule.delete", id), aPassed))
      for (const elsewhere of [[], [personId], [uuidv7()]]) assert.isFalse(yield* revoke(elsewhere))
      assert.deepStrictEqual(idsOf((yield* under(spaceId)).rules), [id])
      assert.isTrue(yield* revoke([personId, spaceId]))
      assert.isFalse(yield* revoke([personId, spaceId]))
      assert.deepStrictEqual(yield* withReach(reach)(store.rules([spaceId])), [])
      assert.deepStrictEqual((yield* under(spaceId)).rules, [])
      assert.deepStrictEqual(
        (yield* eventsIn(spaceId, personId)).map(({ type }) => type),
        ["workspace.create", "governance.rule.create", "governance.rule.delete"]
      )
    })
  )

  rule(
    "a governance rule for all agents of one person does not apply to an agent of another person, not even in a workspace that both people can access",
    Effect.gen(function* () {
      const { add, people, personId, spaceId, store } = yield* kept
      const other = aReach({ personId: yield* aPerson, spaces: [spaceId] })
      const { id: agentId } = yield* withReach(other)(people.addAgent(uuidv7(), anAgent(), aPassed))
      yield* add({ spaceId: personId, verdict: "propose" })
      const shared = yield* add()
      const principal = { ...other.principal, holder: { id: agentId, kind: "agent" as const, capabilities: [] } }
      const { policy } = yield* withReach({ ...other, principal })(store.policyFor(principal, spaceId))
      assert.deepStrictEqual(idsOf(policy.rules), [shared.id])
    })
  )
}
