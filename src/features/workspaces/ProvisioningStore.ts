/** The progress of making workspaces, and what its steps store. */
import { Context, Effect, Layer } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import type { EventDraft } from "../events/Event.ts"
import { memoryStatements } from "../events/EventTable.ts"
import type { Passed } from "../gate/Passed.ts"
import { workspacePolicyTable } from "../gate/PolicyTable.ts"
import type { DefinedProfile, ProvisioningStatus } from "./Workspace.ts"
import { isWorkspaceWithin, workspaceTable } from "./WorkspaceTable.ts"
import { type ProvisioningInput, provisioningInputOf, type WorkspaceRequest } from "./WorkspaceRequest.ts"

export interface ProvisioningProgress extends ProvisioningInput {
  readonly status: ProvisioningStatus
  readonly failedStep: string | null
}

/** The keys by which a repeated request finds the workspace it made. */
export type RequestKeys = Pick<WorkspaceRequest, "proposalId" | "provisionKey">

export class ProvisioningStore extends Context.Tag("pod/ProvisioningStore")<
  ProvisioningStore,
  {
    /** Null for a workspace that the call may not change. */
    readonly progress: (id: string) => Effect.Effect<ProvisioningProgress | null, never, Reach>
    /** The workspace that was made for the same keys, if the call may read it. */
    readonly earlier: (keys: RequestKeys) => Effect.Effect<string | null, never, Reach>
    readonly mark: (
      id: string,
      outcome: { readonly step: string; readonly why: string } | "ready",
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<void, never, Reach>
    /** Adds profiles. A profile whose slug the workspace already has stays as it is. */
    readonly addProfiles: (
      id: string,
      profiles: ReadonlyArray<DefinedProfile>,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<void, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(memoryStatements, ({ read, write }) => ({
      progress: (id) =>
        read(({ reach, rows }) => {
          const found = rows.find(workspaceTable, id)
          if (found === undefined || !isWorkspaceWithin(reach.bounds("workspace", "update"), found)) {
            return Effect.succeed(null)
          }
          const agentUserId = rows.find(workspacePolicyTable, id)?.policy.linkedAgentId ?? null
          return Effect.succeed({
            ...provisioningInputOf({ agentUserId, definition: found.definition }),
            status: found.provisioningStatus,
            failedStep: found.failure?.step ?? null
          })
        }),
      earlier: ({ proposalId, provisionKey }) =>
        read(({ reach, rows }) => {
          const found = rows
            .all(workspaceTable)
            .filter((each) => isWorkspaceWithin(reach.bounds("workspace", "read"), each))
            .find(
              (each) =>
                each.ownerId === reach.principal.personId &&
                ((proposalId !== null && each.proposalId === proposalId) ||
                  (provisionKey !== null && each.provisionKey === provisionKey))
            )
          return Effect.succeed(found?.id ?? null)
        }),
      mark: (id, outcome, event, passed) =>
        write(({ append, now: updatedAt, rows }) => {
          const found = rows.find(workspaceTable, id)
          if (found === undefined) return Effect.void
          const made =
            outcome === "ready"
              ? { provisioningStatus: "ready" as const, failure: null, updatedAt }
              : { provisioningStatus: "failed" as const, failure: outcome, updatedAt }
          rows.put(workspaceTable, { ...found, ...made })
          append(id, event, passed)
          return Effect.void
        }),
      // The memory store has a fixed set of kinds, so it adds none; the definition still lists them.
      addProfiles: (id, _, event, passed) =>
        write(({ append }) => {
          append(id, event, passed)
          return Effect.void
        })
    }))
  )
}
