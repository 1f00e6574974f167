/** The store of the sample workspaces. */
import { Context, Effect, Layer } from "effect"
import type { Bounds, Reach } from "../../doors/Reach.ts"
import { Revocations } from "../../doors/Revocations.ts"
import { sampleTemplate, sampleType } from "../../shared/SampleMark.ts"
import { memoryStatements } from "../events/EventTable.ts"
import type { EventDraft } from "../events/Event.ts"
import type { Passed } from "../gate/Passed.ts"
import { isWorkspaceWithin, removeMembers, type StoredWorkspace, workspaceTable } from "../workspaces/WorkspaceTable.ts"

export interface SampleWorkspace {
  readonly id: string
  /** Whether the workspace belongs to the caller's person. */
  readonly isOwn: boolean
}

export class SampleStore extends Context.Tag("pod/SampleStore")<
  SampleStore,
  {
    /** Lists the sample workspaces that the caller may read, oldest first. */
    readonly list: Effect.Effect<ReadonlyArray<SampleWorkspace>, never, Reach>
    /**
     * Removes a sample workspace with everything in it. Its owner must be the caller's person. The event goes to the
     * person's own log, because the log of the workspace is also removed. Returns false and changes nothing if the
     * workspace does not exist, is not a sample, or belongs to another person.
     */
    readonly remove: (id: string, passed: Passed) => Effect.Effect<boolean, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { read, write } = yield* memoryStatements
      const revocations = yield* Revocations
      return {
        list: read(({ reach: { bounds, principal }, rows }) =>
          Effect.succeed(
            rows
              .all(workspaceTable)
              .filter((workspace) => isSampleWithin(bounds("workspace", "read"), workspace))
              .map(({ id, ownerId }) => ({ id, isOwn: ownerId === principal.personId }))
          )
        ),
        // The rows of other tables stay, because nobody can read the rows of a space without members.
        remove: (id, passed) =>
          write(({ append, reach: { bounds, principal }, rows }) => {
            const { personId } = principal
            const found = rows.find(workspaceTable, id)
            if (found?.ownerId !== personId || !isSampleWithin(bounds("workspace", "delete"), found)) {
              return Effect.succeed(false)
            }
            rows.remove(workspaceTable, id)
            removeMembers(rows, id, principal, revocations)
            append(personId, removalEvent(id), passed)
            return Effect.succeed(true)
          })
      }
    })
  )
}

const isSampleWithin = (bounds: Bounds, workspace: StoredWorkspace) =>
  isWorkspaceWithin(bounds, workspace) &&
  workspace.templateId === sampleTemplate &&
  workspace.workspaceType === sampleType

export const removalEvent = (workspaceId: string): EventDraft => ({
  type: "workspace.delete",
  subjectId: workspaceId,
  data: { workspaceId }
})
