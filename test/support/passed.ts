/**
 * `Passed` values, which the gate gives for allowed writes. With these the tests write rows directly into stores, as
 * the pod itself does with a reason.
 */
import type { Decision } from "../../src/doors/Reach.ts"
import { Passed } from "../../src/features/gate/Passed.ts"

export const aPassed = Passed.bySystem("prepare rows for a test")

/** The `Passed` value that the gate gives with this decision. */
export const aPassedOf = (decision: Decision) => Passed.byGate(decision, [])
