/** What every store of memberships must do. The tests run on memory, PGlite and PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, type Layer } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { PeopleStore } from "../../../src/features/people/PeopleStore.ts"
import { InvitationStore } from "../../../src/features/invitations/InvitationStore.ts"
import { WorkspaceStore } from "../../../src/features/workspaces/WorkspaceStore.ts"
import { type MembershipWrite, MemberStore } from "../../../src/features/workspaces/MemberStore.ts"
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
const changed = (reach: ReachShape, asked: Omit<MembershipWrite, "isOwner">, isOwner = true) =>
  Effect.flatMap(MemberStore, ({ change }) =>
    withReach(reach)(
      change({ ...asked, isOwner }, eventOf(asked.userId, asked.role === null ? "delete" : "update"), aPassed)
    )
  )
const faultOf = (reach: ReachShape, asked: Omit<MembershipWrite, "isOwner">, isOwner = true) =>
  Effect.map(changed(reach, asked, isOwner), (outcome) => outcome?.fault)
const aWish = { name: "Workspace", workspaceType: null, templateId: null, proposalId: null, definition: {} }

/** Adds another person to the workspace, as an accepted invitation of `invitedBy` does. */
const aColleague = (invitedBy: string, workspaceId: string, role: "admin" | "editor") =>
  Effect.gen(function* () {
    const personId = yield* aPerson
    const { join } = yield* InvitationStore
    const invitation = {
      id: uuidv7(),
      invitedBy,
      note: null,
      workspaceId,
      role,
      createdAt: DateTime.unsafeMake(0),
      expiresAt: DateTime.unsafeMake("2999-01-01"),
      usedAt: null,
      usedBy: null,
      withdrawnAt: null
    }
    assert.isTrue(
      yield* withReach(aReach({ personId: invitedBy, spaces: [workspaceId] }))(join(invitation, personId, aPassed))
    )
    return personId
  })
const memberships = (reach: ReachShape, agentId: string) =>
  Effect.flatMap(MemberStore, (members) => withReach(reach)(members.memberships([agentId]))).pipe(
    Effect.map((found) => found.map(({ role, spaceId }) => ({ spaceId, role })))
  )
const eventTypes = (spaceId: string, personId: string) =>
  Effect.map(eventsIn(spaceId, personId), (events) =>
    events.map(({ type }) => type).filter((type) => type.startsWith("member."))
  )

export const memberStoreContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "if a person has left the workspace that an earlier request created, a repetition of this request fails and creates nothing",
    Effect.gen(function* () {
      const { add } = yield* WorkspaceStore
      const personId = yield* aPerson
      for (const keys of [{ provisionKey: uuidv7() }, { proposalId: uuidv7() }]) {
        const wish = () => ({ ...aWish, ...keys, id: uuidv7() })
        const first = wish()
        yield* withReach(aReach({ personId }))(add(first, aPassed))
        const reach = aReach({ personId, spaces: [first.id] })
        const repeated = yield* withReach(reach)(add(wish(), aPassed))
        assert.deepStrictEqual(repeated, { workspaceId: first.id, created: false })
        const userId = yield* aColleague(personId, first.id, "admin")
        assert.isNull(yield* faultOf(reach, { userId, spaceId: first.id, role: "owner" }))
        assert.isNull(yield* faultOf(reach, { userId: personId, spaceId: first.id, role: null }))
        for (const by of [reach, aReach({ personId })]) {
          const again = wish()
          const refused = yield* Effect.flip(withReach(by)(add(again, aPassed)))
          assert.strictEqual(refused._tag, "EarlierWorkspaceGone")
          assert.deepStrictEqual(yield* eventsIn(again.id, personId), [])
        }
      }
    })
  )

  rule(
    "a person can enrol only their own agents in a workspace, and only as a member who may write in the workspace",
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
        // The pod computed the access rights of this person before the person left the workspace.
        [aReach({ personId: otherId, spaces: [spaceId] }), theirAgent, spaceId],
        [aReach({ personId, spaces: [spaceId], role: "viewer" }), agentId, spaceId],
        [aReach({ personId, spaces: [spaceId], grant: { workspaceIds: [foreign] } }), agentId, spaceId]
      ] as const) {
        assert.isFalse(yield* enrolled(caller, id, space))
      }
      for (const id of [agentId, theirAgent]) assert.deepStrictEqual(yield* memberships(reach, id), [])
      assert.deepStrictEqual(yield* eventTypes(spaceId, personId), [])
    })
  )

  rule(
    "a caller can enrol an agent in a workspace only once, with one event, and a second enrolment does not change the role of the agent",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const agentId = yield* anAgentOf(personId)
      assert.isTrue(yield* enrolled(reach, agentId, spaceId, "viewer"))
      assert.isFalse(yield* enrolled(reach, agentId, spaceId, "editor"))
      assert.deepStrictEqual(yield* memberships(reach, agentId), [{ spaceId, role: "viewer" }])
      assert.deepStrictEqual(yield* eventTypes(spaceId, personId), ["member.create"])
    })
  )

  rule(
    "the member store lists an agent's memberships in the workspaces that the caller can read, oldest first",
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
      const further = yield* anAgentOf(personId)
      assert.isTrue(yield* enrolled(reach, further, second))
      const both = yield* Effect.flatMap(MemberStore, (members) =>
        withReach(reach)(members.memberships([agentId, further]))
      )
      assert.sameDeepMembers(
        [...both],
        [
          { agentId, spaceId, role: "editor" },
          { agentId, spaceId: second, role: "editor" },
          { agentId: further, spaceId: second, role: "editor" }
        ]
      )
    })
  )

  rule(
    "only a caller who can access a workspace can change a role in the workspace, and only members can get another role",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const agentId = yield* anAgentOf(personId)
      yield* enrolled(reach, agentId, spaceId)
      for (const role of ["viewer", null] as const) {
        for (const outside of [
          aReach(),
          aReach({ personId, spaces: [spaceId], grant: { workspaceIds: [uuidv7()] } })
        ]) {
          assert.isUndefined(yield* changed(outside, { userId: agentId, spaceId, role }))
        }
        assert.isUndefined(yield* changed(reach, { userId: yield* aPerson, spaceId, role }))
      }
      assert.deepStrictEqual(yield* memberships(reach, agentId), [{ spaceId, role: "editor" }])
      assert.deepStrictEqual(yield* eventTypes(spaceId, personId), ["member.create"])
    })
  )

  rule(
    "the last owner of a workspace cannot be demoted or removed, only an owner can make or change owners, and an agent cannot become an owner",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const agentId = yield* anAgentOf(personId)
      yield* enrolled(reach, agentId, spaceId)
      const admin = yield* aColleague(personId, spaceId, "admin")
      for (const role of ["admin", "viewer", null] as const) {
        assert.strictEqual(yield* faultOf(reach, { userId: personId, spaceId, role }), "lastOwner")
        assert.strictEqual(yield* faultOf(reach, { userId: personId, spaceId, role }, false), "ownersOnly")
      }
      assert.strictEqual(yield* faultOf(reach, { userId: admin, spaceId, role: "owner" }, false), "ownersOnly")
      assert.strictEqual(yield* faultOf(reach, { userId: agentId, spaceId, role: "owner" }), "agentOwner")
      assert.strictEqual(yield* faultOf(reach, { userId: admin, spaceId, role: "admin" }), "same")
      assert.deepStrictEqual(yield* eventTypes(spaceId, personId), ["member.create", "member.create"])
    })
  )

  rule(
    "a change of a member's role in a workspace writes one event, and the removal of a person also removes this person's agents, but no other agents",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const other = yield* aColleague(personId, spaceId, "admin")
      const otherReach = aReach({ personId: other, spaces: [spaceId], role: "admin" })
      const [mine, theirs] = [yield* anAgentOf(personId), yield* anAgentOf(other)]
      yield* enrolled(reach, mine, spaceId)
      yield* enrolled(otherReach, theirs, spaceId)
      assert.deepStrictEqual(yield* changed(reach, { userId: theirs, spaceId, role: "viewer" }), {
        role: "editor",
        owners: 1,
        isAgent: true,
        fault: null
      })
      assert.isNull(yield* faultOf(reach, { userId: other, spaceId, role: "editor" }))
      assert.deepStrictEqual(yield* memberships(reach, other), [{ spaceId, role: "editor" }])
      assert.isNull(yield* faultOf(reach, { userId: other, spaceId, role: null }))
      for (const gone of [other, theirs]) assert.deepStrictEqual(yield* memberships(reach, gone), [])
      assert.deepStrictEqual(yield* memberships(reach, mine), [{ spaceId, role: "editor" }])
      // These are the events of the first person only. The event for the second agent is in the log of the other
      // person.
      assert.deepStrictEqual(yield* eventTypes(spaceId, personId), [
        "member.create",
        "member.create",
        "member.update",
        "member.update",
        "member.delete"
      ])
      const formerRoles = (yield* eventsIn(spaceId, personId)).flatMap(({ data }) =>
        data["before"] === undefined ? [] : [data["before"]]
      )
      assert.deepStrictEqual(formerRoles, [{ role: "editor" }, { role: "admin" }, { role: "editor" }])
    })
  )

  rule(
    "a viewer can leave a workspace with their own agents, and can change no other membership and no role",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const viewer = yield* aColleague(personId, spaceId, "editor")
      const [mine, theirs] = [yield* anAgentOf(personId), yield* anAgentOf(viewer)]
      yield* enrolled(reach, mine, spaceId)
      yield* enrolled(aReach({ personId: viewer, spaces: [spaceId], role: "admin" }), theirs, spaceId)
      const asViewer = aReach({ personId: viewer, spaces: [spaceId], role: "viewer" })
      for (const [userId, role] of [
        [viewer, "owner"],
        [viewer, "editor"],
        [personId, null],
        [mine, null],
        [theirs, null]
      ] as const) {
        assert.isUndefined(yield* changed(asViewer, { userId, spaceId, role }, false))
      }
      assert.isUndefined(yield* changed(aReach({ personId: viewer }), { userId: viewer, spaceId, role: null }, false))
      assert.isNull(yield* faultOf(asViewer, { userId: viewer, spaceId, role: null }, false))
      assert.isUndefined(yield* changed(asViewer, { userId: viewer, spaceId, role: null }, false))
      for (const gone of [viewer, theirs]) assert.deepStrictEqual(yield* memberships(reach, gone), [])
      assert.deepStrictEqual(yield* memberships(reach, mine), [{ spaceId, role: "editor" }])
      assert.deepStrictEqual(yield* eventTypes(spaceId, viewer), ["member.create", "member.delete"])
    })
  )

  rule(
    "when two owners of a workspace remove each other at the same moment, one owner remains",
    Effect.gen(function* () {
      const { personId, spaceId } = yield* aMember()
      const other = yield* aColleague(personId, spaceId, "admin")
      assert.isNull(yield* faultOf(aReach({ personId, spaces: [spaceId] }), { userId: other, spaceId, role: "owner" }))
      const outcomes = yield* Effect.all(
        [
          faultOf(aReach({ personId, spaces: [spaceId] }), { userId: other, spaceId, role: null }),
          faultOf(aReach({ personId: other, spaces: [spaceId] }), { userId: personId, spaceId, role: null })
        ],
        { concurrency: "unbounded" }
      )
      assert.sameMembers(outcomes, [null, "lastOwner"])
    })
  )

  rule(
    "only a caller who manages a workspace can remove an agent from it, a second removal changes nothing, and a removal of agents cannot remove a person",
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
      assert.deepStrictEqual(yield* eventTypes(spaceId, personId), ["member.create", "member.delete"])
    })
  )
}
