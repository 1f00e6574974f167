/**
 * The proof that the gate allowed a write. Every write of a store requires this proof. The event of the write stores
 * the proof.
 */
import { uuidv7 } from "../../platform/Ids.ts"
import type { Decision, PolicyStamp } from "../../doors/Reach.ts"

/** The reason why the pod itself writes something that no caller requested. */
export type SystemReason =
  | "record a refusal"
  | "provision a workspace"
  | "withdraw a proposal"
  | "accept an invitation"
  | "record the run of an automation"
  | "log the run of a skill"
  | "notify a person"
  | "stop a failing webhook"
  | "first start"
  | "prepare rows for a test"

/**
 * The proof that a write was allowed. The constructor is private, so no other code can make such a value. Only the gate
 * calls `byGate`, which `test/house.test.ts` checks. Each caller of `bySystem` names its reason.
 */
export class Passed {
  private readonly isMade = true
  /**
   * The decision of the gate. The first event of the write stores the decision, and this event has the id of the
   * decision. The field is null for the pod's own work and for further writes.
   */
  readonly decision: Decision | null
  /** The id of the event that caused this write. Null if no event caused the write. */
  readonly causationId: string | null
  /**
   * The stamps (the versions) of the policies that decided on the write. If one of these policies has changed, the SQL
   * statement writes nothing.
   */
  readonly policies: ReadonlyArray<PolicyStamp>
  /** The focus session to which the write belongs. Null if the caller named no focus session. */
  readonly sessionId: string | null
  /** Says what allowed the write: the gate, or the reason for which the pod itself writes. */
  readonly origin: "gate" | SystemReason

  private constructor(
    origin: Passed["origin"],
    decision: Decision | null,
    causationId: string | null,
    policies: ReadonlyArray<PolicyStamp>,
    sessionId: string | null
  ) {
    this.origin = origin
    this.decision = decision
    this.causationId = causationId
    this.policies = policies
    this.sessionId = sessionId
  }

  static byGate(decision: Decision, policies: ReadonlyArray<PolicyStamp>, sessionId: string | null = null): Passed {
    return new Passed("gate", decision, null, policies, sessionId)
  }

  /** Makes the proof for the pod's own work. `decision` is set if the event reports a decision, such as a refusal. */
  static bySystem(reason: SystemReason, decision: Decision | null = null): Passed {
    return new Passed(reason, decision, null, [], null)
  }

  /**
   * Makes the proof for the further writes that the same decision allows. The event that stores the decision is the
   * cause of the events of these writes.
   */
  get forOthers(): Passed {
    return new Passed(this.origin, null, this.decision?.id ?? this.causationId, this.policies, this.sessionId)
  }

  /**
   * Makes the proof for the next of several similar writes that one decision allowed, such as messages that are sent
   * together. The event of each write stores the decision under a new id.
   */
  get forNext(): Passed {
    return new Passed(
      this.origin,
      this.decision === null ? null : { ...this.decision, id: uuidv7() },
      this.causationId,
      this.policies,
      this.sessionId
    )
  }

  /**
   * Returns true if this class made the value. The types already guarantee this, but stores also check it at run time.
   */
  static isPassed(value: object): value is Passed {
    return value instanceof Passed && value.isMade
  }
}
