/** Asks the gate for its permission to change an invitation. */
import { Context, Effect, Layer } from "effect"
import type { Forbidden } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { Changers } from "../gate/Changers.ts"
import { GovernanceGate } from "../gate/GovernanceGate.ts"
import type { Passed } from "../gate/Passed.ts"
import { objectIn } from "../gate/Write.ts"

export class InvitationPass extends Context.Tag("pod/InvitationPass")<
  InvitationPass,
  /** The change belongs to the caller's own space, so the log of that space gets the event. */
  (action: "create" | "update", id: string) => Effect.Effect<Passed, Forbidden | Proposed, Reach>
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const gate = yield* GovernanceGate
      const traits = yield* (yield* Changers).declare("invitation", {
        subject: "member",
        kind: null,
        isForPeople: true
      })
      return (action, id) =>
        Effect.flatMap(Reach, ({ principal: { personId } }) =>
          gate.pass({ ...traits, action, object: objectIn(personId, personId, id) })
        )
    })
  )
}
