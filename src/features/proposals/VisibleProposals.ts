/** Decides which proposals a caller may read, for the store in memory. `VisibleProposalsSql.ts` has the same rules in SQL. */
import { subjects } from "../../doors/Door.ts"
import type { Bounds, ReachShape } from "../../doors/Reach.ts"
import type { Rows } from "../../platform/MemoryDatabase.ts"
import { Command } from "../commands/Command.ts"
import { filingOf } from "../entities/EntityTable.ts"
import type { Mention } from "../gate/Write.ts"
import { recordTable } from "../records/RecordTable.ts"
import type { StoredProposal } from "./StoredProposal.ts"

/**
 * Returns true if the proposal is about a record in these projects. A deleted record keeps its projects. So a caller
 * who is allowed to restore the record can also read the proposals about the record.
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

/**
 * Returns true if the command of the proposal is private now and belongs to another person. A proposal can be older
 * than the privacy of its command. Then it is hidden like the command. A command is the only record that its person can
 * make private. The proposal of a new command has no command until its approval.
 */
const isTargetPrivate = (
  rows: Rows,
  { principal }: ReachShape,
  { action, status, targetId, targetType, userId }: StoredProposal
): boolean => {
  if (targetType !== Command.name || userId === principal.personId) return false
  const command = rows.find(recordTable(Command), targetId)?.record
  if (command === undefined) return action !== "create" || status === "approved" || status === "reverted"
  return command.sharing === "user" && command.userId !== principal.personId
}

/** Returns the test whether a caller may read a proposal. The store makes it once for all proposals of a statement. */
export const isVisible = (rows: Rows, reach: ReachShape) => {
  const bounds = reach.bounds("proposal", "read")
  const { kinds, subjects: readable } = readableTargets(reach)
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
    proposal.mentions.every(isReadable) &&
    isInProjects(rows, bounds, proposal) &&
    !isTargetPrivate(rows, reach, proposal)
}
