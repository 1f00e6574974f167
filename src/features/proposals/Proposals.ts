/** Proposals: what people and agents do with changes that wait. Applying and reverting is `Settlement`'s. */
import { Context, Effect, Either, Layer } from "effect"
import {
  type ChangeRefusal,
  Conflict,
  type WriteRefusal,
  Forbidden,
  type Invalid,
  invalid,
  NotFound
} from "../../doors/Failure.ts"
import { cursorText } from "../../doors/Fields.ts"
import type { Page } from "../../doors/Page.ts"
import type { Proposed, ProposedAnswer } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Changers, changeOf } from "../gate/Changers.ts"
import { GovernanceGate, peopleOnly } from "../gate/GovernanceGate.ts"
import { Passed } from "../gate/Passed.ts"
import type { Change } from "../gate/Write.ts"
import { spaceNamed } from "../workspaces/WorkspaceAccess.ts"
import { diffFields } from "../gate/FieldDiff.ts"
import {
  type FiledProposal,
  hashOf,
  type Proposal,
  type ProposalDetail,
  type ProposalDraft,
  type ProposalEdit,
  type ProposalInput,
  type Rejection,
  shortened,
  type StoredProposal
} from "./Proposal.ts"
import { ProposalStore } from "./ProposalStore.ts"
import { toWire } from "./ProposalWire.ts"
import { absent, byHandle, changeNow, heldPending, onBehalf } from "./Held.ts"
import { filedChange, overlaid } from "./Rebase.ts"

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
    readonly get: (handle: string) => Effect.Effect<ProposalDetail, WriteRefusal, Reach>
    /** What an agent files by hand goes through the gate like any write; Proposed where the agent has to be let in first. */
    readonly file: (draft: ProposalDraft) => Effect.Effect<FiledProposal, ChangeRefusal | Proposed, Reach>
    /**
     * By the agent that made it, or by a person: asked, described and judged anew. A person's edit rests on the record as it
     * stands then; an agent's on what it was made from.
     */
    readonly edit: (handle: string, edit: ProposalEdit) => Effect.Effect<Proposal, ChangeRefusal, Reach>
    /** By a person: rejected. By the agent that made it: withdrawn. */
    readonly reject: (handle: string, why: Rejection) => Effect.Effect<Proposal, ChangeRefusal, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* ProposalStore
      const gate = yield* GovernanceGate
      const changers = yield* Changers
      const { atomically } = yield* Transaction

      const changerOf = (targetType: string) => {
        const changer = changers.of(targetType)
        return changer === undefined ? Effect.fail(absent) : Effect.succeed(changer)
      }

      /** The word of a person who could do what is asked. Fails with Forbidden otherwise. */
      const decidedBy = (change: Change) =>
        Effect.catchTag(gate.settle(change), "Forbidden", (refusal) =>
          Effect.fail(
            refusal.code === "PEOPLE_ONLY"
              ? refusal
              : new Forbidden({
                  ...refusal,
                  code: "APPROVAL_DENIED",
                  why: `Who may not do it may not decide on it: ${refusal.why}`
                })
          )
        )

      /** The word on an edit: by a person as on any decision, by the agent that made it as on what it would ask anew. */
      const editedBy = (held: StoredProposal, change: Change) =>
        Effect.flatMap(Reach, ({ principal }) => {
          if (principal.holder.kind !== "agent") return decidedBy(change)
          return principal.holder.id === held.actorId ? gate.await(change) : Effect.fail(peopleOnly(principal))
        })

      /** The word on a refusal of what waits: whoever made it withdraws it, and a person decides. */
      const refusedBy = (held: StoredProposal) =>
        Effect.gen(function* () {
          const { principal } = yield* Reach
          if (principal.holder.id === held.actorId) return Passed.bySystem("whoever made a proposal withdraws it")
          // What it would change may be gone by now; then it is judged as it was filed.
          const now = Effect.flatMap(changerOf(held.targetType), (changer) => changeNow(changer, held))
          return yield* decidedBy(yield* Effect.orElseSucceed(now, () => filedChange(held)))
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
            const asked = { action, targetId, spaceId, content: draft.data }
            const { reasoning, sessionId } = draft
            const described = yield* changeOf(draft.targetType, changer, asked)
            const change: Change = { ...described, reasoning, sessionId, isForced: true }
            yield* gate.refuse(change)
            if (action !== "create" && change.base === null) {
              return yield* new NotFound({ why: "There is no such target." })
            }
            const checked = yield* changer.check(change, "proposed")
            yield* gate.pass({ ...change, ...checked })
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
            const reach = yield* Reach
            const isPerson = reach.principal.holder.kind !== "agent"
            const { id } = yield* byHandle(store, handle)
            return yield* atomically(
              Effect.gen(function* () {
                const held = yield* heldPending(store, id)
                const changer = yield* changerOf(held.targetType)
                const change = yield* changeNow(changer, held, { action: held.action, content: data })
                const passed = yield* editedBy(held, change)
                if (expectedRevision !== undefined && expectedRevision !== held.revision) {
                  return yield* new Conflict({
                    code: "REVISION_CONFLICT",
                    why: `The proposal is at revision ${held.revision} by now.`
                  })
                }
                if (summary !== undefined && !isPerson) {
                  return yield* invalid("summary", "The pod says itself what a proposal does. Leave it out.")
                }
                // Asked for whom it is made, by whoever edits it: what only an agent has to show a person need not.
                const asker = onBehalf(reach, held)
                const checked = yield* Effect.provideService(changer.check(change, "proposed"), Reach, {
                  ...asker,
                  principal: { ...asker.principal, holder: reach.principal.holder }
                })
                // Only a person, who was shown what became of the record, lays an edit over it as it stands: otherwise what
                // somebody wrote meanwhile would be no conflict any more.
                const base = isPerson ? change.base : held.base
                const { content } = checked
                const { projectIds } = change.object
                const contentHash = hashOf({ ...change, content, base }, projectIds)
                const made = yield* store.settle(
                  held,
                  {
                    content,
                    contentHash,
                    base,
                    projectIds,
                    kind: change.kind,
                    isPrivate: change.isPrivate === true,
                    mentions: change.mentions ?? [],
                    summary: summary ?? shortened(change.summary),
                    revision: held.revision + 1,
                    editedBy: reach.principal.holder.id
                  },
                  {
                    type: "proposal.update",
                    subjectId: held.id,
                    data: { revision: held.revision + 1, contentHash },
                    causationId: held.settledEventId ?? held.filedEventId
                  },
                  passed
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
                const passed = yield* refusedBy(held)
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
                  },
                  passed
                )
                return toWire(made)
              })
            )
          })
      }
    })
  )
}
