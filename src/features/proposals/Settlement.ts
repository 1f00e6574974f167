/** Approving and reverting: everything is asked anew, and applied once, in one transaction with its events. */
import { Context, Effect, Layer } from "effect"
import { Conflict, type ChangeRefusal, invalid, NotImplemented } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Changers } from "../gate/Changers.ts"
import { GovernanceGate, peopleOnly } from "../gate/GovernanceGate.ts"
import type { Json } from "../gate/Write.ts"
import { byHandle, changeNow, heldOf, heldPending, onBehalf } from "./Held.ts"
import { type Approval, hashOf, type StoredProposal } from "./Proposal.ts"
import { ProposalStore } from "./ProposalStore.ts"
import { differing, filedChange, overlaid } from "./Rebase.ts"
import { Standing } from "./Standing.ts"

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
    readonly approve: (handle: string, approval: Approval) => Effect.Effect<Settled, ChangeRefusal, Reach>
    /** The exact inverse of what was applied, or Conflict with the fields that somebody changed since. */
    readonly revert: (handle: string) => Effect.Effect<Settled, ChangeRefusal, Reach>
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
          if (hashOf(held, held.projectIds) !== held.contentHash) {
            return yield* new Conflict({
              code: "CONTENT_CHANGED",
              why: "The content is not the one that was proposed."
            })
          }
        })

      const gone = new Conflict({ code: "TARGET_GONE", why: "What it would change is not there any more." })

      const approveOnce = (id: string, approval: Approval) =>
        atomically(
          Effect.gen(function* () {
            const reach = yield* Reach
            const held = yield* heldPending(store, id)
            if (reach.principal.holder.kind === "agent") return yield* peopleOnly(reach.principal)
            const asAsker = <A, E>(work: Effect.Effect<A, E, Reach>) =>
              Effect.provideService(work, Reach, onBehalf(reach, held))
            const changer = yield* changerOf(held.targetType)
            const change = yield* Effect.catchTag(changeNow(changer, held), "NotFound", () => Effect.fail(gone))
            const passed = yield* gate.settle(change)
            yield* sawContent(held, approval)
            yield* standing.check(held, change)
            const current = change.base
            const { conflicts, fields } = overlaid(held, current)
            if (conflicts.length > 0) {
              return yield* new Conflict({
                code: "PROPOSAL_CONFLICT",
                why: "Somebody changed the same fields since. Edit the proposal to say what shall stand.",
                details: conflicts
              })
            }
            const checked = yield* asAsker(changer.check({ ...change, content: fields }, "approved"))
            const approved = yield* store.settle(
              held,
              {
                status: "approved",
                decidedBy: reach.principal.holder.id,
                applied: {
                  before: current,
                  content: checked.content,
                  hash: held.contentHash,
                  ...(checked.made === undefined ? {} : { made: checked.made })
                }
              },
              {
                type: "proposal.approve",
                subjectId: held.id,
                data: { contentHash: held.contentHash, revision: held.revision, targetId: held.targetId },
                causationId: held.settledEventId ?? held.filedEventId
              },
              passed
            )
            yield* asAsker(
              changer.apply({ ...change, ...checked, expectedVersion: current?.version ?? null }, passed.besides)
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
            const change =
              inverse.action === "restore"
                ? { ...filedChange(held), ...inverse, action: "update" as const }
                : yield* Effect.catchTag(
                    changeNow(changer, held, { action: inverse.action, content: inverse.content }),
                    "NotFound",
                    () => Effect.fail(gone)
                  )
            const passed = yield* gate.settle(change)
            const current = held.action === "delete" ? null : change.base
            if (current !== null) {
              const conflicts = differing(content, current)
              if (conflicts.length > 0) {
                return yield* new Conflict({
                  code: "REVERT_CONFLICT",
                  why: "Somebody changed the same fields since; it cannot be taken back exactly.",
                  details: conflicts
                })
              }
            }
            const reverted = yield* store.settle(
              held,
              { status: "reverted", decidedBy: reach.principal.holder.id },
              {
                type: "proposal.revert",
                subjectId: held.id,
                data: { targetId: held.targetId },
                causationId: held.settledEventId ?? held.filedEventId
              },
              passed
            )
            // The person takes it back: the rows say so.
            yield* Effect.provideService(
              changer.apply(
                { ...change, action: inverse.action, expectedVersion: current?.version ?? null },
                passed.besides
              ),
              Reach,
              { ...onBehalf(reach, held), principal: { ...reach.principal, personId: held.userId } }
            )
            return { proposal: reverted, targetId: held.targetId }
          })
        )

      const again = <A>(work: Effect.Effect<A, ChangeRefusal, Reach>) =>
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
