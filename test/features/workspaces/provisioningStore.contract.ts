/**
 * The rules for every store that records how far the creation of a workspace has come. The tests run on memory, PGlite
 * and PostgreSQL.
 */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { ProvisioningStore } from "../../../src/features/workspaces/ProvisioningStore.ts"
import { WorkspaceStore } from "../../../src/features/workspaces/WorkspaceStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aMember, aPerson, eventsIn } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { aPassed } from "../../support/passed.ts"

const eventOf = (spaceId: string, type: string) => ({ type, subjectId: spaceId, data: {} })

const progress = (reach: ReachShape, id: string) =>
  Effect.flatMap(ProvisioningStore, (store) => withReach(reach)(store.progress(id)))
const marked = (reach: ReachShape, id: string, outcome: { readonly step: string; readonly why: string } | "ready") =>
  Effect.flatMap(ProvisioningStore, ({ mark }) =>
    withReach(reach)(mark(id, outcome, eventOf(id, "workspace.provision"), aPassed))
  )
const profiled = (reach: ReachShape, id: string) =>
  Effect.flatMap(ProvisioningStore, ({ addProfiles }) =>
    withReach(reach)(addProfiles(id, [{ slug: "boat", displayName: "Boat" }], eventOf(id, "profile.create"), aPassed))
  )
const earlier = (reach: ReachShape, keys: { readonly proposalId?: string; readonly provisionKey?: string }) =>
  Effect.flatMap(ProvisioningStore, (store) =>
    withReach(reach)(store.earlier({ proposalId: null, provisionKey: null, ...keys }))
  )
const eventTypes = (spaceId: string, personId: string) =>
  Effect.map(eventsIn(spaceId, personId), (events) =>
    events.map(({ type }) => type).filter((type) => type !== "workspace.create")
  )

export const provisioningStoreContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "a caller who may not change a workspace cannot see the progress of its provisioning, and can neither change a step nor add a profile",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      for (const [caller, outside] of [
        ["a stranger", aReach()],
        ["a viewer", aReach({ personId, spaces: [spaceId], role: "viewer" })],
        ["a grant elsewhere", aReach({ personId, spaces: [spaceId], grant: { workspaceIds: [uuidv7()] } })],
        ["a reader", aReach({ personId, spaces: [spaceId], grant: { permissions: ["workspace.read"] } })]
      ] as const) {
        assert.isNull(yield* progress(outside, spaceId), caller)
        yield* marked(outside, spaceId, { step: "profiles", why: "theirs" })
        yield* profiled(outside, spaceId)
      }
      assert.deepInclude(yield* progress(reach, spaceId), { status: "ready", failedStep: null })
      assert.isNull(yield* progress(reach, uuidv7()))
      assert.deepStrictEqual(yield* eventTypes(spaceId, personId), [])
    })
  )

  rule(
    "until a workspace is ready, the provisioning store remembers which provisioning step failed, and the log gets one event for the failure and one event for the success",
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      yield* marked(reach, spaceId, { step: "profiles", why: "the name is taken" })
      assert.deepInclude(yield* progress(reach, spaceId), { status: "failed", failedStep: "profiles" })
      yield* profiled(reach, spaceId)
      yield* marked(reach, spaceId, "ready")
      assert.deepInclude(yield* progress(reach, spaceId), { status: "ready", failedStep: null })
      assert.deepStrictEqual(yield* eventTypes(spaceId, personId), [
        "workspace.provision",
        "profile.create",
        "workspace.provision"
      ])
    })
  )

  rule(
    "a repeated request to create a workspace finds the person's workspace by its `proposalId` or `provisionKey`, and finds no workspace of another person",
    Effect.gen(function* () {
      const personId = yield* aPerson
      const [proposalId, provisionKey, id] = [uuidv7(), uuidv7(), uuidv7()]
      const made = { id, name: "Made", workspaceType: null, templateId: null, proposalId, provisionKey, definition: {} }
      yield* withReach(aReach({ personId }))((yield* WorkspaceStore).add(made, aPassed))
      const reach = aReach({ personId, spaces: [id] })
      assert.strictEqual(yield* earlier(reach, { proposalId }), id)
      assert.strictEqual(yield* earlier(reach, { provisionKey }), id)
      assert.strictEqual(yield* earlier(reach, { proposalId: uuidv7(), provisionKey }), id)
      for (const keys of [{}, { proposalId: provisionKey }, { provisionKey: proposalId }]) {
        assert.isNull(yield* earlier(reach, keys))
      }
      const colleague = aReach({ personId: yield* aPerson, spaces: [id] })
      for (const other of [colleague, aReach(), aReach({ personId })]) {
        assert.isNull(yield* earlier(other, { proposalId, provisionKey }))
      }
    })
  )
}
