/**
 * Compares a proposal with the current record. The result has the fields to write, and the fields that conflict with a
 * change by somebody else.
 */
import { type Change, type JsonRecord, objectIn, type Snapshot } from "../gate/Write.ts"
import { diffFields } from "../gate/FieldDiff.ts"
import { mergeFields, type MergeConflict } from "../gate/Merge.ts"
import type { StoredProposal } from "./StoredProposal.ts"

/**
 * Returns the change as it was requested. If the target of the proposal was deleted, the pod uses this change, because
 * it cannot describe the change again.
 */
export const requestedChange = (proposal: StoredProposal): Change => ({
  subject: proposal.subject,
  kind: proposal.kind,
  action: proposal.action,
  object: objectIn(
    proposal.userId,
    proposal.spaceId,
    proposal.action === "create" ? null : proposal.targetId,
    proposal.projectIds
  ),
  targetType: proposal.targetType,
  targetId: proposal.targetId,
  content: proposal.content,
  base: proposal.base,
  mentions: proposal.mentions,
  isPrivate: proposal.isPrivate,
  summary: proposal.summary
})

/** Returns the fields that have one of these names. */
const only = (fields: JsonRecord, names: ReadonlyArray<string>): JsonRecord =>
  Object.fromEntries(names.filter((name) => Object.hasOwn(fields, name)).map((name) => [name, fields[name]]))

export interface RebaseResult {
  /** The fields that the approval writes. */
  readonly fields: JsonRecord
  readonly conflicts: ReadonlyArray<MergeConflict>
}

/**
 * Applies a proposed update to the current record. Writes a field if nobody else has changed it, or if somebody else
 * has set it to the proposed value. Every other field is a conflict. For a delete, each field that has changed since
 * the proposal is a conflict.
 */
export const rebase = (proposal: StoredProposal, current: Snapshot | null): RebaseResult => {
  const { action, base, content } = proposal
  if (action === "create" || current === null || base === null || current.version === base.version) {
    return { fields: content, conflicts: [] }
  }
  if (action === "delete") {
    return { fields: content, conflicts: changedFields(base.fields, current) }
  }
  const editedFields = Object.keys(content)
  const { conflicts, fields } = mergeFields(
    only(base.fields, editedFields),
    only(current.fields, editedFields),
    content
  )
  return { fields, conflicts }
}

/**
 * Returns the fields whose current values differ from the values that the approval wrote. If there are no such fields,
 * the pod can revert the change exactly. Does not compare values of a create that are not fields of the record, such as
 * the kind.
 */
export const changedFields = (written: JsonRecord, current: Snapshot): ReadonlyArray<MergeConflict> =>
  diffFields(only(written, Object.keys(current.fields)), only(current.fields, Object.keys(written))).map(
    ({ after, before, path }) => ({
      path,
      base: before,
      current: after,
      proposed: undefined
    })
  )
