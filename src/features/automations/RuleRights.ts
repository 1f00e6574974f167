/**
 * Checks whether the person or the key that a rule acts for may still have this rule. The pod itself does some of the
 * work of a rule, such as notifying a person, so the gate does not judge this work as a write of the rule.
 */
import { Effect } from "effect"
import { Reach } from "../../doors/Reach.ts"
import { GovernanceGate } from "../gate/GovernanceGate.ts"
import { hasRight } from "../gate/Ladder.ts"
import { objectIn } from "../gate/Write.ts"

/**
 * Makes the function that returns true if the caller may create a rule in this space, or change the given rule there.
 */
export const ruleRights = Effect.map(GovernanceGate, (gate) =>
  Effect.fnUntraced(function* (ruleId: string, spaceId: string) {
    const { principal } = yield* Reach
    const may = (action: "create" | "update", id: string | null) =>
      Effect.map(
        gate.judge(principal, {
          subject: "rule",
          kind: null,
          action,
          object: objectIn(principal.personId, spaceId, id)
        }),
        hasRight
      )
    return (yield* may("create", null)) || (yield* may("update", ruleId))
  })
)
