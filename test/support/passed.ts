/** The `Passed` values with which tests prepare rows in stores: the pod's own, with a reason. */
import type { Decision } from "../../src/doors/Reach.ts"
import { Passed } from "../../src/features/gate/Passed.ts"

export const aPassed = Passed.bySystem("a test prepares its rows")

/** The `Passed` of the gate with this decision. */
export const aPassedOf = (decision: Decision) => Passed.byGate(decision, [])
