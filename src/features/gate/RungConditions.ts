/** The conditions that several rules of the gate (rungs) share. */
import type { Action, Subject } from "../../doors/Door.ts"
import { isAdministrative, matchesPattern } from "./Policy.ts"
import type { GatedWrite } from "./Write.ts"
import type { RungInput } from "./RungShape.ts"

/**
 * The subjects whose new rows can be marked as written by a probe. Rows of these subjects have no name that must be
 * unique.
 */
const probedSubjects: ReadonlySet<Subject> = new Set(["entity", "document", "project", "track", "view", "artifact"])

/**
 * Returns true if a probe is allowed to make this write. Writes of knowledge have the subject `entity`, but a probe is
 * not allowed to make them, because the keys of knowledge entries must be unique.
 */
export const mayProbeWrite = ({ action, kind, subject }: GatedWrite): boolean =>
  action === "create" && probedSubjects.has(subject) && kind !== "knowledge"

export const isAgent = ({ principal }: RungInput) => principal.holder.kind === "agent"

/**
 * Returns true if the write needs no permission in the grant. If the grant of a key is limited to a project, the key is
 * allowed to put new records in the project. Without this rule, such a key could create nothing.
 */
export const needsNoPermission = ({ principal, write }: Pick<RungInput, "principal" | "write">): boolean =>
  write.isFiling === true &&
  write.object.projectIds.length > 0 &&
  write.object.projectIds.every((project) => principal.grant?.projectIds?.includes(project) === true)

/** Returns true if the caller may read every record of the subject in the space of the write. */
export const readsAll = ({ matcher, principal, write }: Omit<RungInput, "membership">, subject: Subject): boolean => {
  const { kinds, objects, projects, spaces } = matcher.boundsFor(principal, subject, "read")
  return spaces.includes(write.object.spaceId) && kinds === null && objects === null && projects === null
}

export const isAutoApproved = (patterns: ReadonlyArray<string>, { subject, action }: GatedWrite): boolean =>
  patterns.some((pattern) => matchesPattern(pattern, subject, action))

/** Returns the action that the caller's role in the space must allow for this write. */
export const actionOf = ({ action, isLeaving, subject }: GatedWrite): Action => {
  if (isLeaving === true) return "read"
  return isAdministrative(subject) ? "delete" : action
}
