/**
 * Makes `Passed` values for tests that write rows directly into stores. A `Passed` value proves that the governance
 * gate allowed a write. `aPassed` is the value for a write of the pod itself, and states a reason.
 */
import type { Decision } from "../../src/doors/Reach.ts"
import { Passed } from "../../src/features/gate/Passed.ts"

export const aPassed = Passed.bySystem("prepare rows for a test")

/**
 * Returns the `Passed` value (the proof that the gate allowed a write) for this decision of the gate. If `sessionId` is
 * present, the write belongs to this focus session.
 */
export const aPassedOf = (decision: Decision, sessionId: string | null = null) => Passed.byGate(decision, [], sessionId)
