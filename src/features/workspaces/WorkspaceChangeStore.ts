/** The store that reads the current state of a workspace for a change, and writes the change. */
import { Context, Effect, Layer } from "effect"
import type { Bounds, Reach } from "../../doors/Reach.ts"
import { Revocations } from "../../doors/Revocations.ts"
import type { Rows } from "../../platform/MemoryDatabase.ts"
import type { EventDraft } from "../events/Event.ts"
import { eventTable, memoryStatements } from "../events/EventTable.ts"
import type { Passed } from "../gate/Passed.ts"
import { workspacePolicyTable } from "../gate/PolicyTable.ts"
import { WorkspaceChanged, WorkspaceNotFound } from "./Workspace.ts"
import { settingsWith, type WorkspaceFields } from "./WorkspaceSettings.ts"
import { isWorkspaceWithin, removeMembers, type StoredWorkspace, workspaceTable } from "./WorkspaceTable.ts"
import type { WorkspaceRequest } from "./WorkspaceRequest.ts"

export interface CurrentWorkspace {
  readonly id: string
  readonly version: number
  readonly fields: WorkspaceFields
  /** The request that created the workspace, without the name, because the name can have changed since then. */
  readonly workspaceRequest: Omit<WorkspaceRequest, "name">
}

export class WorkspaceChangeStore extends Context.Tag("pod/WorkspaceChangeStore")<
  WorkspaceChangeStore,
  {
    /** Finds a workspace that the caller is allowed to read or to change. */
    readonly find: (id: string) => Effect.Effect<CurrentWorkspace, WorkspaceNotFound, Reach>
    /** Writes the given fields. If `expectedVersion` is null, accepts any version of the workspace. */
    readonly change: (
      id: string,
      fields: Partial<WorkspaceFields>,
      expectedVersion: number | null,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<CurrentWorkspace, WorkspaceNotFound | WorkspaceChanged, Reach>
    /**
     * Reverts the creation of a workspace, and removes all members of the workspace. The workspace must belong to the
     * caller's person. If anything else has happened in the workspace since its creation, changes nothing and returns
     * false. The caller must run this in a transaction, so that no other write to the workspace can run between the
     * check and the revert.
     */
    readonly revertCreation: (id: string, event: EventDraft, passed: Passed) => Effect.Effect<boolean, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { read, write } = yield* memoryStatements
      const revocations = yield* Revocations
      const findIn = (rows: Rows, id: string, ...boundsList: ReadonlyArray<Bounds>) => {
        const found = rows.find(workspaceTable, id)
        return found !== undefined && boundsList.some((bounds) => isWorkspaceWithin(bounds, found)) ? found : undefined
      }

      return {
        find: (id) =>
          read(({ reach: { bounds }, rows }) => {
            const found = findIn(rows, id, bounds("workspace", "read"), bounds("workspace", "update"))
            return found === undefined ? new WorkspaceNotFound({ id }) : Effect.succeed(currentOf(rows, found))
          }),
        change: (id, fields, expectedVersion, event, passed) =>
          write(({ append, now, reach, rows }) => {
            const found = findIn(rows, id, reach.bounds("workspace", "update"))
            if (found === undefined) return new WorkspaceNotFound({ id })
            const { version } = found
            if (expectedVersion !== null && expectedVersion !== version) return new WorkspaceChanged({ version })
            const { description = found.description, name = found.name, ...settings } = fields
            const workspace = {
              ...found,
              name,
              description,
              settings: settingsWith({ ...found.settings, ...settings }),
              version: version + 1,
              updatedAt: now
            }
            rows.put(workspaceTable, workspace)
            append(id, event, passed)
            return Effect.succeed(currentOf(rows, workspace))
          }),
        revertCreation: (id, event, passed) =>
          write(({ append, reach, rows }) => {
            const found = rows.find(workspaceTable, id)
            const isUsed = rows
              .all(eventTable)
              .some(({ event: { type }, spaceId }) => spaceId === id && !isOfItsMaking(type))
            if (found === undefined || found.ownerId !== reach.principal.personId || found.isArchived || isUsed) {
              return Effect.succeed(false)
            }
            rows.put(workspaceTable, { ...found, isArchived: true, proposalId: null, provisionKey: null })
            removeMembers(rows, id, reach.principal, revocations)
            append(id, event, passed)
            return Effect.succeed(true)
          })
      }
    })
  )
}

/** Returns true if this type of event belongs to the creation of a workspace. */
const isOfItsMaking = (type: string) => type.startsWith("workspace.") || type.startsWith("member.")

const currentOf = (rows: Rows, workspace: StoredWorkspace): CurrentWorkspace => ({
  id: workspace.id,
  version: workspace.version,
  fields: { name: workspace.name, description: workspace.description, ...workspace.settings },
  workspaceRequest: {
    workspaceType: workspace.workspaceType,
    templateId: workspace.templateId,
    proposalId: workspace.proposalId,
    provisionKey: workspace.provisionKey,
    agentUserId: rows.find(workspacePolicyTable, workspace.id)?.policy.linkedAgentId ?? null,
    definition: workspace.definition
  }
})
