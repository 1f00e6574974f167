/** Where proposals are kept. A caller finds those about things their reach reads, and no others. */
import { Context, DateTime, Effect, Layer } from "effect"
import { subjects } from "../../doors/Door.ts"
import { isDeepStrictEqual } from "node:util"
import type { Bounds, Reach, ReachShape } from "../../doors/Reach.ts"
import { memoryTable, type Rows } from "../../platform/MemoryDatabase.ts"
import { filedKey, filedTable } from "../entities/EntityTable.ts"
import type { EventDraft } from "../events/Event.ts"
import { memoryStatements, type Reading } from "../events/EventTable.ts"
import type { Passed } from "../gate/Passed.ts"
import type { Json, Mention } from "../gate/Write.ts"
import { HandleAmbiguous, ProposalNotFound, type Status, type StoredProposal } from "./Proposal.ts"

export interface ProposalFilter {
  readonly spaceId: string | undefined
  readonly sessionId: string | undefined
  readonly status: Status | "all"
  readonly limit: number
  readonly offset: number
  /** Only those older than this one. */
  readonly before: string | undefined
}

/** A proposal to be; the store adds when, and the event that tells of it. */
export type NewProposal = Omit<
  StoredProposal,
  "filedEventId" | "settledEventId" | "createdAt" | "updatedAt" | "decidedAt"
>

/** What a decision or an edit changes. */
export type Settling = Partial<
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

export class ProposalStore extends Context.Tag("pod/ProposalStore")<
  ProposalStore,
  {
    /** Files it with its event. */
    readonly add: (made: NewProposal, event: EventDraft, passed: Passed) => Effect.Effect<StoredProposal, never, Reach>
    /** Latest first, with how many there are in all. One past its end of life is `expired`. */
    readonly list: (
      filter: ProposalFilter
    ) => Effect.Effect<{ readonly proposals: ReadonlyArray<StoredProposal>; readonly total: number }, never, Reach>
    /** By its id or the beginning of one. */
    readonly get: (handle: string) => Effect.Effect<StoredProposal, ProposalNotFound | HandleAmbiguous, Reach>
    /** The same by its whole id, held until the transaction ends: nobody else settles or edits it meanwhile. */
    readonly hold: (id: string) => Effect.Effect<StoredProposal, ProposalNotFound, Reach>
    /** Changes one that is held, with its event; answers it and the id of the event. */
    readonly settle: (
      held: StoredProposal,
      by: Settling,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<StoredProposal, never, Reach>
    /**
     * What the same one asked for already in that space with this credential, and nobody has decided on. `content` null:
     * whatever it says. What was asked with another one may fall with that. It finds out when a policy that the word rests
     * on moved on: then nothing is the same wish any more.
     */
    readonly pendingAlike: (
      asked: Pick<StoredProposal, "actorId" | "spaceId" | "proposalType"> & {
        readonly credentialId: string
        readonly content: Json | null
      },
      passed: Passed
    ) => Effect.Effect<StoredProposal | undefined, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(memoryStatements, ({ read, write }) => {
      const visible = ({ now, reach, rows }: Reading) => {
        const bounds = reach.bounds("proposal", "read")
        const isReadable = isVisible(reach)
        return rows
          .all(proposalTable)
          .filter((proposal) => isReadable(proposal) && isInProjects(rows, bounds, proposal))
          .map(asOf(now))
      }

      return {
        add: (made, event, passed) =>
          write(({ append, now, rows }) => {
            const { id: filedEventId } = append(made.spaceId, event, passed)
            const times = { decidedAt: null, createdAt: now, updatedAt: now }
            const proposal: StoredProposal = { ...made, filedEventId, settledEventId: null, ...times }
            rows.put(proposalTable, proposal)
            return Effect.succeed(proposal)
          }),
        list: ({ before, limit, offset, sessionId, spaceId, status }) =>
          read((at) => {
            const found = visible(at).filter(
              (proposal) =>
                (spaceId === undefined || proposal.spaceId === spaceId) &&
                (sessionId === undefined || proposal.sessionId === sessionId) &&
                (status === "all" || proposal.status === status)
            )
            const past = found.filter(({ id }) => before === undefined || id < before)
            return Effect.succeed({
              proposals: past.toSorted((one, other) => (one.id < other.id ? 1 : -1)).slice(offset, offset + limit),
              total: found.length
            })
          }),
        get: (handle) =>
          read((at) => {
            const [found, ...others] = visible(at).filter(({ id }) => id.startsWith(handle.toLowerCase()))
            if (found === undefined) return new ProposalNotFound({ handle })
            return others.length > 0 ? new HandleAmbiguous({ handle }) : Effect.succeed(found)
          }),
        hold: (id) =>
          read((at) => {
            const found = visible(at).find((proposal) => proposal.id === id)
            return found === undefined ? new ProposalNotFound({ handle: id }) : Effect.succeed(found)
          }),
        settle: (held, by, event, passed) =>
          write(({ append, now, rows }) => {
            if (rows.find(proposalTable, held.id) === undefined) {
              return Effect.dieMessage("a proposal was settled that is not there")
            }
            const { id: settledEventId } = append(held.spaceId, event, passed)
            const decidedAt = by.decidedBy === undefined ? held.decidedAt : now
            const made: StoredProposal = { ...held, ...by, settledEventId, decidedAt, updatedAt: now }
            rows.put(proposalTable, made)
            return Effect.succeed(made)
          }),
        // The gate asks, whatever the grant of the agent's key reads.
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

const proposalTable = memoryTable<StoredProposal>("proposals", ({ id }) => id)

/** What was deleted stays filed where it was: whoever may bring it back there reads what was asked of it. */
const isInProjects = (rows: Rows, { projects }: Bounds, proposal: StoredProposal): boolean => {
  if (projects === null) return true
  const isFiledThere = (entityId: string) =>
    projects.some((id) => rows.find(filedTable, filedKey({ entityId, projectId: id }))?.spaceId === proposal.spaceId)
  const isMentionFiled = ({ objectId, subject }: Mention) =>
    subject !== "entity" || (objectId !== null && isFiledThere(objectId))
  if (!proposal.mentions.every(isMentionFiled)) return false
  return proposal.action === "create" && proposal.status !== "approved"
    ? proposal.projectIds.some((id) => projects.includes(id))
    : isFiledThere(proposal.targetId)
}

const asOf =
  (now: DateTime.Utc) =>
  (proposal: StoredProposal): StoredProposal =>
    proposal.status === "pending" && DateTime.lessThanOrEqualTo(proposal.expiresAt, now)
      ? { ...proposal, status: "expired" }
      : proposal

/** What a caller may read of the things that proposals are about, by what they are about. */
export interface Readable {
  readonly subjects: ReadonlyArray<string>
  /** The kinds of entity; null for every kind. */
  readonly kinds: ReadonlyArray<string> | null
}

/** A proposal tells of the thing it is about, so it is read by whoever may read that (attack 48 of the reference). */
export const readableFor = ({ bounds }: ReachShape): Readable => ({
  subjects: subjects.filter((subject) => bounds(subject, "read").spaces.length > 0),
  kinds: bounds("entity", "read").kinds
})

const isVisible = (reach: ReachShape) => {
  const bounds = reach.bounds("proposal", "read")
  const { kinds, subjects: readable } = readableFor(reach)
  const isOpen = ({ kind, subject }: Pick<Mention, "kind" | "subject">) =>
    readable.includes(subject) && (subject !== "entity" || kinds === null || kinds.includes(kind ?? ""))
  const isReadable = (mention: Mention) =>
    isOpen(mention) &&
    (mention.subject !== "entity" || bounds.objects === null || bounds.objects.includes(mention.objectId ?? ""))
  return (proposal: StoredProposal): boolean =>
    bounds.spaces.includes(proposal.spaceId) &&
    (!proposal.isPrivate || proposal.userId === reach.principal.personId) &&
    (bounds.objects === null || bounds.objects.includes(proposal.targetId)) &&
    isOpen(proposal) &&
    proposal.mentions.every(isReadable)
}
