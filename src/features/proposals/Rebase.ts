/** A proposal seen against the record as it stands: what would be written, and where it and somebody else disagree. */
import { type Change, type Json, objectIn, type Snapshot } from "../gate/Write.ts"
import { diffFields } from "../gate/FieldDiff.ts"
import { mergeFields, type MergeConflict } from "../gate/Merge.ts"
import type { StoredProposal } from "./Proposal.ts"

/** A proposal as it was filed: all that is known of its change where it can no longer be described anew. */
export const filedChange = (proposal: StoredProposal): Change => ({
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

/** Only those fields, of a record or a content. */
const only = (fields: Json, names: ReadonlyArray<string>): Json =>
  Object.fromEntries(names.filter((name) => Object.hasOwn(fields, name)).map((name) => [name, fields[name]]))

export interface Overlaid {
  /** What to write now. */
  readonly fields: Json
  readonly conflicts: ReadonlyArray<MergeConflict>
}

/**
 * Lays an update over the record as it stands. Fields that nobody else touched, or that were changed to the same, are
 * written; the rest are conflicts. A delete of something that changed since is a conflict about each changed field.
 */
export const overlaid = (proposal: StoredProposal, current: Snapshot | null): Overlaid => {
  const { action, base, content } = proposal
  if (action === "create" || current === null || base === null || current.version === base.version) {
    return { fields: content, conflicts: [] }
  }
  if (action === "delete") {
    return { fields: content, conflicts: differing(base.fields, current) }
  }
  const touched = Object.keys(content)
  const { conflicts, fields } = mergeFields(only(base.fields, touched), only(current.fields, touched), content)
  return { fields, conflicts }
}

/**
 * The fields in which a record no longer holds what was written: none, and it can be taken back exactly. What only
 * making it could say, such as its kind, never changes afterwards and is no field of a record.
 */
export const differing = (written: Json, current: Snapshot): ReadonlyArray<MergeConflict> =>
  diffFields(only(written, Object.keys(current.fields)), only(current.fields, Object.keys(written))).map(
    ({ after, before, path }) => ({
      path,
      base: before,
      current: after,
      proposed: undefined
    })
  )
