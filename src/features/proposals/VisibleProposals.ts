/** Decides which proposals a caller may read, for the store in memory. `VisibleProposalsSql.ts` has the same rules in SQL. */
import type { ShownRecord } from "../../doors/ShownRecords.ts"
import { subjects } from "../../doors/Door.ts"
import type { Bounds, ReachShape } from "../../doors/Reach.ts"
import type { Rows } from "../../platform/MemoryDatabase.ts"
import { Command } from "../commands/Command.ts"
import { filingOf } from "../entities/EntityTable.ts"
import type { Mention } from "../gate/Write.ts"
import { isPrivateToOther, recordTable } from "../records/RecordTable.ts"
import { columnOf, type Common, type RecordType } from "../records/RecordType.ts"
import { Skill } from "../skills/Skill.ts"
import type { StoredProposal } from "./StoredProposal.ts"

/**
 * Returns true if the target of the proposal and all entities that the proposal mentions are in these projects. A
 * deleted record keeps its projects. So a caller who is allowed to restore the record can also read the proposals about
 * the record.
 */
const isInProjects = (rows: Rows, { projects }: Bounds, proposal: StoredProposal): boolean => {
  if (projects === null) return true
  const isFiledThere = (entityId: string) =>
    projects.some((id) => filingOf(rows, { entityId, projectId: id })?.spaceId === proposal.spaceId)
  const isMentionFiled = ({ objectId, subject }: Mention) =>
    subject !== "entity" || (objectId !== null && isFiledThere(objectId))
  if (!proposal.mentions.every(isMentionFiled)) return false
  return proposal.action === "create" && proposal.status !== "approved"
    ? proposal.projectIds.some((id) => projects.includes(id))
    : isFiledThere(proposal.targetId)
}

/**
 * The subjects and the kinds of the records that a caller may read. The caller may also read the proposals about these
 * records.
 */
export interface ReadableTargets {
  readonly subjects: ReadonlyArray<string>
  /** The kinds of entity that the caller may read. Null means every kind. */
  readonly kinds: ReadonlyArray<string> | null
}

/**
 * Returns the targets that the caller may read. A proposal reveals its target. So a caller may read the proposal only
 * if the caller may read the target.
 */
export const readableTargets = ({ bounds }: ReachShape): ReadableTargets => ({
  subjects: subjects.filter((subject) => bounds(subject, "read").spaces.length > 0),
  kinds: bounds("entity", "read").kinds
})

const withPrivacy = <A extends Common>(type: RecordType<A>) => {
  const { name, table, visibility } = type
  if (typeof visibility === "string") throw new Error(`no field says whether a record of the type ${name} is private`)
  return {
    name,
    table,
    /** A record is private if the text in `column` equals `own`. */
    privacy: { column: columnOf(visibility.field), own: visibility.own },
    /** Returns whether a record is private to another person than the caller. Undefined if there is no such record. */
    isPrivate: (rows: Rows, reach: ReachShape, id: string): boolean | undefined => {
      const found = rows.find(recordTable(type), id)
      return found === undefined ? undefined : isPrivateToOther(type, reach, found.record)
    }
  }
}

/**
 * The types of records that their person can make private while other people know them. `privacyTypes.test.ts` checks
 * that the list is complete.
 */
export const privacyTypes = [withPrivacy(Command), withPrivacy(Skill)]

/**
 * Returns true if the record of the proposal is now private to another person. A proposal can be older than the privacy
 * of its record, and is then hidden too. Before its approval, a proposal for a new record has no record, so the result
 * is false.
 */
const isTargetPrivate = (
  rows: Rows,
  reach: ReachShape,
  { action, status, targetId, targetType, userId }: StoredProposal
): boolean => {
  const type = privacyTypes.find(({ name }) => name === targetType)
  if (type === undefined || userId === reach.principal.personId) return false
  const isNew = action === "create" && status !== "approved" && status !== "reverted"
  return type.isPrivate(rows, reach, targetId) ?? !isNew
}

/** Makes the function that tests whether a caller may read the records of a subject and kind, in any space. */
const openTargets = (reach: ReachShape) => {
  const { kinds, subjects: readable } = readableTargets(reach)
  return ({ kind, subject }: Pick<Mention, "kind" | "subject">) =>
    readable.includes(subject) && (subject !== "entity" || kinds === null || kinds.includes(kind ?? ""))
}

/**
 * Returns the summary of a proposal for the caller who has just made the proposal. The summary names the record of the
 * proposal, and the records that the change mentions. A caller who may write such a record but not read it gets a
 * summary without names. A new record has only names that the caller has sent.
 */
export const summaryForAsker = (
  reach: ReachShape,
  { action, kind, mentions, proposalType, subject, summary }: StoredProposal
): string => {
  const named = action === "create" ? mentions : [{ kind, subject }, ...mentions]
  return named.every(openTargets(reach)) ? summary : `A change of the type ${proposalType}`
}

/**
 * Returns the records that the summary of a proposal names. A new record has only names that the caller has sent, so
 * the list leaves it out.
 */
export const recordsInSummary = ({
  action,
  mentions,
  targetId,
  targetType
}: StoredProposal): ReadonlyArray<ShownRecord> => [
  ...(action === "create" ? [] : [{ type: targetType, id: targetId }]),
  ...mentions.flatMap(({ objectId, subject }) => (objectId === null ? [] : [{ type: subject, id: objectId }]))
]

/**
 * Makes the function that tests whether a caller may read a proposal. The store makes it once for all proposals of a
 * statement.
 */
export const isVisible = (rows: Rows, reach: ReachShape) => {
  const bounds = reach.bounds("proposal", "read")
  const isOpen = openTargets(reach)
  const isReadable = (mention: Mention) =>
    isOpen(mention) &&
    (mention.subject !== "entity" || bounds.objects === null || bounds.objects.includes(mention.objectId ?? ""))
  return (proposal: StoredProposal): boolean =>
    bounds.spaces.includes(proposal.spaceId) &&
    (!proposal.isPrivate || proposal.userId === reach.principal.personId) &&
    (bounds.objects === null || bounds.objects.includes(proposal.targetId)) &&
    isOpen(proposal) &&
    proposal.mentions.every(isReadable) &&
    isInProjects(rows, bounds, proposal) &&
    !isTargetPrivate(rows, reach, proposal)
}
