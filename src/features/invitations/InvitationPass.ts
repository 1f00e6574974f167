/** Asks the gate for its permission to change an invitation. */
import { Context, type Effect, Layer } from "effect"
import type { Forbidden } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import type { Reach } from "../../doors/Reach.ts"
import { ownSpacePass } from "../gate/OwnSpacePass.ts"
import type { Passed } from "../gate/Passed.ts"

export class InvitationPass extends Context.Tag("pod/InvitationPass")<
  InvitationPass,
  /** The change belongs to the caller's own space, so the log of that space gets the event. */
  (action: "create" | "update", id: string) => Effect.Effect<Passed, Forbidden | Proposed, Reach>
>() {
  static readonly layer = Layer.effect(this, ownSpacePass("invitation", { subject: "member" }))
}
