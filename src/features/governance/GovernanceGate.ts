/** The gate that every write passes: carried out, refused, or put before a person. */
import { Context, DateTime, Effect, Layer } from "effect"
import { Forbidden } from "../../doors/Failure.ts"
import type { Principal } from "../../doors/Principal.ts"
import { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { GrantMatcher } from "../grants/GrantMatcher.ts"
import { AgentPolicies, type StampedPolicy } from "./AgentPolicies.ts"
import { decide, refusalOf, type Rung, type Verdict } from "./Ladder.ts"
import type { AgentPolicy } from "./Policy.ts"
import { ProposalDesk } from "./ProposalDesk.ts"
import { type Change, type GatedWrite, isChange, permissionFor } from "./Write.ts"

const codes: Partial<Record<Rung, string>> = {
  confinement: "WORKSPACE_FORBIDDEN",
  membership: "WORKSPACE_FORBIDDEN",
  agentRole: "WORKSPACE_FORBIDDEN",
  grant: "GRANT_DENIED",
  forPeople: "PEOPLE_ONLY",
  capabilities: "CAPABILITY_MISSING"
}

const noPolicy = () => undefined

/** Without the rules that ended since it was looked up. */
const inForce = (policy: AgentPolicy, now: DateTime.Utc): AgentPolicy => ({
  ...policy,
  rules: policy.rules.filter(({ expiresAt }) => expiresAt === null || DateTime.greaterThan(expiresAt, now))
})

/** A refusal of the gate as it is said to the caller. */
export const refusalFor = (
  principal: Principal,
  write: GatedWrite,
  { rung, reason }: { readonly rung: Rung; readonly reason: string }
): Forbidden =>
  new Forbidden({
    code: codes[rung] ?? "APPROVAL_NEEDED",
    why: reason,
    required: [permissionFor(write)],
    granted: rung === "capabilities" ? principal.holder.capabilities : (principal.grant?.permissions ?? ["*"]),
    rung,
    // The rungs before these come first for whoever has no business in that space.
    ...(rung === "grant" || rung === "capabilities"
      ? { about: { spaceId: write.object.spaceId, objectId: write.object.objectId } }
      : {})
  })

export class GovernanceGate extends Context.Tag("pod/GovernanceGate")<
  GovernanceGate,
  {
    /**
     * Lets a write through, refuses it with Forbidden, or ends it with Proposed after putting it before a person. A
     * refused write is never queued. A write without content cannot be proposed, and is refused where it would be.
     */
    readonly pass: (write: GatedWrite | Change) => Effect.Effect<void, Forbidden | Proposed, Reach>
    /**
     * Refuses what no policy could let through. Asked before anybody looks whether a write makes sense: what is wrong
     * with it may tell of a space that the caller has no business in.
     */
    readonly refuse: (write: GatedWrite) => Effect.Effect<void, Forbidden, Reach>
    /** What the ladder says of a write by somebody. Nothing is done; statements of the call compare what it rests on. */
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
          if (found.stamp === null) return found.policy
          remembered.set(principal, known.set(spaceId, found))
          const { notes, principal: caller } = yield* Reach
          const { policies: judgedBy = [] } = notes
          if (caller === principal && !judgedBy.includes(found.stamp)) notes.policies = [...judgedBy, found.stamp]
          return found.policy
        })

      const judge = (principal: Principal, write: GatedWrite): Effect.Effect<Verdict, never, Reach> =>
        // What a person may do is known without asking; so is what an agent may never do.
        principal.holder.kind !== "agent" || refusalOf(matcher, principal, write) !== undefined
          ? Effect.succeed(decide(matcher, principal, write, noPolicy))
          : Effect.gen(function* () {
              const now = yield* DateTime.now
              const known = new Map<string, AgentPolicy>()
              for (const { object } of [write, ...(write.also ?? [])]) {
                if (known.has(object.spaceId)) continue
                known.set(object.spaceId, inForce(yield* policyFor(principal, object.spaceId), now))
              }
              return decide(matcher, principal, write, (spaceId) => known.get(spaceId))
            })

      return {
        judge,
        refuse: (write) =>
          Effect.flatMap(Reach, ({ principal }) => {
            const refusal = refusalOf(matcher, principal, write)
            return refusal === undefined ? Effect.void : Effect.fail(refusalFor(principal, write, refusal))
          }),
        pass: Effect.fnUntraced(function* (write) {
          const { principal, notes } = yield* Reach
          const verdict = yield* judge(principal, write)
          if (verdict.verdict === "deny") return yield* refusalFor(principal, write, verdict)
          notes.decision = {
            id: uuidv7(),
            verdict: verdict.verdict,
            rung: verdict.rung,
            permission: permissionFor(write)
          }
          if (verdict.verdict === "allow") return
          if (verdict.joinSpaceId !== undefined) {
            return yield* new Proposed({ answer: yield* desk.askToJoin(verdict.joinSpaceId) })
          }
          if (isChange(write)) return yield* new Proposed({ answer: yield* desk.file(write) })
          notes.decision = undefined
          return yield* refusalFor(principal, write, verdict)
        })
      }
    })
  )
  /** The decision being pure, the twin differs in its stores alone. */
  static readonly layerMemory = this.layer
}
