/** How far the making of workspaces came, and what its steps keep. */
import { Context, DateTime, Effect, Layer, Ref } from "effect"
import { Reach } from "../../doors/Reach.ts"
import { MemoryEvents } from "../events/EventLog.ts"
import type { EventDraft } from "../events/Event.ts"
import type { Passed } from "../gate/Passed.ts"
import type { DefinedProfile, ProvisioningStatus } from "./Workspace.ts"
import { isWithin, MemoryWorkspaces } from "./WorkspaceStore.ts"
import { type Provisions, provisionsOf, type WorkspaceWish } from "./WorkspaceWish.ts"

export interface Progress extends Provisions {
  readonly status: ProvisioningStatus
  readonly failedStep: string | null
}

/** What a workspace was asked for with, where that tells it from others. */
export type WishKeys = Pick<WorkspaceWish, "proposalId" | "provisionKey">

export class ProvisioningStore extends Context.Tag("pod/ProvisioningStore")<
  ProvisioningStore,
  {
    /** Null for a workspace that the call may not change. */
    readonly progress: (id: string) => Effect.Effect<Progress | null, never, Reach>
    /** The workspace that was made for the same key, of those the call reads. */
    readonly earlier: (keys: WishKeys) => Effect.Effect<string | null, never, Reach>
    readonly mark: (
      id: string,
      outcome: { readonly step: string; readonly why: string } | "ready",
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<void, never, Reach>
    /** Those of a slug that the workspace has already stay as they are. */
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
    Effect.gen(function* () {
      const { append } = yield* MemoryEvents
      const { kept } = yield* MemoryWorkspaces
      const within = (action: "read" | "update") =>
        Effect.flatMap(Reach, ({ bounds }) =>
          Effect.map(Ref.get(kept), (all) => all.filter((each) => isWithin(bounds("workspace", action), each)))
        )

      return {
        progress: (id) =>
          Effect.map(within("update"), (all) => {
            const found = all.find((each) => each.id === id)
            if (found === undefined) return null
            const agentUserId = found.governance?.linkedAgentId ?? null
            const failedStep = found.failure?.step ?? null
            return {
              ...provisionsOf({ agentUserId, definition: found.definition }),
              status: found.provisioningStatus,
              failedStep
            }
          }),
        earlier: ({ proposalId, provisionKey }) =>
          Effect.gen(function* () {
            const { principal } = yield* Reach
            const found = (yield* within("read")).find(
              (each) =>
                each.ownerId === principal.personId &&
                ((proposalId !== null && each.proposalId === proposalId) ||
                  (provisionKey !== null && each.provisionKey === provisionKey))
            )
            return found?.id ?? null
          }),
        mark: (id, outcome, event, passed) =>
          Effect.gen(function* () {
            const updatedAt = yield* DateTime.now
            const made =
              outcome === "ready"
                ? { provisioningStatus: "ready" as const, failure: null, updatedAt }
                : { provisioningStatus: "failed" as const, failure: outcome, updatedAt }
            yield* Ref.update(kept, (all) => all.map((each) => (each.id === id ? { ...each, ...made } : each)))
            yield* append(yield* Reach, id, event, passed)
          }),
        // The kinds of the twin are fixed; the definition remembers them.
        addProfiles: (id, _, event, passed) =>
          Effect.flatMap(Reach, (reach) => Effect.asVoid(append(reach, id, event, passed)))
      }
    })
  )
}
