/** What every store of the memberships of agents must do, run against memory, PGlite and PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { PeopleStore } from "../../../src/features/people/PeopleStore.ts"
import { MemberStore } from "../../../src/features/workspaces/MemberStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aMember, anAgent, aPerson, aWorkspaceOf, eventsIn } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { aPassed } from "../../support/passed.ts"

const anAgentOf = (personId: string) =>
  Effect.flatMap(PeopleStore, ({ addAgent }) =>
    withReach(aReach({ personId }))(addAgent(uuidv7(), anAgent(), aPassed))
  ).pipe(Effect.map(({ id }) => id))

const eventOf = (agentId: string, verb: string) => ({ type: `member.${verb}`, subjectId: agentId, data: {} })

const enrolled = (reach: ReachShape, agentId: string, spaceId: string, role: "viewer" | "editor" = "editor") =>
  Effect.flatMap(MemberStore, ({ enroll }) =>
    withReach(reach)(enroll(agentId, spaceId, role, eventOf(agentId, "create"), aPassed))
  )
const dismissed = (reach: ReachShape, agentId: string, spaceId: string) =>
  Effect.flatMap(MemberStore, ({ dismiss }) =>
    withReach(reach)(dismiss(agentId, spaceId, eventOf(agentId, "delete"), aPassed))
  )
const memberships = (reach: ReachShape, agentId: string) =>
  Effect.flatMap(MemberStore, (members) => withReach(reach)(members.memberships(agentId)))
const told = (spaceId: string, personId: string) =>
  Effect.map(eventsIn(spaceId, personId), (events) =>
    events.map(({ type }) => type).filter((type) => type.startsWith("member."))
  )

export const memberStoreContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "a caller cannot enrol the agent of another person, a person, or an agent in a workspace that the caller cannot reach",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const agentId = yield* anAgentOf(personId)
      const otherId = yield* aPerson
      const foreign = yield* aWorkspaceOf(otherId)
      const theirAgent = yield* anAgentOf(otherId)
      for (const [caller, id, space] of [
        [reach, theirAgent, spaceId],
        [reach, otherId, spaceId],
        [reach, uuidv7(), spaceId],
        [reach, agentId, foreign],
        [aReach({ personId, spaces: [spaceId], role: "viewer" }), agentId, spaceId],
        [aReach({ personId, spaces: [spaceId], grant: { workspaceIds: [foreign] } }), agentId, spaceId]
      ] as const) {
        assert.isFalse(yield* enrolled(caller, id, space))
      }
      for (const id of [agentId, theirAgent]) assert.deepStrictEqual(yield* memberships(reach, id), [])
      assert.deepStrictEqual(yield* told(spaceId, personId), [])
    })
  )

  rule(
    "a caller can enrol an agent in a workspace once, with one event, and a second enrolment does not change its role",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const agentId = yield* anAgentOf(personId)
      assert.isTrue(yield* enrolled(reach, agentId, spaceId, "viewer"))
      assert.isFalse(yield* enrolled(reach, agentId, spaceId, "editor"))
      assert.deepStrictEqual(yield* memberships(reach, agentId), [{ spaceId, role: "viewer" }])
      assert.deepStrictEqual(yield* told(spaceId, personId), ["member.create"])
    })
  )

  rule(
    "the listed memberships of an agent are those in workspaces that the caller can read, oldest first",
    Effect.gen(function* () {
      const { personId, spaceId } = yield* aMember()
      const second = yield* aWorkspaceOf(personId)
      const reach = aReach({ personId, spaces: [spaceId, second] })
      const agentId = yield* anAgentOf(personId)
      for (const id of [spaceId, second]) assert.isTrue(yield* enrolled(reach, agentId, id))
      assert.deepStrictEqual(yield* memberships(reach, agentId), [
        { spaceId, role: "editor" },
        { spaceId: second, role: "editor" }
      ])
      const narrow = aReach({ personId, spaces: [spaceId, second], grant: { workspaceIds: [second] } })
      assert.deepStrictEqual(yield* memberships(narrow, agentId), [{ spaceId: second, role: "editor" }])
      assert.deepStrictEqual(yield* memberships(aReach(), agentId), [])
    })
  )

  rule(
    "only a caller who can reach a workspace can remove an agent from it, once, and cannot remove a person in this way",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const agentId = yield* anAgentOf(personId)
      yield* enrolled(reach, agentId, spaceId)
      for (const outside of [
        aReach(),
        aReach({ personId, spaces: [spaceId], role: "editor" }),
        aReach({ personId, spaces: [spaceId], grant: { workspaceIds: [uuidv7()] } })
      ]) {
        assert.isFalse(yield* dismissed(outside, agentId, spaceId))
      }
      assert.isFalse(yield* dismissed(reach, personId, spaceId))
      assert.deepStrictEqual(yield* memberships(reach, agentId), [{ spaceId, role: "editor" }])
      assert.isTrue(yield* dismissed(reach, agentId, spaceId))
      assert.isFalse(yield* dismissed(reach, agentId, spaceId))
      assert.deepStrictEqual(yield* memberships(reach, agentId), [])
      assert.deepStrictEqual(yield* told(spaceId, personId), ["member.create", "member.delete"])
    })
  )
}
