/**
 * The service of the pod's name. Everybody is allowed to read the name. The owner and the administrators of the pod are
 * allowed to change it.
 */
import { Context, Effect, Layer } from "effect"
import type { Forbidden } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import type { Reach } from "../../doors/Reach.ts"
import { StandingReach } from "../access/StandingReach.ts"
import { ownSpacePass } from "../gate/OwnSpacePass.ts"
import { administratorsOnly } from "../people/PodOwner.ts"
import { PodNameStore } from "./PodNameStore.ts"

const firstName = { operation: "setup.namePod", reason: "the claim names the pod", scope: null }

export class PodNames extends Context.Tag("pod/PodNames")<
  PodNames,
  {
    /** The name of the pod. Undefined if the pod has no name. */
    readonly name: Effect.Effect<string | undefined>
    /** Gives the pod a name, or removes the name if `name` is null. */
    readonly rename: (name: string | null) => Effect.Effect<void, Forbidden | Proposed, Reach>
    /**
     * Gives the pod its first name, on behalf of its new owner. This needs no sign-in, because the new owner claims the
     * pod in the same call.
     */
    readonly nameFor: (ownerId: string, name: string) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* PodNameStore
      const passFor = yield* ownSpacePass("pod", { subject: "workspace", actions: ["update"] })
      const mayRename = administratorsOnly("name the pod")
      const standing = yield* StandingReach
      const rename = Effect.fnUntraced(function* (name: string | null) {
        yield* mayRename
        const passed = yield* passFor("update")
        // `mayRename` has already checked that the person is allowed to change the name. If the person loses this right
        // at this moment, the statement itself fails, so the store does not return false.
        if (!(yield* store.rename(name, passed))) {
          return yield* Effect.dieMessage("the store must let the owner and the administrators name the pod")
        }
      })
      return {
        name: store.name,
        rename,
        nameFor: (ownerId, name) =>
          standing.run({ personId: ownerId, keyId: null }, firstName, rename(name)).pipe(Effect.orDie, Effect.asVoid)
      }
    })
  )
}
