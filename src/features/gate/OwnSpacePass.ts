/** How a service asks the gate about records that belong to one person, such as keys and preferences. */
import { Effect } from "effect"
import { Reach } from "../../doors/Reach.ts"
import { Changers } from "./Changers.ts"
import { GovernanceGate } from "./GovernanceGate.ts"
import { type GatedWrite, objectIn, type WriteTraits } from "./Write.ts"

/**
 * Registers a type of records that only people change, each in their own space. Returns the function that asks the gate
 * to allow a change. The gate judges the change in the caller's own space, because the log of this space gets the event.
 */
export const ownSpacePass = Effect.fnUntraced(function* <Action extends GatedWrite["action"]>(
  targetType: string,
  declared: { readonly subject: WriteTraits["subject"]; readonly actions?: ReadonlyArray<Action> }
) {
  const gate = yield* GovernanceGate
  const changers = yield* Changers
  const traits = yield* changers.declare(targetType, { ...declared, kind: null, isForPeople: true })
  return (action: Action, objectId: string | null = null) =>
    Effect.flatMap(Reach, ({ principal: { personId } }) =>
      gate.pass({ ...traits, action, object: objectIn(personId, personId, objectId) })
    )
})
