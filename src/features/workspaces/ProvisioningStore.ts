/**
 * The store that records how far the creation of each workspace has come. It stores the last completed step, and the
 * records that the steps add.
 */
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

/**
 * Two ids, each of which identifies a request. If a later request has one of these ids, it gets the workspace of the
 * first request.
 */
export type RequestKeys = Pick<WorkspaceRequest, "proposalId" | "provisionKey">

export class ProvisioningStore extends Context.Tag("pod/ProvisioningStore")<
  ProvisioningStore,
  {
    /**
     * Reads the progress of the creation of a workspace. Returns null if the caller is not allowed to change the
     * workspace.
     */
    readonly progress: (id: string) => Effect.Effect<ProvisioningProgress | null, never, Reach>
    /**
     * Finds the workspace that an earlier request with one of these ids created, and returns the id of this workspace.
     * Returns null if there is no such workspace, or if the caller may not read the workspace.
     */
    readonly earlier: (keys: RequestKeys) => Effect.Effect<string | null, never, Reach>
    readonly mark: (
      id: string,
      outcome: { readonly step: string; readonly why: string } | "ready",
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<void, never, Reach>
    /**
     * Adds profiles. If the workspace already has a profile with the same slug, or if a built-in profile has this slug,
     * keeps the existing profile unchanged.
     */
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
          const state =
            outcome === "ready"
              ? { provisioningStatus: "ready" as const, failure: null, updatedAt }
              : { provisioningStatus: "failed" as const, failure: outcome, updatedAt }
          rows.put(workspaceTable, { ...found, ...state })
          append(id, event, passed)
          return Effect.void
        }),
      // The kinds in the memory store are fixed, so this method adds nothing. The stored definition still lists the
      // profiles.
      addProfiles: (id, _, event, passed) =>
        write(({ append, reach }) => {
          if (mayChange(reach, id)) append(id, event, passed)
          return Effect.void
        })
    }))
  )
}

const mayChange = ({ bounds }: ReachShape, id: string): boolean => bounds("workspace", "update").spaces.includes(id)
