/** Stores the progress of creating workspaces, and what the steps of the creation add. */
import { Context, Effect, Layer } from "effect"
import type { Reach, ReachShape } from "../../doors/Reach.ts"
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

/** The two ids by which a repeated request finds the workspace that the first request created. */
export type RequestKeys = Pick<WorkspaceRequest, "proposalId" | "provisionKey">

export class ProvisioningStore extends Context.Tag("pod/ProvisioningStore")<
  ProvisioningStore,
  {
    /** How far the creation of a workspace has progressed. Null if the caller may not change the workspace. */
    readonly progress: (id: string) => Effect.Effect<ProvisioningProgress | null, never, Reach>
    /**
     * The id of the workspace that an earlier request with one of these ids created. Null if there is none, or if the
     * caller may not read it.
     */
    readonly earlier: (keys: RequestKeys) => Effect.Effect<string | null, never, Reach>
    readonly mark: (
      id: string,
      outcome: { readonly step: string; readonly why: string } | "ready",
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<void, never, Reach>
    /** Adds profiles. If the workspace already has a profile with the same slug, that profile stays as it is. */
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
        write(({ append, now: updatedAt, reach, rows }) => {
          const found = rows.find(workspaceTable, id)
          if (found === undefined || !mayChange(reach, id)) return Effect.void
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
        write(({ append, reach }) => {
          if (mayChange(reach, id)) append(id, event, passed)
          return Effect.void
        })
    }))
  )
}

const mayChange = ({ bounds }: ReachShape, id: string): boolean => bounds("workspace", "update").spaces.includes(id)
