/** How a workspace stands, for who changes it, and how it is changed. */
import { Context, DateTime, Effect, Layer, Ref } from "effect"
import { type Bounds, Reach } from "../../doors/Reach.ts"
import { Revocations } from "../../doors/Revocations.ts"
import { MemoryEvents } from "../events/EventLog.ts"
import type { EventDraft } from "../events/Event.ts"
import type { Passed } from "../gate/Passed.ts"
import { WorkspaceChanged, WorkspaceNotFound } from "./Workspace.ts"
import { settingsWith, type WorkspaceFields } from "./WorkspaceSettings.ts"
import { isWithin, type KeptWorkspace, MemoryWorkspaces } from "./WorkspaceStore.ts"
import type { WorkspaceWish } from "./WorkspaceWish.ts"

export interface StandingWorkspace {
  readonly id: string
  readonly version: number
  readonly fields: WorkspaceFields
  /** What it was made from; its name may be another one by now. */
  readonly wish: Omit<WorkspaceWish, "name">
}

export class WorkspaceChangeStore extends Context.Tag("pod/WorkspaceChangeStore")<
  WorkspaceChangeStore,
  {
    /** Found when the call reads it or may change it. */
    readonly find: (id: string) => Effect.Effect<StandingWorkspace, WorkspaceNotFound, Reach>
    /** Writes the given fields. `expectedVersion` null: over whatever is there. */
    readonly change: (
      id: string,
      fields: Partial<WorkspaceFields>,
      expectedVersion: number | null,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<StandingWorkspace, WorkspaceNotFound | WorkspaceChanged, Reach>
    /**
     * Takes the making of a workspace of the call's person back, while nothing but its making happened in it: nobody
     * belongs to it any more. Answers false where something did.
     */
    readonly unmake: (id: string, event: EventDraft, passed: Passed) => Effect.Effect<boolean, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { append, events } = yield* MemoryEvents
      const { kept, users } = yield* MemoryWorkspaces
      const revocations = yield* Revocations
      const put = (workspace: KeptWorkspace) =>
        Ref.update(kept, (all) => all.map((each) => (each.id === workspace.id ? workspace : each)))
      const findIn = (id: string, ...either: ReadonlyArray<Bounds>) =>
        Effect.flatMap(Ref.get(kept), (all) => {
          const found = all.find((each) => each.id === id && either.some((bounds) => isWithin(bounds, each)))
          return found === undefined ? Effect.fail(new WorkspaceNotFound({ id })) : Effect.succeed(found)
        })

      return {
        find: (id) =>
          Effect.flatMap(Reach, ({ bounds }) =>
            Effect.map(findIn(id, bounds("workspace", "read"), bounds("workspace", "update")), standing)
          ),
        change: (id, fields, expectedVersion, event, passed) =>
          Effect.gen(function* () {
            const reach = yield* Reach
            const found = yield* findIn(id, reach.bounds("workspace", "update"))
            const { version } = found
            if (expectedVersion !== null && expectedVersion !== version) return yield* new WorkspaceChanged({ version })
            const { description = found.description, name = found.name, ...settings } = fields
            const made = {
              ...found,
              name,
              description,
              settings: settingsWith({ ...found.settings, ...settings }),
              version: version + 1,
              updatedAt: yield* DateTime.now
            }
            yield* put(made)
            yield* append(reach, id, event, passed)
            return standing(made)
          }),
        unmake: (id, event, passed) =>
          Effect.gen(function* () {
            const reach = yield* Reach
            const { personId } = reach.principal
            const found = (yield* Ref.get(kept)).find((each) => each.id === id && each.ownerId === personId)
            const isUsed = (yield* Ref.get(events)).some(
              ({ event: { type }, spaceId }) => spaceId === id && !isOfItsMaking(type)
            )
            if (found === undefined || found.isArchived || isUsed) return false
            yield* put({ ...found, isArchived: true, proposalId: null, provisionKey: null })
            yield* Ref.update(users.all, (all) => {
              const person = all.get(personId)
              if (person === undefined) return all
              const memberships = person.memberships.filter(({ spaceId }) => spaceId !== id)
              return new Map(all).set(personId, { ...person, epoch: person.epoch + 1, memberships })
            })
            revocations.end(reach.principal.credential.id)
            yield* append(reach, id, event, passed)
            return true
          })
      }
    })
  )
}

/** The events that its making leaves in its log. */
const isOfItsMaking = (type: string) => type.startsWith("workspace.") || type.startsWith("member.")

const standing = (workspace: KeptWorkspace): StandingWorkspace => ({
  id: workspace.id,
  version: workspace.version,
  fields: { name: workspace.name, description: workspace.description, ...workspace.settings },
  wish: {
    workspaceType: workspace.workspaceType,
    templateId: workspace.templateId,
    proposalId: workspace.proposalId,
    provisionKey: workspace.provisionKey,
    agentUserId: workspace.governance?.linkedAgentId ?? null,
    definition: workspace.definition
  }
})
