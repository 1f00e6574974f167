/**
 * Approves and reverts proposals. For each approval and revert, the pod repeats every check, and one transaction
 * applies the change with its events.
 */
import { Context, Effect, Layer } from "effect"
import { Conflict, type ChangeRefusal, invalid, NotImplemented, isVersionConflict } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Changers } from "../gate/Changers.ts"
import { GovernanceGate, peopleOnlyRefusal } from "../gate/GovernanceGate.ts"
import type { JsonRecord } from "../gate/Write.ts"
import { describeAgain, findByHandle, proposalLocks, reachOfRequester } from "./LockedProposal.ts"
import type { Approval } from "./Proposal.ts"
import { proposalHash, type StoredProposal } from "./StoredProposal.ts"
import { ProposalStore } from "./ProposalStore.ts"
import { changedFields, requestedChange, rebase } from "./Rebase.ts"
import { RequesterRights } from "./RequesterRights.ts"

// The maximum number of retries of one request. A retry is necessary if somebody changes the record before the write.
const retriesMax = 3

export interface SettledProposal {
  readonly proposal: StoredProposal
  readonly targetId: string
}

export class Settlement extends Context.Tag("pod/Settlement")<
  Settlement,
  {
    /**
     * Applies the change that the person has seen. Fails with Forbidden for agents, and for people who could not make
     * the change without approval. Fails with Conflict in four cases:
     * - The proposal no longer waits for a decision.
     * - The proposal was edited in the meantime.
     * - The person or agent that requested the change has lost the right to it.
     * - The record has changed (see `details` in the failure).
     */
    readonly approve: (handle: string, approval: Approval) => Effect.Effect<SettledProposal, ChangeRefusal, Reach>
    /**
     * Reverts the change exactly. If somebody has changed fields since the approval, fails with a Conflict that lists
     * these fields.
     */
    readonly revert: (handle: string) => Effect.Effect<SettledProposal, ChangeRefusal, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* ProposalStore
      const gate = yield* GovernanceGate
      const changers = yield* Changers
      const askerRights = yield* RequesterRights
      const { atomically } = yield* Transaction
      const { lock, lockPending } = yield* proposalLocks

      const changerOf = (targetType: string) => {
        const changer = changers.of(targetType)
        return changer === undefined
          ? Effect.fail(new NotImplemented({ why: `This pod cannot apply changes to the record type ${targetType}.` }))
          : Effect.succeed(changer)
      }

      /**
       * Checks that the person saw the content of the proposal, and fails otherwise. If the request has no hash and no
       * revision, the approval succeeds only if nobody else has edited the proposal.
       */
      const checkContentSeen = Effect.fnUntraced(function* (
        proposal: StoredProposal,
        { contentHash, expectedRevision }: Approval
      ) {
        const { principal } = yield* Reach
        const hasMoved =
          (contentHash !== undefined && contentHash !== proposal.contentHash) ||
          (expectedRevision !== undefined && expectedRevision !== proposal.revision)
        const isUnspecified = contentHash === undefined && expectedRevision === undefined
        const isOwnEdit = proposal.editedBy === null || proposal.editedBy === principal.holder.id
        if (hasMoved || (isUnspecified && !isOwnEdit)) {
          return yield* new Conflict({
            code: "CONTENT_CHANGED",
            why: "Somebody has edited the proposal since you read it. Read the proposal again, and send its new `contentHash` or `expectedRevision`.",
            details: { revision: proposal.revision, contentHash: proposal.contentHash }
          })
        }
        if (proposalHash(proposal, proposal.projectIds) !== proposal.contentHash) {
          return yield* new Conflict({
            code: "CONTENT_CHANGED",
            why: "The stored content does not match the hash of the proposal. Create the proposal again."
          })
        }
      })

      const targetGone = new Conflict({
        code: "TARGET_GONE",
        why: "The record that this proposal changes no longer exists."
      })

      const approveOnce = (id: string, approval: Approval) =>
        atomically(
          Effect.gen(function* () {
            const reach = yield* Reach
            const proposal = yield* lockPending(id)
            if (reach.principal.holder.kind === "agent") return yield* peopleOnlyRefusal(reach.principal)
            const asAsker = <A, E>(work: Effect.Effect<A, E, Reach>) =>
              Effect.provideService(work, Reach, reachOfRequester(reach, proposal))
            const changer = yield* changerOf(proposal.targetType)
            const change = yield* Effect.catchTag(describeAgain(changer, proposal), "NotFound", () =>
              Effect.fail(targetGone)
            )
            const passed = yield* gate.passDecision({ ...change, sessionId: proposal.sessionId })
            yield* checkContentSeen(proposal, approval)
            yield* askerRights.check(proposal, change)
            const current = change.base
            const { conflicts, fields } = rebase(proposal, current)
            if (conflicts.length > 0) {
              return yield* new Conflict({
                code: "PROPOSAL_CONFLICT",
                why: "Somebody has changed the same fields of the record since the proposal was made. Edit the proposal, and send the values that these fields should have.",
                details: conflicts
              })
            }
            const checked = yield* asAsker(changer.check({ ...change, content: fields }, "approved"))
            const approved = yield* store.changeLocked(
              proposal,
              {
                status: "approved",
                decidedBy: reach.principal.holder.id,
                applied: {
                  before: current,
                  content: checked.content,
                  hash: proposal.contentHash,
                  ...(checked.createdIds === undefined ? {} : { made: checked.createdIds })
                }
              },
              {
                type: "proposal.approve",
                subjectId: proposal.id,
                data: { contentHash: proposal.contentHash, revision: proposal.revision, targetId: proposal.targetId },
                causationId: proposal.settledEventId ?? proposal.filedEventId
              },
              passed
            )
            yield* asAsker(
              changer.apply({ ...change, ...checked, expectedVersion: current?.version ?? null }, passed.forOthers)
            )
            return { proposal: approved, targetId: proposal.targetId }
          })
        )

      const inverseOf = (proposal: StoredProposal, written: JsonRecord, before: JsonRecord) => {
        switch (proposal.action) {
          case "create":
            // The delete gets the content of the create. The content names the related objects that the delete must
            // also remove.
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
            if (reach.principal.holder.kind === "agent") return yield* peopleOnlyRefusal(reach.principal)
            const proposal = yield* lock(id)
            if (proposal.status !== "approved" || proposal.applied === null) {
              return yield* invalid(
                "id",
                `Only an approved proposal can be reverted. The status of this proposal is ${proposal.status}.`
              )
            }
            const changer = yield* changerOf(proposal.targetType)
            if (changer.irreversible !== undefined) return yield* new NotImplemented({ why: changer.irreversible })
            const { before, content } = proposal.applied
            const inverse = inverseOf(proposal, content, before?.fields ?? {})
            const change =
              inverse.action === "restore"
                ? { ...requestedChange(proposal), ...inverse, action: "update" as const }
                : yield* Effect.catchTag(
                    describeAgain(changer, proposal, { action: inverse.action, content: inverse.content }),
                    "NotFound",
                    () => Effect.fail(targetGone)
                  )
            const passed = yield* gate.passDecision(change)
            const current = proposal.action === "delete" ? null : change.base
            if (current !== null) {
              const conflicts = changedFields(content, current)
              if (conflicts.length > 0) {
                return yield* new Conflict({
                  code: "REVERT_CONFLICT",
                  why: "Somebody has changed the same fields of the record since the approval, so the pod cannot revert the proposal exactly.",
                  details: conflicts
                })
              }
            }
            const checked = yield* changer.check(
              inverse.action === "restore"
                ? { ...change, action: "create", content: before?.fields ?? {} }
                : { ...change, action: inverse.action },
              inverse.action === "restore" ? "restored" : "reverted"
            )
            const reverted = yield* store.changeLocked(
              proposal,
              { status: "reverted", decidedBy: reach.principal.holder.id },
              {
                type: "proposal.revert",
                subjectId: proposal.id,
                data: { targetId: proposal.targetId },
                causationId: proposal.settledEventId ?? proposal.filedEventId
              },
              passed
            )
            // The author of the written rows is the person who reverts the change, and not the agent that made the
            // proposal.
            yield* Effect.provideService(
              changer.apply(
                { ...change, ...checked, action: inverse.action, expectedVersion: current?.version ?? null },
                passed.forOthers
              ),
              Reach,
              { ...reachOfRequester(reach, proposal), principal: { ...reach.principal, personId: proposal.userId } }
            )
            return { proposal: reverted, targetId: proposal.targetId }
          })
        )

      const withRetries = <A>(work: Effect.Effect<A, ChangeRefusal, Reach>) =>
        Effect.retry(work, {
          times: retriesMax,
          while: isVersionConflict
        })

      return {
        approve: (handle, approval) =>
          Effect.flatMap(findByHandle(store, handle), ({ id }) => withRetries(approveOnce(id, approval))),
        revert: (handle) => Effect.flatMap(findByHandle(store, handle), ({ id }) => withRetries(revertOnce(id)))
      }
    })
  )
}
