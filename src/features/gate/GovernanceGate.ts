/** The gate that every write passes: carried out, refused, or put before a person. */
import { Context, DateTime, Effect, Layer } from "effect"
import { Forbidden } from "../../doors/Failure.ts"
import type { Principal } from "../../doors/Principal.ts"
import { Proposed } from "../../doors/Proposed.ts"
import { type PolicyStamp, Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { GrantMatcher } from "../grants/GrantMatcher.ts"
import { AgentPolicies, type StampedPolicy } from "./AgentPolicies.ts"
import { decide, refusalOf, type Verdict } from "./Ladder.ts"
import { canBeStale, codeOf } from "./Rungs.ts"
import { Passed } from "./Passed.ts"
import type { AgentPolicy } from "./Policy.ts"
import { ProposalDesk } from "./ProposalDesk.ts"
import { type Change, type GatedWrite, isChange, permissionFor } from "./Write.ts"

const noPolicy = () => undefined

interface Judged {
  readonly verdict: Verdict
  readonly stamps: ReadonlyArray<PolicyStamp>
}

/** The refusal of a decision that an agent meant to take. */
export const peopleOnly = (principal: Principal): Forbidden =>
  new Forbidden({
    code: "PEOPLE_ONLY",
    why: "Only a person decides on a proposal.",
    required: ["person"],
    granted: principal.holder.kind === "agent" ? ["agent"] : [],
    rung: "forPeople"
  })

/** Without the rules that ended since it was looked up. */
const inForce = (policy: AgentPolicy, now: DateTime.Utc): AgentPolicy => ({
  ...policy,
  rules: policy.rules.filter(({ expiresAt }) => expiresAt === null || DateTime.greaterThan(expiresAt, now))
})

/** A refusal of the gate as it is said to the caller. */
export const refusalFor = (
  principal: Principal,
  write: GatedWrite,
  { rung, reason }: Pick<Verdict, "rung" | "reason">
): Forbidden =>
  new Forbidden({
    code: codeOf(rung),
    why: reason,
    required: [permissionFor(write)],
    granted: rung === "capabilities" ? principal.holder.capabilities : (principal.grant?.permissions ?? ["*"]),
    rung,
    canBeStale: canBeStale(rung),
    // The rungs before these come first for whoever has no business in that space.
    ...(rung === "grant" || rung === "capabilities"
      ? { about: { spaceId: write.object.spaceId, objectId: write.object.objectId } }
      : {})
  })

export class GovernanceGate extends Context.Tag("pod/GovernanceGate")<
  GovernanceGate,
  {
    /**
     * Lets a write through and answers the word under which stores write it, refuses it with Forbidden, or ends it with
     * Proposed after putting it before a person. A refused write is never queued. A write without content cannot be
     * proposed, and is refused where it would be.
     */
    readonly pass: (write: GatedWrite | Change) => Effect.Effect<Passed, Forbidden | Proposed, Reach>
    /**
     * A person's own decision on a change that waits, or that they take back: nothing is put before anybody else. Fails
     * with Forbidden for agents and for whoever could not do it alone.
     */
    readonly settle: (change: GatedWrite) => Effect.Effect<Passed, Forbidden, Reach>
    /** The word on a change that waits already and goes on waiting. Fails with Forbidden where it would be refused. */
    readonly await: (change: GatedWrite) => Effect.Effect<Passed, Forbidden, Reach>
    /**
     * Refuses what no policy could let through. Asked before anybody looks whether a write makes sense: what is wrong
     * with it may tell of a space that the caller has no business in.
     */
    readonly refuse: (write: GatedWrite) => Effect.Effect<void, Forbidden, Reach>
    /** What the ladder says of a write by somebody. Nothing is done. */
    readonly judge: (principal: Principal, write: GatedWrite) => Effect.Effect<Verdict, never, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const matcher = yield* GrantMatcher
      const policies = yield* AgentPolicies
      const desk = yield* ProposalDesk

      // As long as the principal is remembered, and gone with it when a statement finds that a policy moved on.
      const remembered = new WeakMap<Principal, Map<string, StampedPolicy>>()

      const policyFor = (principal: Principal, spaceId: string) =>
        Effect.gen(function* () {
          const known = remembered.get(principal) ?? new Map<string, StampedPolicy>()
          const found = known.get(spaceId) ?? (yield* policies.policyFor(principal, spaceId))
          if (found.stamp !== null) remembered.set(principal, known.set(spaceId, found))
          return found
        })

      /** The verdict, and the state of the policies it rests on: the statement of the write compares that. */
      const judged = (principal: Principal, write: GatedWrite): Effect.Effect<Judged, never, Reach> =>
        // What a person may do is known without asking; so is what an agent may never do.
        principal.holder.kind !== "agent" || refusalOf(matcher, principal, write) !== undefined
          ? Effect.succeed({ verdict: decide(matcher, principal, write, noPolicy), stamps: [] })
          : Effect.gen(function* () {
              const now = yield* DateTime.now
              const known = new Map<string, AgentPolicy>()
              const stamps: Array<PolicyStamp> = []
              for (const { object } of [write, ...(write.also ?? [])]) {
                if (known.has(object.spaceId)) continue
                const { policy, stamp } = yield* policyFor(principal, object.spaceId)
                if (stamp !== null) stamps.push(stamp)
                known.set(object.spaceId, inForce(policy, now))
              }
              return { verdict: decide(matcher, principal, write, (spaceId) => known.get(spaceId)), stamps }
            })

      const wordOn = (write: GatedWrite, { stamps, verdict }: Judged) =>
        Passed.byGate(
          { id: uuidv7(), verdict: verdict.verdict, rung: verdict.rung, permission: permissionFor(write) },
          stamps
        )

      return {
        judge: (principal, write) => Effect.map(judged(principal, write), ({ verdict }) => verdict),
        refuse: (write) =>
          Effect.flatMap(Reach, ({ principal }) => {
            const refusal = refusalOf(matcher, principal, write)
            return refusal === undefined ? Effect.void : Effect.fail(refusalFor(principal, write, refusal))
          }),
        settle: (change) =>
          Effect.gen(function* () {
            const { principal } = yield* Reach
            if (principal.holder.kind === "agent") return yield* peopleOnly(principal)
            const word = yield* judged(principal, { ...change, isSuggestion: false })
            if (word.verdict.verdict !== "allow") return yield* refusalFor(principal, change, word.verdict)
            return wordOn(change, word)
          }),
        await: (change) =>
          Effect.gen(function* () {
            const { principal } = yield* Reach
            const word = yield* judged(principal, { ...change, isForced: true })
            if (word.verdict.verdict === "deny") return yield* refusalFor(principal, change, word.verdict)
            return wordOn(change, word)
          }),
        pass: Effect.fnUntraced(function* (write) {
          const { principal } = yield* Reach
          const word = yield* judged(principal, write)
          const { verdict } = word
          if (verdict.verdict === "deny") return yield* refusalFor(principal, write, verdict)
          const passed = wordOn(write, word)
          if (verdict.verdict === "allow") return passed
          if (verdict.joinSpaceId !== undefined) {
            return yield* new Proposed({ answer: yield* desk.askToJoin(verdict.joinSpaceId, passed) })
          }
          if (isChange(write)) return yield* new Proposed({ answer: yield* desk.file(write, passed) })
          return yield* refusalFor(principal, write, verdict)
        })
      }
    })
  )
  /** The decision being pure, the twin differs in its stores alone. */
  static readonly layerMemory = this.layer
}
