/** What every store of workspaces must do. The tests run on memory, PGlite and PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { Cause, Effect, Exit, type Layer } from "effect"
import { AuthorityLost } from "../../../src/doors/Authority.ts"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { PeopleStore } from "../../../src/features/people/PeopleStore.ts"
import type { NewWorkspace } from "../../../src/features/workspaces/Workspace.ts"
import { WorkspaceStore } from "../../../src/features/workspaces/WorkspaceStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aPerson, aWorkspaceOf, eventsIn, throughKey, upTo } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { aPassed } from "../../support/passed.ts"

const aWorkspace = (workspace: Partial<NewWorkspace> = {}): NewWorkspace => ({
  id: uuidv7(),
  name: "Workspace",
  workspaceType: null,
  templateId: null,
  proposalId: null,
  definition: {},
  ...workspace
})

const added = (reach: ReachShape, workspace: NewWorkspace) =>
  Effect.flatMap(WorkspaceStore, ({ add }) => withReach(reach)(add(workspace, aPassed)))

const found = (reach: ReachShape, id: string) =>
  Effect.flatMap(WorkspaceStore, ({ get }) => Effect.orElseSucceed(withReach(reach)(get(id)), () => null))

const listed = (reach: ReachShape) =>
  Effect.flatMap(WorkspaceStore, ({ list }) => withReach(reach)(list)).pipe(
    Effect.map((workspaces) => workspaces.map(({ id }) => id))
  )

const accessOf = (personId: string) => Effect.flatMap(PeopleStore, (people) => people.accessOf(personId))

export const workspaceStoreContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "a request for a workspace that the caller cannot access gets the same answer as for a missing workspace",
    Effect.gen(function* () {
      const personId = yield* aPerson
      const id = yield* aWorkspaceOf(personId)
      const other = yield* aWorkspaceOf(personId)
      const spaces = [id, other]
      for (const outside of [
        aReach(),
        aReach({ personId }),
        aReach({ personId, spaces: [other] }),
        aReach({ personId, spaces, workspaceId: other }),
        aReach({ personId, spaces, grant: { workspaceIds: [other] } }),
        aReach({ personId, spaces, grant: { permissions: ["entity", "workspace.create"] } }),
        aReach({ personId, spaces, grant: { entityIds: [other] } })
      ]) {
        assert.isNull(yield* found(outside, id))
        assert.notInclude(yield* listed(outside), id)
      }
      assert.strictEqual((yield* found(aReach({ personId, spaces }), id))?.id, id)
    })
  )

  rule(
    "a person who is not a member of a workspace cannot see the workspace, even if the call was given access to its space",
    Effect.gen(function* () {
      const id = yield* aWorkspaceOf(yield* aPerson)
      const left = aReach({ personId: yield* aPerson, spaces: [id] })
      assert.isNull(yield* found(left, id))
      assert.deepStrictEqual(yield* listed(left), [])
    })
  )

  rule(
    "if two people create a workspace with the same proposal id, each of them gets a separate workspace",
    Effect.gen(function* () {
      const proposalId = uuidv7()
      const [one, other] = [aReach({ personId: yield* aPerson }), aReach({ personId: yield* aPerson })]
      const theirs = yield* added(one, aWorkspace({ proposalId }))
      const mine = yield* added(other, aWorkspace({ proposalId }))
      assert.isTrue(mine.created)
      assert.notStrictEqual(mine.workspaceId, theirs.workspaceId)
    })
  )

  rule(
    "if a person creates a workspace with the same proposal id again, the pod returns the existing workspace and changes nothing",
    Effect.gen(function* () {
      const personId = yield* aPerson
      const proposalId = uuidv7()
      const { workspaceId } = yield* added(aReach({ personId }), aWorkspace({ proposalId, name: "First" }))
      const before = yield* accessOf(personId)
      const reach = aReach({ personId, spaces: [workspaceId] })
      const again = yield* added(reach, aWorkspace({ proposalId, name: "Second" }))
      assert.deepStrictEqual(again, { workspaceId, created: false })
      assert.deepStrictEqual(yield* accessOf(personId), before)
      assert.strictEqual((yield* found(reach, workspaceId))?.name, "First")
      assert.lengthOf(yield* eventsIn(workspaceId, personId), 1)
    })
  )

  rule(
    "concurrent requests with one proposal id create one workspace, and each further request gets this workspace or fails because the caller's access has changed",
    Effect.gen(function* () {
      const personId = yield* aPerson
      const proposalId = uuidv7()
      const keyed = yield* throughKey(aReach({ personId }))
      const exits = yield* Effect.forEach(upTo(8), () => Effect.exit(added(keyed, aWorkspace({ proposalId }))), {
        concurrency: "unbounded"
      })
      const { memberships } = yield* accessOf(personId)
      assert.lengthOf(memberships, 2)
      const workspaceId = memberships[1].spaceId
      const answers = exits.map((exit) =>
        Exit.match(exit, {
          onSuccess: (answer) => JSON.stringify(answer),
          // The first request changes the person's access, so the other requests fail with AuthorityLost. In a pod, the
          // dispatcher looks up the access again and repeats these requests.
          onFailure: (cause) => (Cause.squash(cause) instanceof AuthorityLost ? "tried again" : Cause.pretty(cause))
        })
      )
      const made = JSON.stringify({ workspaceId, created: true })
      assert.lengthOf(
        answers.filter((answer) => answer === made),
        1
      )
      const others = new Set(answers.filter((answer) => answer !== made))
      assert.includeMembers(["tried again", JSON.stringify({ workspaceId, created: false })], [...others])
    })
  )

  rule(
    "a new workspace has its creator as owner, and its creation is the first event of its log",
    Effect.gen(function* () {
      const personId = yield* aPerson
      const reach = aReach({ personId })
      const made = aWorkspace({ name: "Acme", workspaceType: "project", templateId: "t", definition: { a: [1, null] } })
      assert.deepStrictEqual(yield* added(reach, made), { workspaceId: made.id, created: true })
      const workspace = yield* found(aReach({ personId, spaces: [made.id] }), made.id)
      assert.deepInclude(workspace, { name: "Acme", workspaceType: "project", templateId: "t", role: "owner" })
      assert.deepInclude(workspace, { description: null, provisioningStatus: "ready" })
      const members = workspace?.members.map(({ userId, name, kind, role }) => [userId, name, kind, role])
      assert.deepStrictEqual(members, [[personId, "Somebody", "person", "owner"]])
      const [event, ...more] = yield* eventsIn(made.id, personId)
      assert.deepStrictEqual(more, [])
      const who = { userId: personId, actorId: personId, correlationId: reach.origin.requestId }
      assert.deepInclude(event, { ...who, type: "workspace.create", subjectId: made.id, workspaceId: made.id, seq: 1 })
    })
  )

  rule(
    "each workspace that a person creates raises the epoch of the person by one, even if several workspaces are created at the same moment",
    Effect.gen(function* () {
      const personId = yield* aPerson
      yield* Effect.forEach(upTo(6), () => added(aReach({ personId }), aWorkspace()), { concurrency: "unbounded" })
      const { epoch, memberships } = yield* accessOf(personId)
      assert.deepStrictEqual([epoch, memberships.length], [7, 7])
      assert.deepStrictEqual(memberships[0], { spaceId: personId, role: "owner" })
    })
  )

  rule(
    "workspaces are listed by name and then by id, without the personal space",
    Effect.gen(function* () {
      const personId = yield* aPerson
      const names = ["Beta", "Alpha", "Beta", "Alpha"]
      const made = yield* Effect.forEach(names, (name) => aWorkspaceOf(personId, name))
      const [second, first, fourth, third] = made
      assert.deepStrictEqual(yield* listed(aReach({ personId, spaces: made })), [first, third, second, fourth])
    })
  )

  rule(
    "the names of listed workspaces are compared letter by letter, without the rules of a language",
    Effect.gen(function* () {
      const personId = yield* aPerson
      const names = ["Zebra", "a", "a !", "a-b", "aB", "a_b", "b", "\u00e4"]
      const made = yield* Effect.forEach(names.toReversed(), (name) => aWorkspaceOf(personId, name))
      assert.deepStrictEqual(yield* listed(aReach({ personId, spaces: made })), made.toReversed())
    })
  )
}
