/** The store of proposals. A caller finds only proposals about records that the caller can access. */
import { Context, DateTime, Effect, Layer } from "effect"
import { isDeepStrictEqual } from "node:util"
import { countedMax } from "../../doors/Page.ts"
import type { Reach } from "../../doors/Reach.ts"
import { newestFirst } from "../../doors/RowOrder.ts"
import { memoryTable } from "../../platform/MemoryDatabase.ts"
import type { EventDraft } from "../events/Event.ts"
import { memoryStatements, type ReadContext } from "../events/EventTable.ts"
import type { Passed } from "../gate/Passed.ts"
import type { JsonRecord } from "../gate/Write.ts"
import { excerptOf, type ExcerptPlaces, type ProposalExcerpt } from "./ProposalExcerpt.ts"
import { isInPlaces } from "./ProposalProjects.ts"
import { HandleAmbiguous, ProposalNotFound } from "./Proposal.ts"
import type { StatusFilter } from "./ProposalListing.ts"
import type { StoredProposal } from "./StoredProposal.ts"
import { isVisible } from "./VisibleProposals.ts"

export interface ProposalFilter {
  readonly spaceId: string | undefined
  readonly sessionId: string | undefined
  readonly status: StatusFilter
  readonly limit: number
  readonly offset: number
  /** Selects only proposals that are older than the proposal with this id. Undefined selects proposals of any age. */
  readonly before: string | undefined
  /** Selects only proposals with one of these ids. Undefined selects proposals with any id. */
  readonly ids?: ReadonlyArray<string> | undefined
  /** Leaves out the proposals with these ids. */
  readonly exceptIds?: ReadonlyArray<string> | undefined
  /** Selects only proposals that this person or agent made. */
  readonly actorId?: string | undefined
  /** Selects only proposals of this kind, such as `entity.update`. */
  readonly proposalType?: string | undefined
  /** If true, selects only proposals by the caller's person, and by agents of this person. */
  readonly isOwn?: boolean | undefined
  /**
   * Selects only proposals that would create a record of this type. The value becomes part of the SQL text, so it must
   * be the name of a record type and never a text from a caller.
   */
  readonly creates?: string | undefined
}

type AddedByStore = "filedEventId" | "settledEventId" | "createdAt" | "updatedAt" | "decidedAt"

/** A new proposal. The store adds the times and the ids of the events. */
export type NewProposal = Omit<StoredProposal, AddedByStore>

/** The fields that a decision or an edit can change. */
export type ProposalSettlement = Partial<
  Pick<
    StoredProposal,
    | "status"
    | "statusReason"
    | "reasonCode"
    | "decidedBy"
    | "applied"
    | "content"
    | "contentHash"
    | "revision"
    | "editedBy"
    | "base"
    | "summary"
    | "kind"
    | "projectIds"
    | "isPrivate"
    | "mentions"
  >
>

const hasStatus = ({ status }: StoredProposal, filter: StatusFilter): boolean =>
  filter === "all" || (filter === "settled" ? status !== "pending" : status === filter)

export class ProposalStore extends Context.Tag("pod/ProposalStore")<
  ProposalStore,
  {
    readonly add: (
      proposal: NewProposal,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<StoredProposal, never, Reach>
    /**
     * Lists proposals, latest first, with their total number. The count stops at `countedMax`. If the `expiresAt` of a
     * pending proposal is in the past, the list shows the proposal as `expired`.
     */
    readonly list: (
      filter: ProposalFilter
    ) => Effect.Effect<{ readonly proposals: ReadonlyArray<StoredProposal>; readonly total: number }, never, Reach>
    /**
     * Returns the same page of proposals as `list`, without the total number. So this method reads only the rows of the
     * page.
     */
    readonly page: (filter: ProposalFilter) => Effect.Effect<ReadonlyArray<StoredProposal>, never, Reach>
    /**
     * Reads the excerpts of the latest waiting proposals in these spaces. An excerpt has only the texts that a search
     * compares with a question.
     */
    readonly excerpts: (
      places: ExcerptPlaces,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ProposalExcerpt>, never, Reach>
    /** Finds a proposal by its id, or by the first characters of its id. */
    readonly get: (handle: string) => Effect.Effect<StoredProposal, ProposalNotFound | HandleAmbiguous, Reach>
    /**
     * Finds a proposal by its whole id and locks the proposal until the transaction ends. Until then, nobody else can
     * decide on the proposal or edit it.
     */
    readonly lock: (id: string) => Effect.Effect<StoredProposal, ProposalNotFound, Reach>
    /**
     * Changes a locked proposal and appends the event. Returns the changed proposal with the id of this event.
     */
    readonly changeLocked: (
      proposal: StoredProposal,
      by: ProposalSettlement,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<StoredProposal, never, Reach>
    /**
     * Finds a pending proposal with the given actor, space, type and credential, whose content equals the given
     * content. If `content` is null, ignores the content. The credential must be the same, because a proposal fails
     * when its credential ends. Returns undefined if there is no such proposal, or if somebody has changed the policies
     * since the gate decided on the proposal.
     */
    readonly pendingAlike: (
      filter: Pick<StoredProposal, "actorId" | "spaceId" | "proposalType"> & {
        readonly credentialId: string
        readonly content: JsonRecord | null
      },
      passed: Passed
    ) => Effect.Effect<StoredProposal | undefined, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(memoryStatements, ({ read, write }) => {
      const visible = ({ now, reach, rows }: ReadContext) =>
        rows.all(proposalTable).filter(isVisible(rows, reach)).map(asOf(now))

      const selected = (
        at: ReadContext,
        { actorId, creates, exceptIds, ids, isOwn, proposalType, sessionId, spaceId, status }: ProposalFilter
      ) =>
        visible(at).filter(
          (proposal) =>
            (ids === undefined || ids.includes(proposal.id)) &&
            exceptIds?.includes(proposal.id) !== true &&
            (actorId === undefined || proposal.actorId === actorId) &&
            (proposalType === undefined || proposal.proposalType === proposalType) &&
            (isOwn !== true || proposal.userId === at.reach.principal.personId) &&
            (spaceId === undefined || proposal.spaceId === spaceId) &&
            (sessionId === undefined || proposal.sessionId === sessionId) &&
            (creates === undefined || (proposal.targetType === creates && proposal.action === "create")) &&
            hasStatus(proposal, status)
        )
      const pageOf = (
        found: ReadonlyArray<StoredProposal>,
        { before, limit, offset }: Pick<ProposalFilter, "before" | "limit" | "offset">
      ) =>
        found
          .filter(({ id }) => before === undefined || id < before)
          .toSorted(newestFirst)
          .slice(offset, offset + limit)

      return {
        add: (draft, event, passed) =>
          write(({ append, now, rows }) => {
            const { id: filedEventId } = append(draft.spaceId, event, passed)
            const times = { decidedAt: null, createdAt: now, updatedAt: now }
            const proposal: StoredProposal = { ...draft, filedEventId, settledEventId: null, ...times }
            rows.put(proposalTable, proposal)
            return Effect.succeed(proposal)
          }),
        list: (filter) =>
          read((at) => {
            const found = selected(at, filter)
            return Effect.succeed({ proposals: pageOf(found, filter), total: Math.min(found.length, countedMax) })
          }),
        page: (filter) => read((at) => Effect.succeed(pageOf(selected(at, filter), filter))),
        excerpts: (places, limit) =>
          read((at) =>
            Effect.succeed(
              visible(at)
                .filter((one) => one.status === "pending" && isInPlaces(at.rows, places, one))
                .toSorted(newestFirst)
                .slice(0, limit)
                .map(excerptOf)
            )
          ),
        get: (handle) =>
          read((at) => {
            const [found, ...others] = visible(at).filter(({ id }) => id.startsWith(handle.toLowerCase()))
            if (found === undefined) return new ProposalNotFound({ handle })
            return others.length > 0 ? new HandleAmbiguous({ handle }) : Effect.succeed(found)
          }),
        lock: (id) =>
          read((at) => {
            const found = visible(at).find((proposal) => proposal.id === id)
            return found === undefined ? new ProposalNotFound({ handle: id }) : Effect.succeed(found)
          }),
        changeLocked: (proposal, by, event, passed) =>
          write(({ append, now, rows }) => {
            if (rows.find(proposalTable, proposal.id) === undefined) {
              return Effect.dieMessage("cannot settle a proposal that does not exist")
            }
            const { id: settledEventId } = append(proposal.spaceId, event, passed)
            const decidedAt = by.decidedBy === undefined ? proposal.decidedAt : now
            const settledProposal: StoredProposal = { ...proposal, ...by, settledEventId, decidedAt, updatedAt: now }
            rows.put(proposalTable, settledProposal)
            return Effect.succeed(settledProposal)
          }),
        // Only the gate calls this method. So the result does not depend on what the agent's key may read.
        pendingAlike: ({ actorId, content, credentialId, proposalType, spaceId }) =>
          read(({ now, rows }) =>
            Effect.succeed(
              rows
                .all(proposalTable)
                .map(asOf(now))
                .find(
                  (each) =>
                    each.proposalType === proposalType &&
                    each.actorId === actorId &&
                    each.authority.credentialId === credentialId &&
                    each.spaceId === spaceId &&
                    each.status === "pending" &&
                    (content === null || isDeepStrictEqual(each.content, content))
                )
            )
          )
      }
    })
  )
}

export const proposalTable = memoryTable<StoredProposal>("proposals", ({ id }) => id)

const asOf =
  (now: DateTime.Utc) =>
  (proposal: StoredProposal): StoredProposal =>
    proposal.status === "pending" && DateTime.lessThanOrEqualTo(proposal.expiresAt, now)
      ? { ...proposal, status: "expired" }
      : proposal
