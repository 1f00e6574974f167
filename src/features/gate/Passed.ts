/** The gate's word on a write. Every write of a store takes one, and the event of the write carries it. */
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
 * A value that says: this write was let through. The private field makes it impossible to write one by hand; of the makers,
 * `byGate` is called by the gate alone (`test/house.test.ts` holds that) and `bySystem` names its reason.
 */
export class Passed {
  private readonly isMade = true
  /** Carried by the first event, whose id is the decision's. */
  readonly decision: Decision | null
  /** The event that what is written follows from. */
  readonly causationId: string | null
  /** What was remembered of the policies that the write was judged by: its statement finds out when one moved on. */
  readonly policies: ReadonlyArray<PolicyStamp>
  /** Whose word it is: the gate's, or the pod's own with its reason. */
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

  /** The pod's own work. `decision`: where the event tells of one, such as a refusal. */
  static bySystem(reason: SystemReason, decision: Decision | null = null): Passed {
    return new Passed(reason, decision, null, [])
  }

  /** The same word for what is written besides or afterwards: its events follow from the event that carries the decision. */
  get besides(): Passed {
    return new Passed(this.origin, null, this.decision?.id ?? this.causationId, this.policies)
  }

  /** The same word for one of several writes of equal rank, such as messages said together: each event carries the decision. */
  get again(): Passed {
    return new Passed(
      this.origin,
      this.decision === null ? null : { ...this.decision, id: uuidv7() },
      this.causationId,
      this.policies
    )
  }

  /** Whether a value was made here. The types say so; a write asks all the same. */
  static isWord(value: object): value is Passed {
    return value instanceof Passed && value.isMade
  }
}
