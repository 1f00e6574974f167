/**
 * Removes sample workspaces with everything in them, and makes a delivery for the sample data that no ordinary call can
 * make.
 */
import { Context, Effect, Layer } from "effect"
import type { Forbidden, Invalid, NotFound } from "../../doors/Failure.ts"
import { missingRecord } from "../../doors/MissingRecord.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { EventLog } from "../events/EventLog.ts"
import { Changers } from "../gate/Changers.ts"
import { GovernanceGate } from "../gate/GovernanceGate.ts"
import { objectIn } from "../gate/Write.ts"
import { podOwnerOnly } from "../people/PodOwner.ts"
import { RepairedDeliveries } from "../webhooks/RepairedDeliveries.ts"
import { SampleStore } from "./SampleStore.ts"

export interface SampleRemoval {
  /** The value is 1 if this call removed a sample workspace, and 0 if the caller has no sample workspace. */
  readonly removed: 0 | 1
  /** The number of sample workspaces that the caller can read and that belong to other people. */
  readonly kept: number
}

export class Samples extends Context.Tag("pod/Samples")<
  Samples,
  {
    /**
     * Removes the oldest sample workspace of the caller. The caller must be the owner of the pod. One call removes only
     * one workspace. The removal ends memberships of the caller, so the next call must first read the caller's access
     * again.
     */
    readonly remove: Effect.Effect<SampleRemoval, Forbidden | Proposed, Reach>
    /**
     * Makes a delivery whose first calls failed and whose last call succeeded, and returns its id. The event must be in
     * a sample workspace of the caller.
     */
    readonly deliver: (
      webhookId: string,
      eventId: string
    ) => Effect.Effect<string, Forbidden | Invalid | NotFound, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const gate = yield* GovernanceGate
      const store = yield* SampleStore
      const events = yield* EventLog
      const deliveries = yield* RepairedDeliveries
      const deletion = yield* (yield* Changers).declare("sample", {
        subject: "workspace",
        kind: null,
        isForPeople: true
      })
      const ownerOnly = podOwnerOnly("can remove the sample data")

      return {
        remove: Effect.gen(function* () {
          // Anybody can make a workspace from the template of the sample workspaces, and such a workspace looks like a
          // sample. So only the owner of the pod is allowed to remove such a workspace together with its log.
          yield* ownerOnly
          const { personId } = (yield* Reach).principal
          const samples = yield* store.list
          const kept = samples.filter(({ isOwn }) => !isOwn).length
          const own = samples.find(({ isOwn }) => isOwn)
          if (own === undefined) return { removed: 0, kept }
          const { id } = own
          const passed = yield* gate.pass({ ...deletion, action: "delete", object: objectIn(personId, id, id) })
          return { removed: (yield* store.remove(id, passed)) ? 1 : 0, kept }
        }),
        deliver: Effect.fnUntraced(function* (webhookId, eventId) {
          const [event] = yield* events.listByIds([eventId])
          const isInSample = (yield* store.list).some(({ id, isOwn }) => isOwn && id === event?.workspaceId)
          if (!isInSample) return yield* missingRecord("event of a sample workspace")
          return yield* deliveries.make(webhookId, eventId)
        })
      }
    })
  ).pipe(Layer.provide(RepairedDeliveries.layer))
}
