/**
 * `Passed` values for tests that write rows directly into stores. Normally the gate gives these values. `aPassed` is
 * the value for a write of the pod itself, and states a reason.
 */
import type { Decision } from "../../src/doors/Reach.ts"
import { Passed } from "../../src/features/gate/Passed.ts"

export const aPassed = Passed.bySystem("prepare rows for a test")

/**
 * Returns the `Passed` value that the gate gives with this decision, for a write that may belong to a focus session.
 */
export const aPassedOf = (decision: Decision, sessionId: string | null = null) => Passed.byGate(decision, [], sessionId)
