/**
 * How a membership in a workspace changes or ends. Contains the requests, the answers, and a pure function with the
 * rules about owners.
 */
import { Schema } from "effect"
import { MembershipRole, type Principal } from "../../doors/Principal.ts"
import type { ReachShape } from "../../doors/Reach.ts"
import { described, example, PersonId, WorkspaceId } from "../../doors/Fields.ts"

const who = {
  workspaceId: WorkspaceId,
  userId: described("Id of the member: a person or an agent.", PersonId)
}

/** The member, and the new role of the member. A null role ends the membership. */
interface MembershipTarget {
  readonly userId: string
  readonly role: MembershipRole | null
}

export const MembershipPath = Schema.Struct(who)

export const MembershipChange = example(
  Schema.Struct({
    role: described("New membership role. An agent cannot be an owner.", MembershipRole)
  }).annotations({ identifier: "MembershipChange" }),
  { role: "viewer" }
)

export const ChangedMembership = Schema.Struct({
  ...who,
  role: MembershipRole
}).annotations({ identifier: "ChangedMembership" })

export const EndedMembership = Schema.Struct({
  status: Schema.Literal("removed"),
  ...who
}).annotations({ identifier: "EndedMembership" })

/**
 * Returns true if the caller ends the caller's own membership. Members of every role are allowed to do this. Only
 * owners and admins are allowed to make other changes.
 */
export const isLeaving = ({ personId }: Principal, { role, userId }: MembershipTarget): boolean =>
  role === null && userId === personId

/**
 * Returns the spaces in which the caller is allowed to change this membership. If the caller ends the caller's own
 * membership, returns only the space of the membership, because the gate has already checked this write.
 */
export const spacesToChange = ({ bounds, principal }: ReachShape, target: MembershipTarget, spaceId: string) =>
  isLeaving(principal, target)
    ? principal.memberships.map((own) => own.spaceId).filter((own) => own === spaceId)
    : bounds("member", target.role === null ? "delete" : "update").spaces

/**
 * The state of the membership at the time of the write. The statement has locked the membership and the owners of the
 * workspace.
 */
export interface FoundMembership {
  readonly role: MembershipRole
  /** The number of people who own the workspace. */
  readonly owners: number
  readonly isAgent: boolean
}

/**
 * The reason why the pod refuses a change of a membership. `same` means that the membership already has the requested
 * state.
 */
export type MembershipFault = "ownersOnly" | "lastOwner" | "agentOwner" | "same"

/**
 * Checks a change of a membership. If `next` is null, the membership ends. Only an owner is allowed to add, change or
 * remove an owner. A workspace always keeps at least one owner.
 */
export const membershipFault = (
  { isAgent, owners, role }: FoundMembership,
  next: MembershipRole | null,
  isOwner: boolean
): MembershipFault | null => {
  if (next === role) return "same"
  if ((role === "owner" || next === "owner") && !isOwner) return "ownersOnly"
  if (next === "owner" && isAgent) return "agentOwner"
  return role === "owner" && owners < 2 ? "lastOwner" : null
}
