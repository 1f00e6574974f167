/** The gate that every write passes: it allows the write, refuses it, or turns it into a proposal for a person. */
import { Context, DateTime, Effect, Layer } from "effect"
import { Forbidden } from "../../doors/Failure.ts"
import type { Principal } from "../../doors/Principal.ts"
import { Proposed } from "../../doors/Proposed.ts"
import { type PolicyStamp, Reach } from "../../doors/Reach.ts"
import { RecordReaders } from "../../doors/ShownRecords.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { collectedSpans, inSpan, type SpanFacts } from "../../platform/Spans.ts"
import { everyPermission } from "../grants/Grant.ts"
import { GrantMatcher } from "../grants/GrantMatcher.ts"
import { AgentPolicies, type StampedPolicy } from "./AgentPolicies.ts"
import { decide, type EarlyVerdict, earlyVerdicts, refusalIn, type Verdict } from "./Ladder.ts"
import { Passed } from "./Passed.ts"
import type { AgentPolicy } from "./Policy.ts"
import { ProposalFiler } from "./ProposalFiler.ts"
import { refusalFor } from "./RefusalFor.ts"
import { rungCode, rungReason } from "./Rungs.ts"
import { type Change, type GatedWrite, isChange, permissionFor } from "./Write.ts"

const noPolicy = () => undefined

interface JudgedWrite {
  readonly verdict: Verdict
  readonly stamps: ReadonlyArray<PolicyStamp>
}

/** Returns the refusal for an agent that tries to decide on a proposal. Only people are allowed to decide. */
export const peopleOnlyRefusal = (principal: Principal): Forbidden =>
  new Forbidden({
    code: "PEOPLE_ONLY",
    why: "Only a person can decide about a proposal.",
    required: ["person"],
    granted: principal.holder.kind === "agent" ? ["agent"] : [],
    rung: "forPeople"
  })

/**
 * Returns the refusal for a key with the scope `probe` that tries to change a proposal. A probe only creates records,
 * and only this key can see them. An approved record would be hidden from everybody else.
 */
export const probeRefusal = (principal: Principal): Forbidden =>
  new Forbidden({
    code: rungCode("probe"),
    why: rungReason("probe"),
    required: ["proposal.update"],
    granted: principal.grant?.permissions ?? [everyPermission],
    rung: "probe"
  })

/** Removes from a cached policy the rules that have expired since the gate read the policy. */
const inForce = (policy: AgentPolicy, now: DateTime.Utc): AgentPolicy => ({
  ...policy,
  rules: policy.rules.filter(({ expiresAt }) => expiresAt === null || DateTime.greaterThan(expiresAt, now))
})

/**
 * Returns the data of a write for the trace span of its decision. The data include the subject of the write. They do
 * not include the kind, because people choose the names of kinds.
 */
const factsOf =
  ({ action, subject }: GatedWrite) =>
  ({ rung, verdict }: Verdict): SpanFacts => ({
    "pod.verdict": verdict,
    "pod.rung": rung,
    "pod.permission": `${subject}.${action}`
  })

export class GovernanceGate extends Context.Tag("pod/GovernanceGate")<
  GovernanceGate,
  {
    /**
     * Decides on a write. Returns the `Passed` value that stores require, if the gate allows the write. Fails with
     * Forbidden if the gate refuses the write. If the write needs approval, stores a proposal and fails with Proposed.
     * A refused write never becomes a proposal. If a write without content needs approval, the gate refuses it, because
     * the pod cannot store it as a proposal.
     */
    readonly pass: (write: GatedWrite | Change) => Effect.Effect<Passed, Forbidden | Proposed, Reach>
    /**
     * Returns the `Passed` value for a person who approves a waiting change or reverts an approved change. This never
     * creates another proposal. Fails with Forbidden for agents, and for a person who could not make the change without
     * approval.
     */
    readonly passDecision: (change: GatedWrite | Change) => Effect.Effect<Passed, Forbidden, Reach>
    /**
     * Returns the `Passed` value for storing a change that stays a proposal, for example after an edit. Fails with
     * Forbidden if the gate would refuse the change.
     */
    readonly await: (change: GatedWrite) => Effect.Effect<Passed, Forbidden, Reach>
    /**
     * Refuses a write that no policy could allow. The pod calls this before it validates the content, because
     * validation errors could reveal what is in a space that the caller may not read.
     */
    readonly refuse: (write: GatedWrite) => Effect.Effect<void, Forbidden, Reach>
    /**
     * Returns what the gate would decide about a write of the caller. Refuses the write, as `refuse` does, if no policy
     * could allow it. Every write of a record begins here, also one that turns out to change nothing. So the gate notes
     * here the record that the answer to the write shows (`RecordReaders`).
     */
    readonly forecast: (write: GatedWrite) => Effect.Effect<Verdict, Forbidden, Reach>
    /** Returns how many writes got each verdict in this process. Does not count previews of a verdict. */
    readonly verdicts: () => Readonly<Record<Verdict["verdict"], number>>
    /** Returns what the gate would decide about a write by this principal. Writes nothing. */
    readonly judge: (principal: Principal, write: GatedWrite) => Effect.Effect<Verdict, never, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const matcher = yield* GrantMatcher
      const policies = yield* AgentPolicies
      const desk = yield* ProposalFiler
      const readers = yield* RecordReaders
      const spans = yield* collectedSpans

      // The cached policies of each principal. They are freed together with the cached principal. If a statement finds
      // that a policy is outdated, the pod removes both the policy and the principal from the cache.
      const policyCache = new WeakMap<Principal, Map<string, StampedPolicy>>()

      const policyFor = Effect.fnUntraced(function* (principal: Principal, spaceId: string) {
        const known = policyCache.get(principal) ?? new Map<string, StampedPolicy>()
        const found = known.get(spaceId) ?? (yield* policies.policyFor(principal, spaceId))
        if (found.stamp !== null) policyCache.set(principal, known.set(spaceId, found))
        return found
      })

      /**
       * Returns the verdict, and the stamps (the versions) of the policies that led to the verdict. The SQL statement
       * of the write writes nothing if one of these versions is no longer current.
       */
      const decideEarly = (
        principal: Principal,
        early: ReadonlyArray<EarlyVerdict>
      ): Effect.Effect<JudgedWrite, never, Reach> => {
        // A write of a person needs no policy. A write that an agent is never allowed to make needs no policy either.
        if (principal.holder.kind !== "agent" || refusalIn(early) !== undefined) {
          return Effect.succeed({ verdict: decide(early, noPolicy), stamps: [] })
        }
        return Effect.gen(function* () {
          const now = yield* DateTime.now
          const known = new Map<string, AgentPolicy>()
          const stamps: Array<PolicyStamp> = []
          for (const { question } of early) {
            const { spaceId } = question.write.object
            if (known.has(spaceId)) continue
            const { policy, stamp } = yield* policyFor(principal, spaceId)
            if (stamp !== null) stamps.push(stamp)
            known.set(spaceId, inForce(policy, now))
          }
          return { verdict: decide(early, (spaceId) => known.get(spaceId)), stamps }
        })
      }
      const decideWrite = (principal: Principal, write: GatedWrite) =>
        decideEarly(principal, earlyVerdicts(matcher, principal, write))

      const judgeWrite: typeof decideWrite =
        spans === undefined
          ? decideWrite
          : (principal, write) =>
              inSpan(spans, "gate.decide", decideWrite(principal, write), ({ verdict }) => factsOf(write)(verdict))

      const counted = { allow: 0, deny: 0, propose: 0 }
      const decided = (principal: Principal, write: GatedWrite) =>
        Effect.map(judgeWrite(principal, write), (judgement) => {
          counted[judgement.verdict.verdict] += 1
          return judgement
        })

      /**
       * Fails with a refusal that needs no policy. The gate counts and traces this refusal like every other decision.
       */
      const refused = (principal: Principal, write: GatedWrite, refusal: Verdict) =>
        Effect.suspend(() => {
          counted.deny += 1
          const failure = refusalFor(matcher, principal, write, refusal)
          if (spans === undefined) return Effect.fail(failure)
          return Effect.zipRight(inSpan(spans, "gate.decide", Effect.succeed(refusal), factsOf(write)), failure)
        })

      const passedFor = (write: GatedWrite | Change, { stamps, verdict }: JudgedWrite) =>
        Passed.byGate(
          { id: uuidv7(), verdict: verdict.verdict, rung: verdict.rung, permission: permissionFor(write) },
          stamps,
          isChange(write) ? (write.sessionId ?? null) : null
        )

      return {
        verdicts: () => ({ ...counted }),
        judge: (principal, write) => Effect.map(judgeWrite(principal, write), ({ verdict }) => verdict),
        refuse: (write) =>
          Effect.flatMap(Reach, ({ principal }) => {
            const refusal = refusalIn(earlyVerdicts(matcher, principal, write))
            return refusal === undefined ? Effect.void : refused(principal, write, refusal)
          }),
        forecast: (write) =>
          Effect.flatMap(Reach, ({ principal }) => {
            const early = earlyVerdicts(matcher, principal, write)
            const refusal = refusalIn(early)
            if (refusal !== undefined) return refused(principal, write, refusal)
            const verdictOf = Effect.map(decideEarly(principal, early), ({ verdict }) => verdict)
            return write.showsRecord === true && isChange(write)
              ? Effect.zipRight(readers.note(write.targetType, write.targetId), verdictOf)
              : verdictOf
          }),
        passDecision: Effect.fnUntraced(function* (change) {
          const { principal } = yield* Reach
          if (principal.holder.kind === "agent") return yield* peopleOnlyRefusal(principal)
          const judgement = yield* decided(principal, { ...change, isSuggestion: false })
          if (judgement.verdict.verdict !== "allow")
            return yield* refusalFor(matcher, principal, change, judgement.verdict)
          return passedFor(change, judgement)
        }),
        await: Effect.fnUntraced(function* (change) {
          const { principal } = yield* Reach
          const judgement = yield* decided(principal, { ...change, isForced: true })
          if (judgement.verdict.verdict === "deny")
            return yield* refusalFor(matcher, principal, change, judgement.verdict)
          return passedFor(change, judgement)
        }),
        pass: Effect.fnUntraced(function* (write) {
          const { principal } = yield* Reach
          const judgement = yield* decided(principal, write)
          const { verdict } = judgement
          if (verdict.verdict === "deny") return yield* refusalFor(matcher, principal, write, verdict)
          const passed = passedFor(write, judgement)
          if (verdict.verdict === "allow") return passed
          if (verdict.joinSpaceId !== undefined) {
            const reasoning = isChange(write) ? (write.reasoning ?? null) : null
            return yield* new Proposed({ answer: yield* desk.askToJoin(verdict.joinSpaceId, reasoning, passed) })
          }
          if (isChange(write)) return yield* new Proposed({ answer: yield* desk.file(write, passed) })
          return yield* refusalFor(matcher, principal, write, verdict)
        })
      }
    })
  )
  /** The gate itself stores nothing, so it uses the same layer with the stores in memory. */
  static readonly layerMemory = this.layer
}
