/** Approving and reverting: everything is asked anew, and applied once, in one transaction with its events. */
import { Context, Effect, Layer } from "effect"
import { Conflict, type Failure, Forbidden, invalid, NotFound, NotImplemented } from "../../doors/Failure.ts"
import type { Principal } from "../../doors/Principal.ts"
import { inSpaces, Reach, type ReachShape } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Changers } from "../governance/Changers.ts"
import { GovernanceGate, refusalFor } from "../governance/GovernanceGate.ts"
import { type Change, type Json, permissionFor } from "../governance/Write.ts"
import { type Approval, hashOf, isAgents, type StoredProposal } from "./Proposal.ts"
import { ProposalStore } from "./ProposalStore.ts"
import { changeOf, differing, overlaid } from "./Rebase.ts"
import { Standing } from "./Standing.ts"

export const absent = new NotFound({ why: "There is no such proposal." })

export const peopleOnly = (principal: Principal): Forbidden =>
  new Forbidden({
    code: "PEOPLE_ONLY",
    why: "Only a person decides on a proposal.",
    required: ["person"],
    granted: principal.holder.kind === "agent" ? ["agent"] : [],
    rung: "forPeople"
  })

type Store = typeof ProposalStore.Service

/** The proposal a caller means. */
export const byHandle = (store: Store, handle: string) =>
  Effect.catchTags(store.get(handle), {
    ProposalNotFound: () => Effect.fail(absent),
    HandleAmbiguous: () => Effect.fail(invalid("id", "More than one proposal begins like this. Say more of its id."))
  })

const heldOf = (store: Store, id: string) =>
  Effect.catchTag(store.hold(id), "ProposalNotFound", () => Effect.fail(absent))

/** Held until the transaction ends, and nobody has decided on it. */
export const heldPending = (store: Store, id: string) =>
  Effect.filterOrFail(
    heldOf(store, id),
    ({ status }) => status === "pending",
    ({ status }) => new Conflict({ code: "PROPOSAL_SETTLED", why: `The proposal is ${status.replace("_", " ")}.` })
  )

/**
 * The reach under which an approved change is written: the approver's session lives behind it and their rights bound it,
 * and the rows say who made the change and for whom. Never more than the approver may touch in that one space.
 */
const onBehalf = (reach: ReachShape, proposal: StoredProposal, cause: string): ReachShape => ({
  ...reach,
  principal: {
    ...reach.principal,
    holder: { id: proposal.actorId, kind: isAgents(proposal) ? "agent" : "person", capabilities: [] },
    personId: proposal.userId
  },
  authority: reach.authority.kind === "system" ? reach.authority : { ...reach.authority, personId: proposal.userId },
  bounds: (subject, action) => inSpaces(reach.bounds(subject, action), [proposal.spaceId]),
  notes: { cause }
})

const retriesMost = 3 // a record that moves between look and write is looked at again

export interface Settled {
  readonly proposal: StoredProposal
  readonly targetId: string
}

export class Settlement extends Context.Tag("pod/Settlement")<
  Settlement,
  {
    /**
     * Applies what the person saw. Fails with Forbidden for agents and for who may not do it themselves; with Conflict
     * when it is settled, was edited since, its authority is gone, or it and the record disagree (`details`).
     */
    readonly approve: (handle: string, approval: Approval) => Effect.Effect<Settled, Failure, Reach>
    /** The exact inverse of what was applied, or Conflict with the fields that somebody changed since. */
    readonly revert: (handle: string) => Effect.Effect<Settled, Failure, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* ProposalStore
      const gate = yield* GovernanceGate
      const changers = yield* Changers
      const standing = yield* Standing
      const { atomically } = yield* Transaction

      const changerOf = (targetType: string) => {
        const changer = changers.of(targetType)
        return changer === undefined
          ? Effect.fail(new NotImplemented({ why: `Nothing here applies a change to a ${targetType}.` }))
          : Effect.succeed(changer)
      }

      /** The approver, who must be a person that could do it alone. */
      const decides = (change: Change) =>
        Effect.gen(function* () {
          const { principal } = yield* Reach
          if (principal.holder.kind === "agent") return yield* peopleOnly(principal)
          const verdict = yield* gate.judge(principal, change)
          if (verdict.verdict !== "allow") return yield* refusalFor(principal, change, verdict)
        })

      /** Did the person see this very content? It went without saying only while nobody else touched it. */
      const sawContent = (held: StoredProposal, { contentHash, expectedRevision }: Approval) =>
        Effect.gen(function* () {
          const { principal } = yield* Reach
          const hasMoved =
            (contentHash !== undefined && contentHash !== held.contentHash) ||
            (expectedRevision !== undefined && expectedRevision !== held.revision)
          const isUnsaid = contentHash === undefined && expectedRevision === undefined
          const isOwnEdit = held.editedBy === null || held.editedBy === principal.holder.id
          if (hasMoved || (isUnsaid && !isOwnEdit)) {
            return yield* new Conflict({
              code: "CONTENT_CHANGED",
              why: "The proposal was edited. Look at it again and approve its contentHash or expectedRevision.",
              details: { revision: held.revision, contentHash: held.contentHash }
            })
          }
          if (hashOf(held) !== held.contentHash) {
            return yield* new Conflict({
              code: "CONTENT_CHANGED",
              why: "The content is not the one that was proposed."
            })
          }
        })

      const noted = (reach: ReachShape, change: Change) => {
        reach.notes.decision = { id: uuidv7(), verdict: "allow", rung: "person", permission: permissionFor(change) }
      }

      const approveOnce = (id: string, approval: Approval) =>
        atomically(
          Effect.gen(function* () {
            const reach = yield* Reach
            const held = yield* heldPending(store, id)
            const changer = yield* changerOf(held.targetType)
            const whole = (change: Change) => ({ ...change, also: changer.also?.(change) ?? [] })
            const change = whole(changeOf(held, reach.principal.personId))
            yield* decides(change)
            yield* sawContent(held, approval)
            yield* standing.check(held, whole(changeOf(held, held.userId)))
            const current = held.action === "create" ? null : yield* changer.current(held.targetId, held.spaceId)
            if (held.action !== "create" && current === null) {
              return yield* new Conflict({ code: "TARGET_GONE", why: "What it would change is not there any more." })
            }
            const { conflicts, fields } = overlaid(held, current)
            if (conflicts.length > 0) {
              return yield* new Conflict({
                code: "PROPOSAL_CONFLICT",
                why: "Somebody changed the same fields since. Edit the proposal to say what shall stand.",
                details: conflicts
              })
            }
            noted(reach, change)
            const approved = yield* store.settle(
              held,
              {
                status: "approved",
                decidedBy: reach.principal.holder.id,
                applied: { before: current, content: fields, hash: held.contentHash }
              },
              {
                type: "proposal.approve",
                subjectId: held.id,
                data: { contentHash: held.contentHash, revision: held.revision, targetId: held.targetId },
                causationId: held.settledEventId ?? held.filedEventId
              }
            )
            yield* Effect.provideService(
              changer.apply({ ...change, content: fields, expectedVersion: current?.version ?? null }),
              Reach,
              onBehalf(reach, held, approved.settledEventId!)
            )
            return { proposal: approved, targetId: held.targetId }
          })
        )

      const inverseOf = (held: StoredProposal, written: Json, before: Json) => {
        switch (held.action) {
          case "create":
            // What was made says what else goes with it.
            return { action: "delete" as const, content: written }
          case "update":
            return {
              action: "update" as const,
              content: Object.fromEntries(Object.keys(written).map((name) => [name, before[name] ?? null]))
            }
          case "delete":
            return { action: "restore" as const, content: {} }
        }
      }

      const revertOnce = (id: string) =>
        atomically(
          Effect.gen(function* () {
            const reach = yield* Reach
            if (reach.principal.holder.kind === "agent") return yield* peopleOnly(reach.principal)
            const held = yield* heldOf(store, id)
            if (held.status !== "approved" || held.applied === null) {
              return yield* invalid("id", `Only an approved proposal is reverted; this one is ${held.status}.`)
            }
            const changer = yield* changerOf(held.targetType)
            if (changer.irreversible !== undefined) return yield* new NotImplemented({ why: changer.irreversible })
            const { before, content } = held.applied
            const inverse = inverseOf(held, content, before?.fields ?? {})
            const change = changeOf(held, reach.principal.personId)
            const taken = { ...change, ...inverse, action: inverse.action === "restore" ? "update" : inverse.action }
            yield* decides({ ...taken, also: changer.also?.(taken) ?? [] })
            const current = held.action === "delete" ? null : yield* changer.current(held.targetId, held.spaceId)
            if (held.action !== "delete") {
              if (current === null) {
                return yield* new Conflict({ code: "TARGET_GONE", why: "What it changed is not there any more." })
              }
              const conflicts = differing(content, current)
              if (conflicts.length > 0) {
                return yield* new Conflict({
                  code: "REVERT_CONFLICT",
                  why: "Somebody changed the same fields since; it cannot be taken back exactly.",
                  details: conflicts
                })
              }
            }
            noted(reach, change)
            const reverted = yield* store.settle(
              held,
              { status: "reverted", decidedBy: reach.principal.holder.id },
              {
                type: "proposal.revert",
                subjectId: held.id,
                data: { targetId: held.targetId },
                causationId: held.settledEventId ?? held.filedEventId
              }
            )
            // The person takes it back: the rows say so.
            yield* Effect.provideService(
              changer.apply({ ...change, ...inverse, expectedVersion: current?.version ?? null }),
              Reach,
              {
                ...onBehalf(reach, held, reverted.settledEventId!),
                principal: { ...reach.principal, personId: held.userId }
              }
            )
            return { proposal: reverted, targetId: held.targetId }
          })
        )

      const again = <A>(work: Effect.Effect<A, Failure, Reach>) =>
        Effect.retry(work, {
          times: retriesMost,
          while: (failure) => failure._tag === "Conflict" && failure.code === "VERSION_CONFLICT"
        })

      return {
        approve: (handle, approval) =>
          Effect.flatMap(byHandle(store, handle), ({ id }) => again(approveOnce(id, approval))),
        revert: (handle) => Effect.flatMap(byHandle(store, handle), ({ id }) => again(revertOnce(id)))
      }
    })
  )
}
