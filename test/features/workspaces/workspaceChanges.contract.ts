/**
 * What the stores of workspace settings, members and provisioning must do. The tests run on memory, PGlite and
 * PostgreSQL.
 */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { systemReach } from "../../../src/doors/Reach.ts"
import { EventLog } from "../../../src/features/events/EventLog.ts"
import { PeopleStore } from "../../../src/features/people/PeopleStore.ts"
import { ProjectionStore } from "../../../src/features/projection/ProjectionStore.ts"
import { MemberStore } from "../../../src/features/workspaces/MemberStore.ts"
import { ProvisioningStore } from "../../../src/features/workspaces/ProvisioningStore.ts"
import { WorkspaceChangeStore } from "../../../src/features/workspaces/WorkspaceChangeStore.ts"
import { WorkspaceStore } from "../../../src/features/workspaces/WorkspaceStore.ts"
import { newWorkspaceOf } from "../../../src/features/workspaces/WorkspaceRequest.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aMember, anAgent, aPerson, eventsIn } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { aPassed } from "../../support/passed.ts"

const event = { type: "workspace.test", data: {} }
const query = (workspace: string) => ({ workspace, limit: 20 })

const tagOf = <A, E extends { readonly _tag: string }, R>(work: Effect.Effect<A, E, R>) =>
  Effect.match(work, { onFailure: ({ _tag }) => _tag, onSuccess: () => "it was done" })

const anAgentOf = (personId: string) =>
  Effect.gen(function* () {
    const id = uuidv7()
    yield* withReach(aReach({ personId }))((yield* PeopleStore).addAgent(id, anAgent(), aPassed))
    return id
  })

const everything = { enabled: true, roles: ["note"], fields: ["title"] }

export const workspaceChangesContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "a caller cannot find, change, join or remove a workspace that the caller cannot access",
    Effect.gen(function* () {
      const [changes, members, provisioning, projections] = yield* Effect.all([
        WorkspaceChangeStore,
        MemberStore,
        ProvisioningStore,
        ProjectionStore
      ])
      const { personId, reach, spaceId } = yield* aMember()
      const agentId = yield* anAgentOf(personId)
      yield* withReach(reach)(members.enroll(agentId, spaceId, "viewer", event, aPassed))
      yield* withReach(reach)(changes.change(spaceId, { publicProjection: everything }, null, event, aPassed))
      const before = yield* eventsIn(spaceId, personId)
      const stranger = yield* aPerson
      const theirs = yield* anAgentOf(stranger)
      for (const outside of [
        aReach(),
        aReach({ personId }),
        aReach({ personId: stranger }),
        aReach({ personId, spaces: [spaceId], workspaceId: uuidv7() }),
        aReach({ personId, spaces: [spaceId], grant: { workspaceIds: [] } }),
        aReach({ personId, spaces: [spaceId], grant: { permissions: ["entity"] } })
      ]) {
        const call = withReach(outside)
        assert.strictEqual(yield* tagOf(call(changes.find(spaceId))), "WorkspaceNotFound")
        assert.strictEqual(
          yield* tagOf(call(changes.change(spaceId, { name: "x" }, null, event, aPassed))),
          "WorkspaceNotFound"
        )
        assert.isNull(yield* call(provisioning.progress(spaceId)))
        assert.deepStrictEqual(yield* call(members.memberships([agentId])), [])
        assert.isFalse(yield* call(members.dismiss(agentId, spaceId, event, aPassed)))
        assert.isFalse(yield* call(members.enroll(agentId, spaceId, "admin", event, aPassed)))
        assert.isNull(yield* call(projections.read(query(spaceId))))
      }
      // A caller with access to a workspace can neither enrol another person's agent nor remove another person's
      // workspace.
      const guest = withReach(aReach({ personId: stranger, spaces: [spaceId] }))
      assert.isFalse(yield* guest(changes.revertCreation(spaceId, event, aPassed)))
      assert.isFalse(yield* withReach(reach)(members.enroll(theirs, spaceId, "editor", event, aPassed)))
      assert.deepStrictEqual(yield* eventsIn(spaceId, personId), before)
      assert.isNotNull(yield* withReach(reach)(projections.read(query(spaceId))))
    })
  )

  rule(
    "a public request for one workspace can read the published data of this workspace and of no other, and a personal space has no published data",
    Effect.gen(function* () {
      const { read } = yield* ProjectionStore
      const changes = yield* WorkspaceChangeStore
      const { personId, reach, spaceId } = yield* aMember()
      const nobody = (spaces: ReadonlyArray<string>) =>
        systemReach("test", "00000000-0000-0000-0000-000000000000", spaces, reach.origin)
      assert.isNull(yield* withReach(nobody([spaceId]))(read(query(spaceId))))
      yield* withReach(reach)(changes.change(spaceId, { publicProjection: everything }, null, event, aPassed))
      assert.deepStrictEqual((yield* withReach(nobody([spaceId]))(read(query(spaceId))))?.config, everything)
      assert.isNull(yield* withReach(nobody([personId]))(read(query(spaceId))))
      assert.isNull(yield* withReach(nobody([personId]))(read(query(personId))))
    })
  )

  rule(
    "the workspace store refuses a change that expects an earlier version, and accepts a change without an expected version",
    Effect.gen(function* () {
      const { change, find } = yield* WorkspaceChangeStore
      const { personId, reach, spaceId } = yield* aMember()
      const call = withReach(reach)
      const first = yield* call(change(spaceId, { description: "One", sourceRoles: { a: 1 } }, 1, event, aPassed))
      assert.deepInclude(first, { version: 2 })
      assert.strictEqual(yield* tagOf(call(change(spaceId, { name: "Two" }, 1, event, aPassed))), "WorkspaceChanged")
      const second = yield* call(
        change(spaceId, { description: null, providerRouting: { mode: "local" } }, null, event, aPassed)
      )
      assert.deepStrictEqual(second.fields, {
        name: "Workspace",
        description: null,
        providerRouting: { mode: "local" },
        sourceRoles: { a: 1 },
        defaultSources: {},
        publicProjection: null,
        searchLanguage: "english"
      })
      assert.deepStrictEqual(yield* call(find(spaceId)), second)
      assert.lengthOf(yield* eventsIn(spaceId, personId), 3)
    })
  )

  rule(
    "a second request to add an agent to a workspace or to remove the agent changes nothing, and the log gets one event for the first addition and one for the first removal",
    Effect.gen(function* () {
      const { dismiss, enroll, memberships } = yield* MemberStore
      const { personId, reach, spaceId } = yield* aMember()
      const agentId = yield* anAgentOf(personId)
      const call = withReach(reach)
      assert.isTrue(yield* call(enroll(agentId, spaceId, "viewer", event, aPassed)))
      assert.isFalse(yield* call(enroll(agentId, spaceId, "admin", event, aPassed)))
      assert.deepStrictEqual(yield* call(memberships([agentId])), [{ agentId, spaceId, role: "viewer" }])
      assert.isFalse(yield* call(enroll(personId, spaceId, "admin", event, aPassed)))
      assert.isFalse(yield* call(dismiss(personId, spaceId, event, aPassed)))
      assert.isTrue(yield* call(dismiss(agentId, spaceId, event, aPassed)))
      assert.isFalse(yield* call(dismiss(agentId, spaceId, event, aPassed)))
      assert.lengthOf(yield* eventsIn(spaceId, personId), 3)
    })
  )

  rule(
    "the creation of a workspace can be reverted only before a first note is logged in it, and after the revert the provision key of the workspace can be used again",
    Effect.gen(function* () {
      const { add } = yield* WorkspaceStore
      const { revertCreation } = yield* WorkspaceChangeStore
      const { earlier } = yield* ProvisioningStore
      const { accessOf } = yield* PeopleStore
      const log = yield* EventLog
      const personId = yield* aPerson
      const agentUserId = yield* anAgentOf(personId)
      const wish = {
        name: "Mine",
        workspaceType: "agent",
        templateId: null,
        proposalId: null,
        provisionKey: "key",
        agentUserId,
        definition: {}
      }
      const own = withReach(aReach({ personId }))
      const first = yield* own(add(newWorkspaceOf(uuidv7(), wish), aPassed))
      const within = withReach(aReach({ personId, spaces: [first.workspaceId] }))
      assert.deepStrictEqual(yield* within(add(newWorkspaceOf(uuidv7(), wish), aPassed)), { ...first, created: false })
      assert.strictEqual(yield* within(earlier(wish)), first.workspaceId)
      assert.isNull(yield* within(earlier({ proposalId: null, provisionKey: "other" })))
      const { epoch } = yield* accessOf(personId)
      assert.isTrue(yield* own(revertCreation(first.workspaceId, event, aPassed)))
      const access = yield* accessOf(personId)
      assert.deepStrictEqual([access.epoch, access.memberships.length], [epoch + 1, 1])
      assert.isNull(yield* within(earlier(wish)))
      const second = yield* own(add(newWorkspaceOf(uuidv7(), wish), aPassed))
      assert.isTrue(second.created)
      const there = withReach(aReach({ personId, spaces: [second.workspaceId] }))
      yield* there(log.append(second.workspaceId, { type: "note.create", data: {} }, aPassed))
      assert.isFalse(yield* own(revertCreation(second.workspaceId, event, aPassed)))
    })
  )

  rule(
    "when the creation of a workspace is reverted, the agents in the workspace lose their membership",
    Effect.gen(function* () {
      const { revertCreation } = yield* WorkspaceChangeStore
      const { enroll, memberships } = yield* MemberStore
      const { personId, reach, spaceId } = yield* aMember()
      const agentId = yield* anAgentOf(personId)
      const call = withReach(reach)
      assert.isTrue(yield* call(enroll(agentId, spaceId, "viewer", event, aPassed)))
      assert.deepStrictEqual(yield* call(memberships([agentId])), [{ agentId, spaceId, role: "viewer" }])
      assert.isTrue(yield* call(revertCreation(spaceId, event, aPassed)))
      assert.deepStrictEqual(yield* call(memberships([agentId])), [])
    })
  )

  rule(
    "until the provisioning of a workspace is finished, its remaining steps are stored together with the failed step",
    Effect.gen(function* () {
      const { addProfiles, mark, progress } = yield* ProvisioningStore
      const { get } = yield* WorkspaceStore
      const { add } = yield* WorkspaceStore
      const personId = yield* aPerson
      const profiles = [{ slug: "lead", displayName: "Lead" }]
      const wish = {
        name: "Leads",
        workspaceType: null,
        templateId: null,
        proposalId: null,
        provisionKey: null,
        agentUserId: null,
        definition: { profiles }
      }
      const { workspaceId } = yield* withReach(aReach({ personId }))(add(newWorkspaceOf(uuidv7(), wish), aPassed))
      const call = withReach(aReach({ personId, spaces: [workspaceId] }))
      const begun = { agentUserId: null, profiles, status: "provisioning" as const, failedStep: null }
      assert.deepStrictEqual(yield* call(progress(workspaceId)), begun)
      yield* call(mark(workspaceId, { step: "profiles", why: "because" }, event, aPassed))
      assert.deepInclude(yield* call(progress(workspaceId)), { status: "failed", failedStep: "profiles" })
      assert.deepInclude(yield* call(get(workspaceId)), { failedStep: "profiles", failedStepError: "because" })
      yield* call(addProfiles(workspaceId, profiles, event, aPassed))
      yield* call(addProfiles(workspaceId, profiles, event, aPassed))
      yield* call(mark(workspaceId, "ready", event, aPassed))
      assert.deepInclude(yield* call(progress(workspaceId)), { status: "ready", failedStep: null })
      assert.notProperty(yield* call(get(workspaceId)), "failedStep")
    })
  )
}
