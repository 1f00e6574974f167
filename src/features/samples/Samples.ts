/**
 * Removes sample workspaces with everything in them. The gate decides on each workspace separately. The event of each
 * removal stays in the caller's own log.
 */
import { Context, Effect, Layer } from "effect"
import { type Forbidden, Unavailable } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { Database } from "../../platform/Database.ts"
import { removeWorkspaces, workspacesOf } from "../../transfer/SampleSql.ts"
import { EventLog } from "../events/EventLog.ts"
import { Changers } from "../gate/Changers.ts"
import { GovernanceGate } from "../gate/GovernanceGate.ts"
import { objectIn } from "../gate/Write.ts"
import { podOwnerOnly } from "../people/PodOwner.ts"
import { sampleTemplate, sampleType } from "../../shared/SampleMark.ts"

const tryAgainSeconds = 10

export interface SampleRemoval {
  /** The number of sample workspaces that were removed. */
  readonly removed: number
  /** The number of sample workspaces that stay, because the caller may not delete them. */
  readonly kept: number
}

export class Samples extends Context.Tag("pod/Samples")<
  Samples,
  {
    /**
     * Removes the sample workspaces that the caller may delete. The caller must be the owner of the pod. The events are
     * in the caller's own log, because the pod removes the log of a workspace together with the workspace.
     */
    readonly remove: Effect.Effect<SampleRemoval, Forbidden | Proposed | Unavailable, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { asOwner } = yield* Database
      const gate = yield* GovernanceGate
      const log = yield* EventLog
      const asking = yield* (yield* Changers).declare("sample", { subject: "workspace", kind: null, isForPeople: true })

      const unavailable = ({ message }: { readonly message: string }) =>
        new Unavailable({ why: message, retryAfterSeconds: tryAgainSeconds })

      /**
       * Calls the gate to find out whether the caller may remove a workspace. Returns the proof that the gate allowed
       * the removal, or undefined if the gate refuses.
       */
      const decided = Effect.fnUntraced(
        function* (id: string) {
          const { personId } = (yield* Reach).principal
          const passed = yield* gate.pass({ ...asking, action: "delete", object: objectIn(personId, id, id) })
          return { id, passed }
        },
        Effect.catchTag("Forbidden", () => Effect.as(Effect.void, undefined))
      )

      const ownerOnly = podOwnerOnly("can remove the sample data")

      return {
        remove: Effect.gen(function* () {
          // Anybody can make a workspace from the template of the sample workspaces. Such a workspace looks like a
          // sample, and only the owner of the pod may remove it together with its log.
          yield* ownerOnly
          const { personId } = (yield* Reach).principal
          const ids = yield* Effect.mapError(
            asOwner((owner) => workspacesOf(owner, sampleTemplate, sampleType)),
            unavailable
          )
          const found = yield* Effect.forEach(ids, decided)
          const allowed = found.filter((each) => each !== undefined)
          // Logs the events before the removal, so no workspace is removed without its event. If the process is killed
          // before the removal, the operator can run the command again.
          for (const { id, passed } of allowed) {
            yield* log.append(personId, { type: "workspace.delete", subjectId: id, data: { workspaceId: id } }, passed)
          }
          const removed = yield* Effect.mapError(
            asOwner((owner) =>
              removeWorkspaces(
                owner,
                allowed.map(({ id }) => id)
              )
            ),
            unavailable
          )
          return { removed, kept: ids.length - allowed.length }
        })
      }
    })
  )
}
