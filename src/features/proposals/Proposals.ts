/** The service of proposals. It creates, lists, edits and rejects proposals. */
import { Context, Effect, Layer } from "effect"
import { type ChangeRefusal, Conflict, type WriteRefusal, Forbidden, invalid } from "../../doors/Failure.ts"
import { cutPage, mapPage, type Page } from "../../doors/Page.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Changers } from "../gate/Changers.ts"
import { GovernanceGate, peopleOnlyRefusal } from "../gate/GovernanceGate.ts"
import { Passed } from "../gate/Passed.ts"
import type { Change } from "../gate/Write.ts"
import { requestedSpace } from "../workspaces/WorkspaceAccess.ts"
import { diffFields } from "../gate/FieldDiff.ts"
import type { FiledProposal, Proposal, ProposalDetail, ProposalDraft, ProposalEdit, Rejection } from "./Proposal.ts"
import type { ProposalListing } from "./ProposalListing.ts"
import { proposalHash, truncateSummary, type StoredProposal } from "./StoredProposal.ts"
import { type ProposalFilter, ProposalStore } from "./ProposalStore.ts"
import { toWire } from "./ProposalWire.ts"
import { describeAgain, findByHandle, proposalLocks, proposalNotFound, reachOfRequester } from "./LockedProposal.ts"
import { currentChange, decisionOn } from "./DecisionRights.ts"
import { fileProposal } from "./FileProposal.ts"
import { rebase } from "./Rebase.ts"
import { RequesterRights } from "./RequesterRights.ts"

type PageInput = Pick<ProposalListing, "cursor" | "limit" | "offset" | "sessionId" | "status" | "workspaceId"> &
  Partial<Pick<ProposalListing, "actorId" | "proposalType" | "whose" | "ids" | "exceptIds">> & {
    /** Selects only proposals that would create a record of this type. Undefined selects proposals of every kind. */
    readonly creates?: string | undefined
  }

/**
 * Makes the filter with which the store reads a page. The filter requests one item more than the page has, because the
 * extra item shows whether there is a next page.
 */
const filterOf = (
  { cursor, limit, offset, sessionId, status, whose, ...chosen }: PageInput,
  spaceId: string | undefined
): ProposalFilter => ({
  actorId: chosen.actorId,
  creates: chosen.creates,
  exceptIds: chosen.exceptIds,
  ids: chosen.ids,
  isOwn: whose === "mine",
  proposalType: chosen.proposalType,
  spaceId,
  sessionId,
  status,
  limit: limit + 1,
  offset,
  before: cursor?.id
})

const wirePage = (proposals: ReadonlyArray<StoredProposal>, limit: number): Page<Proposal> =>
  mapPage(
    cutPage(proposals, limit, ({ id }) => ({ at: null, id })),
    toWire
  )

export interface CountedProposals extends Page<Proposal> {
  readonly total: number
}

export class Proposals extends Context.Tag("pod/Proposals")<
  Proposals,
  {
    /**
     * Returns a page of the proposals about records that the caller may read, latest first, with their total number.
     */
    readonly list: (input: ProposalListing) => Effect.Effect<CountedProposals, Forbidden, Reach>
    /**
     * Returns a page of the same proposals as `list`, with the cursor of the next page and without the total number.
     */
    readonly page: (input: PageInput) => Effect.Effect<Page<Proposal>, Forbidden, Reach>
    /**
     * Reads one proposal and the differences between the proposal and the current record. `handle` is the id of the
     * proposal, or the first characters of the id.
     */
    readonly get: (handle: string) => Effect.Effect<ProposalDetail, WriteRefusal, Reach>
    /**
     * Creates a proposal for an agent. The gate checks the proposed change like any write. If the agent must first join
     * the workspace, fails with Proposed, because the request to join the workspace becomes a proposal.
     */
    readonly file: (draft: ProposalDraft) => Effect.Effect<FiledProposal, ChangeRefusal | Proposed, Reach>
    /**
     * Edits a proposal. Only a person, or the agent that made the proposal, is allowed to do so. The pod describes the
     * edited change again, and the gate judges it again. An edit by a person also makes the current record the new base
     * of the proposal (the record before the change). An edit by an agent keeps the earlier base.
     */
    readonly edit: (handle: string, edit: ProposalEdit) => Effect.Effect<Proposal, ChangeRefusal, Reach>
    /**
     * Ends a waiting proposal without applying it. A person can reject any waiting proposal. The agent that made the
     * proposal can withdraw it.
     */
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
      const { lockPending } = yield* proposalLocks
      const askerRights = yield* RequesterRights

      /**
       * Tells whether the person or agent that requested a proposal is still allowed to make the change. An approval
       * does the same check. Returns null if the pod cannot check this.
       */
      const askerOf = (proposal: StoredProposal): Effect.Effect<ProposalDetail["asker"], never, Reach> =>
        Effect.gen(function* () {
          const { principal } = yield* Reach
          const changer = changers.of(proposal.targetType)
          if (proposal.status !== "pending" || principal.holder.kind === "agent" || changer === undefined) return null
          return yield* describeAgain(changer, proposal).pipe(
            Effect.flatMap((change) => askerRights.check(proposal, change)),
            Effect.map(() => ({ mayStill: true, why: null })),
            Effect.catchAll((failure) =>
              Effect.succeed(
                failure._tag === "Conflict" && failure.code === "AUTHORITY_GONE"
                  ? { mayStill: false, why: failure.why }
                  : null
              )
            )
          )
        })

      const changerOf = (targetType: string) => {
        const changer = changers.of(targetType)
        return changer === undefined ? Effect.fail(proposalNotFound) : Effect.succeed(changer)
      }

      const judgeDecision = decisionOn(gate)

      /**
       * Asks the gate about an edit. The gate judges an edit by a person as a decision, and an edit by the agent that
       * made the proposal as a new request.
       */
      const judgeEdit = (proposal: StoredProposal, change: Change) =>
        Effect.flatMap(Reach, ({ principal }) => {
          if (principal.holder.kind !== "agent") return judgeDecision(change)
          return principal.holder.id === proposal.actorId
            ? gate.await(change)
            : Effect.fail(peopleOnlyRefusal(principal))
        })

      /**
       * Succeeds for the agent or person who made the proposal. Everybody else needs the right to decide on the
       * proposal.
       */
      const judgeRejection = Effect.fnUntraced(function* (proposal: StoredProposal) {
        const { principal } = yield* Reach
        if (principal.holder.id === proposal.actorId) return Passed.bySystem("withdraw a proposal")
        return yield* judgeDecision(yield* currentChange(changers, proposal))
      })

      return {
        list: Effect.fnUntraced(function* (input) {
          const spaceId = input.workspaceId === undefined ? undefined : yield* requestedSpace(input.workspaceId)
          const { proposals, total } = yield* store.list(filterOf(input, spaceId))
          return { ...wirePage(proposals, input.limit), total }
        }),

        page: Effect.fnUntraced(function* (input) {
          const spaceId = input.workspaceId === undefined ? undefined : yield* requestedSpace(input.workspaceId)
          return wirePage(yield* store.page(filterOf(input, spaceId)), input.limit)
        }),

        get: Effect.fnUntraced(function* (handle) {
          const stored = yield* findByHandle(store, handle)
          const current =
            (yield* changers.of(stored.targetType)?.current(stored.targetId, stored.spaceId) ?? Effect.succeed(null)) ??
            null
          if (stored.status !== "pending") {
            const before = stored.applied?.before?.fields ?? stored.base?.fields ?? {}
            const differences = diffFields(before, { ...before, ...stored.content })
            return { ...toWire(stored), differences, conflicts: [], asker: null }
          }
          const { fields, conflicts } = rebase(stored, current)
          const before = stored.action === "create" ? {} : (current?.fields ?? {})
          const after = stored.action === "delete" ? {} : { ...before, ...fields }
          const asker = yield* askerOf(stored)
          return { ...toWire(stored), differences: diffFields(before, after), conflicts, asker }
        }),

        file: fileProposal(changers, gate),

        edit: Effect.fnUntraced(function* (handle, { data, expectedRevision, summary }) {
          const reach = yield* Reach
          const isPerson = reach.principal.holder.kind !== "agent"
          const { id } = yield* findByHandle(store, handle)
          return yield* atomically(
            Effect.gen(function* () {
              const proposal = yield* lockPending(id)
              const changer = yield* changerOf(proposal.targetType)
              const change = yield* describeAgain(changer, proposal, { action: proposal.action, content: data })
              const passed = yield* judgeEdit(proposal, change)
              if (expectedRevision !== undefined && expectedRevision !== proposal.revision) {
                return yield* new Conflict({
                  code: "REVISION_CONFLICT",
                  why: `Somebody has edited the proposal: it is now at revision ${proposal.revision}. Read it again before you send your edit.`
                })
              }
              if (summary !== undefined && !isPerson) {
                return yield* invalid(
                  "summary",
                  "The pod writes the summary of an agent's proposal. Leave out `summary`."
                )
              }
              // The check runs with the rights of the person or agent that requested the change. Only `holder` is the
              // person or agent that edits the proposal now. So if a person edits the proposal, the check leaves out
              // the rules for agents.
              const asker = reachOfRequester(reach, proposal)
              const checked = yield* Effect.provideService(changer.check(change, "proposed"), Reach, {
                ...asker,
                principal: { ...asker.principal, holder: reach.principal.holder }
              })
              // A person who edits has seen the current record, so the current record becomes the base of the edited
              // proposal. After an edit by an agent, the old base stays, because a new base would hide a conflict with
              // a write that somebody else has made since the proposal.
              const base = isPerson ? change.base : proposal.base
              const { content } = checked
              const { projectIds } = change.object
              const contentHash = proposalHash({ ...change, content, base }, projectIds)
              const stored = yield* store.changeLocked(
                proposal,
                {
                  content,
                  contentHash,
                  base,
                  projectIds,
                  kind: change.kind,
                  isPrivate: change.isPrivate === true,
                  mentions: change.mentions ?? [],
                  summary: summary ?? truncateSummary(change.summary),
                  revision: proposal.revision + 1,
                  editedBy: reach.principal.holder.id
                },
                {
                  type: "proposal.update",
                  subjectId: proposal.id,
                  data: { revision: proposal.revision + 1, contentHash },
                  causationId: proposal.settledEventId ?? proposal.filedEventId
                },
                passed
              )
              return toWire(stored)
            })
          )
        }),

        reject: Effect.fnUntraced(function* (handle, { reason, reasonCode }) {
          const { principal } = yield* Reach
          const { id } = yield* findByHandle(store, handle)
          return yield* atomically(
            Effect.gen(function* () {
              const proposal = yield* lockPending(id)
              const passed = yield* judgeRejection(proposal)
              const isWithdrawn = principal.holder.id === proposal.actorId
              const stored = yield* store.changeLocked(
                proposal,
                {
                  status: isWithdrawn ? "withdrawn" : "rejected",
                  statusReason: reason ?? null,
                  reasonCode: reasonCode ?? null,
                  decidedBy: principal.holder.id
                },
                {
                  type: isWithdrawn ? "proposal.withdraw" : "proposal.reject",
                  subjectId: proposal.id,
                  data: { reason: reason ?? null, reasonCode: reasonCode ?? null },
                  causationId: proposal.settledEventId ?? proposal.filedEventId
                },
                passed
              )
              return toWire(stored)
            })
          )
        })
      }
    })
  )
}
