/** The proof that the gate allowed a write. Every write of a store requires one, and the event of the write carries it. */
import { uuidv7 } from "../../platform/Ids.ts"
import type { Decision, PolicyStamp } from "../../doors/Reach.ts"

/** Why the pod itself writes something that no credential asks for. */
export type SystemReason =
  | "a refusal leaves its event"
  | "provisioning a workspace"
  | "whoever made a proposal withdraws it"
  | "somebody accepts an invitation"
  | "the first start"
  | "a test prepares its rows"

/**
 * A value that proves: this write was allowed. The private field makes it impossible to write one by hand. Only the gate
 * calls `byGate` (`test/house.test.ts` checks that), and `bySystem` names its reason.
 */
export class Passed {
  private readonly isMade = true
  /** The first event carries it and has the id of the decision. */
  readonly decision: Decision | null
  /** The event that caused this write. */
  readonly causationId: string | null
  /** The stamps of the policies that decided on the write: its statement finds out when one has changed. */
  readonly policies: ReadonlyArray<PolicyStamp>
  /** Who allowed it: the gate, or the pod itself for this reason. */
  readonly origin: "gate" | SystemReason

  private constructor(
    origin: Passed["origin"],
    decision: Decision | null,
    causationId: string | null,
    policies: ReadonlyArray<PolicyStamp>
  ) {
    this.origin = origin
    this.decision = decision
    this.causationId = causationId
    this.policies = policies
  }

  static byGate(decision: Decision, policies: ReadonlyArray<PolicyStamp>): Passed {
    return new Passed("gate", decision, null, policies)
  }

  /** For the pod's own work. `decision` is given when the event reports one, such as a refusal. */
  static bySystem(reason: SystemReason, decision: Decision | null = null): Passed {
    return new Passed(reason, decision, null, [])
  }

  /** For further writes of the same decision: the event that carries the decision is the cause of their events. */
  get besides(): Passed {
    return new Passed(this.origin, null, this.decision?.id ?? this.causationId, this.policies)
  }

  /** For one of several equal writes, such as messages sent together: each event carries the decision, with an id of its own. */
  get again(): Passed {
    return new Passed(
      this.origin,
      this.decision === null ? null : { ...this.decision, id: uuidv7() },
      this.causationId,
      this.policies
    )
  }

  /** Whether a value was made by this class. The types say so; a write checks it at run time too. */
  static isPassed(value: object): value is Passed {
    return value instanceof Passed && value.isMade
  }
}
