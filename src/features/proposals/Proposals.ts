/** Proposals: what people and agents do with changes that wait. Applying and reverting is `Settlement`'s. */
import { Context, Effect, Either, Layer } from "effect"
import { Conflict, type Failure, Forbidden, type Invalid, invalid, NotFound } from "../../doors/Failure.ts"
import { cursorText } from "../../doors/Fields.ts"
import type { Page } from "../../doors/Page.ts"
import type { Proposed, ProposedAnswer } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Changers } from "../governance/Changers.ts"
import { GovernanceGate } from "../governance/GovernanceGate.ts"
import type { Change } from "../governance/Write.ts"
import { spaceNamed } from "../workspaces/WorkspaceAccess.ts"
import { devApproval } from "./DevApprovals.ts"
import { diffFields } from "./FieldDiff.ts"
import {
  type FiledProposal,
  hashOf,
  isAgents,
  type Proposal,
  type ProposalDetail,
  type ProposalDraft,
  type ProposalEdit,
  type ProposalInput,
  type Rejection,
  type StoredProposal
} from "./Proposal.ts"
import { ProposalStore } from "./ProposalStore.ts"
import { changeOf, overlaid } from "./Rebase.ts"
import { absent, byHandle, heldPending, peopleOnly } from "./Settlement.ts"

/** A proposal as it travels. */
export const toWire = (kept: StoredProposal): Proposal => ({
  id: kept.id,
  workspaceId: kept.spaceId === kept.userId ? null : kept.spaceId,
  proposalType: kept.proposalType,
  targetType: kept.targetType,
  targetId: kept.targetId,
  status: kept.status,
  data: {
    changeType: kept.action,
    targetType: kept.targetType,
    targetId: kept.targetId,
    data: kept.content,
    reasoning: kept.reasoning,
    summary: kept.summary,
    correlationId: kept.correlationId,
    source: isAgents(kept) ? "agent" : "user"
  },
  summary: kept.summary,
  reasoning: kept.reasoning,
  revision: kept.revision,
  contentHash: kept.contentHash,
  baseVersion: kept.base?.version ?? null,
  statusReason: kept.statusReason,
  reasonCode: kept.reasonCode,
  class: kept.class,
  lifetimeHours: null,
  agentUserId: isAgents(kept) ? kept.actorId : null,
  threadId: null,
  sourceMessageId: null,
  commandRunId: null,
  createdBy: kept.actorId,
  decidedBy: kept.decidedBy,
  decidedAt: kept.decidedAt,
  correlationId: kept.correlationId,
  sessionId: kept.sessionId,
  ...(kept.status === "approved" && kept.action === "create" && kept.targetType !== devApproval
    ? { materializedIds: [kept.targetId] }
    : {}),
  createdAt: kept.createdAt,
  updatedAt: kept.updatedAt,
  expiresAt: kept.expiresAt
})

const notHeld = new Conflict({ code: "NOT_PROPOSED", why: "Nothing holds this write back: make it directly." })

/** What the gate answers to a write that waits, as whoever meant to file it reads it. */
const filedAs = (answer: ProposedAnswer, sessionId: string | null): FiledProposal => ({
  ...answer,
  id: answer.proposalId,
  status: "pending",
  sessionId
})

export interface CountedProposals extends Page<Proposal> {
  readonly total: number
}

export class Proposals extends Context.Tag("pod/Proposals")<
  Proposals,
  {
    /** Those about things the caller may read, latest first. */
    readonly list: (input: ProposalInput) => Effect.Effect<CountedProposals, Forbidden, Reach>
    /** With what it would change of the record as it stands. By id, or the beginning of one. */
    readonly get: (handle: string) => Effect.Effect<ProposalDetail, Failure, Reach>
    /** What an agent files by hand goes through the gate like any write; Proposed where the agent has to be let in first. */
    readonly file: (draft: ProposalDraft) => Effect.Effect<FiledProposal, Failure | Proposed, Reach>
    /** By the agent that made it, or by a person. What is edited rests on the record as it stands then. */
    readonly edit: (handle: string, edit: ProposalEdit) => Effect.Effect<Proposal, Failure, Reach>
    /** By a person: rejected. By the agent that made it: withdrawn. */
    readonly reject: (handle: string, why: Rejection) => Effect.Effect<Proposal, Failure, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* ProposalStore
      const gate = yield* GovernanceGate
      const changers = yield* Changers
      const { atomically } = yield* Transaction

      /** Whether the caller made it, or is a person who could do what it asks. Fails with Forbidden otherwise. */
      const mayTouch = (proposal: StoredProposal) =>
        Effect.gen(function* () {
          const { principal } = yield* Reach
          if (principal.holder.kind === "agent") {
            return principal.holder.id === proposal.actorId ? undefined : yield* peopleOnly(principal)
          }
          const verdict = yield* gate.judge(principal, changeOf(proposal, principal.personId))
          if (verdict.verdict === "deny") {
            return yield* new Forbidden({
              code: "APPROVAL_DENIED",
              why: `Who may not do it may not decide on it: ${verdict.reason}`,
              required: [`${proposal.subject}.${proposal.action}`],
              granted: principal.grant?.permissions ?? ["*"],
              rung: verdict.rung
            })
          }
        })

      const proposalType = (draft: ProposalDraft): Either.Either<Change["action"], Invalid> => {
        const action = draft.proposalType.split(".").at(-1)
        return action === "create" || action === "update" || action === "delete"
          ? Either.right(action)
          : Either.left(invalid("proposalType", "Use create, update or delete, or <subject>.<one of them>."))
      }

      return {
        list: (input) =>
          Effect.gen(function* () {
            const spaceId = input.workspaceId === undefined ? undefined : yield* spaceNamed(input.workspaceId)
            const { limit, offset, sessionId, status } = input
            const found = yield* store.list({ spaceId, sessionId, status, limit, offset, before: input.cursor?.id })
            const last = found.proposals[limit - 1]
            const isLast = last === undefined || found.total <= offset + limit
            return {
              items: found.proposals.map(toWire),
              next: isLast ? null : cursorText({ at: null, id: last.id }),
              total: found.total
            }
          }),

        get: (handle) =>
          Effect.gen(function* () {
            const kept = yield* byHandle(store, handle)
            const current =
              (yield* changers.of(kept.targetType)?.current(kept.targetId, kept.spaceId) ?? Effect.succeed(null)) ??
              null
            if (kept.status !== "pending") {
              const before = kept.applied?.before?.fields ?? kept.base?.fields ?? {}
              return { ...toWire(kept), differences: diffFields(before, { ...before, ...kept.content }), conflicts: [] }
            }
            const { fields, conflicts } = overlaid(kept, current)
            const before = kept.action === "create" ? {} : (current?.fields ?? {})
            const after = kept.action === "delete" ? {} : { ...before, ...fields }
            return { ...toWire(kept), differences: diffFields(before, after), conflicts }
          }),

        file: (draft) =>
          Effect.gen(function* () {
            const { principal } = yield* Reach
            if (principal.holder.kind !== "agent") {
              return yield* new Forbidden({
                code: "AGENTS_ONLY",
                why: "Agents propose. A person writes it directly.",
                required: [],
                granted: []
              })
            }
            const changer = changers.of(draft.targetType)
            if (changer === undefined) return yield* invalid("targetType", "Nothing of this type can be proposed.")
            const action = yield* proposalType(draft)
            const targetId = action === "create" ? uuidv7() : draft.targetId
            if (targetId === undefined) return yield* invalid("targetId", "Name what it is about.")
            const spaceId = yield* spaceNamed(draft.workspaceId)
            const base = action === "create" ? null : yield* changer.current(targetId, spaceId)
            if (action !== "create" && base === null) return yield* new NotFound({ why: "There is no such target." })
            const described = yield* changer.describe(action, targetId, draft.data, spaceId)
            const change: Change = {
              ...described,
              action,
              targetType: draft.targetType,
              targetId,
              content: draft.data,
              base,
              reasoning: draft.reasoning,
              sessionId: draft.sessionId,
              isForced: true
            }
            const whole = { ...change, also: changer.also?.(change) ?? [] }
            yield* gate.refuse(whole)
            yield* changer.check(change)
            yield* gate.pass(whole)
            return yield* notHeld
          }).pipe(
            Effect.catchTag("Proposed", (proposed): Effect.Effect<FiledProposal, Proposed> =>
              proposed.answer.proposalType === "join"
                ? Effect.fail(proposed)
                : Effect.succeed(filedAs(proposed.answer, draft.sessionId ?? null))
            )
          ),

        edit: (handle, { data, expectedRevision, summary }) =>
          Effect.gen(function* () {
            const { principal } = yield* Reach
            const { id } = yield* byHandle(store, handle)
            return yield* atomically(
              Effect.gen(function* () {
                const held = yield* heldPending(store, id)
                yield* mayTouch(held)
                if (expectedRevision !== undefined && expectedRevision !== held.revision) {
                  return yield* new Conflict({
                    code: "REVISION_CONFLICT",
                    why: `The proposal is at revision ${held.revision} by now.`
                  })
                }
                const changer = changers.of(held.targetType)
                if (changer === undefined) return yield* absent
                const edited = { ...held, content: data }
                yield* changer.check(changeOf(edited, held.userId))
                const base = held.action === "create" ? null : yield* changer.current(held.targetId, held.spaceId)
                const contentHash = hashOf(edited)
                const made = yield* store.settle(
                  held,
                  {
                    content: data,
                    contentHash,
                    revision: held.revision + 1,
                    editedBy: principal.holder.id,
                    base,
                    ...(summary === undefined ? {} : { summary })
                  },
                  {
                    type: "proposal.update",
                    subjectId: held.id,
                    data: { revision: held.revision + 1, contentHash },
                    causationId: held.settledEventId ?? held.filedEventId
                  }
                )
                return toWire(made)
              })
            )
          }),

        reject: (handle, { reason, reasonCode }) =>
          Effect.gen(function* () {
            const { principal } = yield* Reach
            const { id } = yield* byHandle(store, handle)
            return yield* atomically(
              Effect.gen(function* () {
                const held = yield* heldPending(store, id)
                yield* mayTouch(held)
                const isWithdrawn = principal.holder.id === held.actorId
                const made = yield* store.settle(
                  held,
                  {
                    status: isWithdrawn ? "withdrawn" : "rejected",
                    statusReason: reason ?? null,
                    reasonCode: reasonCode ?? null,
                    decidedBy: principal.holder.id
                  },
                  {
                    type: isWithdrawn ? "proposal.withdraw" : "proposal.reject",
                    subjectId: held.id,
                    data: { reason: reason ?? null, reasonCode: reasonCode ?? null },
                    causationId: held.settledEventId ?? held.filedEventId
                  }
                )
                return toWire(made)
              })
            )
          })
      }
    })
  )
}
