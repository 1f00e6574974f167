/** The word under which tests prepare rows in stores: the pod's own, with its reason. */
import type { Decision } from "../../src/doors/Reach.ts"
import { Passed } from "../../src/features/gate/Passed.ts"

export const aWord = Passed.bySystem("a test prepares its rows")

/** The gate's word with its decision. */
export const aWordOf = (decision: Decision) => Passed.byGate(decision, [])
