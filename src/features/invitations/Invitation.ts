/** Invitations by one-time links, to the pod and to its workspaces: the schemas, and the functions that need no store. */
import { Data, DateTime, Redacted, Schema } from "effect"
import { createHmac, randomBytes } from "node:crypto"
import { example, described, Timestamp } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"

export const lifeDaysDefault = 7
export const lifeDaysMax = 30

/** The roles that an invited person can get in a workspace. A link never makes a person the owner. */
export const InvitedRole = Schema.Literal("viewer", "editor", "admin")
export type InvitedRole = typeof InvitedRole.Type

const lines = {
  id: Id,
  note: described("Who the invitation is for, in the words of the inviter.", Schema.NullOr(Schema.String)),
  workspaceId: described("Workspace that the person joins in addition to the pod; null means none.", Schema.NullOr(Id)),
  role: described("Membership role of the person in the workspace.", Schema.NullOr(InvitedRole)),
  createdAt: Timestamp,
  expiresAt: Timestamp
}

/** An invitation in the form that the person who made it sees: everything except the link. */
export const Invitation = Schema.Struct({
  ...lines,
  invitedBy: described("Id of the person who made the invitation.", Id),
  status: Schema.Literal("open", "used", "withdrawn", "expired"),
  usedAt: described("When somebody accepted the invitation; null if nobody has.", Schema.NullOr(Timestamp)),
  usedBy: described("Id of the person who accepted the invitation.", Schema.NullOr(Id)),
  withdrawnAt: described("When the invitation was withdrawn; null if it was not withdrawn.", Schema.NullOr(Timestamp))
}).annotations({ identifier: "Invitation" })
export type Invitation = typeof Invitation.Type

export type StoredInvitation = Omit<Invitation, "status">

export const InvitationDraft = example(
  Schema.Struct({
    note: described(
      "Who the invitation is for, in your words.",
      Schema.optional(Schema.NullOr(Schema.String.pipe(Schema.maxLength(200))))
    ),
    workspaceId: described(
      "Id of a workspace that the person joins too. You must be its owner or admin when the person accepts. Required if you are neither owner nor administrator of the pod.",
      Schema.optional(Schema.NullOr(Id))
    ),
    role: described(
      "Membership role of the person in the workspace. Default: `editor`.",
      Schema.optional(Schema.NullOr(InvitedRole))
    ),
    expiresInDays: described(
      "How many days the link works. Default: 7.",
      Schema.optionalWith(Schema.Int.pipe(Schema.between(1, lifeDaysMax)), { default: () => lifeDaysDefault })
    )
  }).annotations({ identifier: "InvitationDraft" }),
  { note: "Ana, from the harbour team", expiresInDays: 7 }
)
export type InvitationDraft = typeof InvitationDraft.Type

/** Adds the status that an invitation has at the time `now`. */
export const listedInvitation = (invitation: StoredInvitation, now: DateTime.Utc): Invitation => ({
  ...invitation,
  status: statusAt(invitation, now)
})

const statusAt = ({ expiresAt, usedAt, withdrawnAt }: StoredInvitation, now: DateTime.Utc): Invitation["status"] => {
  if (usedAt !== null) return "used"
  if (withdrawnAt !== null) return "withdrawn"
  return DateTime.lessThanOrEqualTo(expiresAt, now) ? "expired" : "open"
}

/** Makes a token of 256 random bits in base64url. */
export const mintToken = (): Redacted.Redacted => Redacted.make(randomBytes(32).toString("base64url"))

const tokenForm = /^[\w-]{43}$/
export const isPossibleToken = (token: string): boolean => tokenForm.test(token)

/**
 * Returns the keyed hash of a token. The fixed text before the token ensures that this hash never equals the hash of an
 * API key.
 */
export const hashToken = (pepper: Redacted.Redacted, token: string): Buffer =>
  createHmac("sha256", Redacted.value(pepper)).update(`pod invitation: ${token}`).digest()

/**
 * The state of an invitation. `closed` means that nobody can use it, because the inviter may no longer invite people.
 */
export type InvitationState = Invitation["status"] | "closed"

export interface FoundInvitation {
  readonly invitation: StoredInvitation
  readonly state: InvitationState
  readonly inviterName: string
  /** True if the inviter may add people to the pod. The link can then create an account. */
  readonly createsAccount: boolean
}

/** An invitation that was found by its link, and what a person can do with the link. */
export interface InvitationLink extends FoundInvitation {
  /**
   * The name of the workspace of the invitation. A person of the pod can join this workspace with the link. Undefined if
   * the invitation names no workspace, or if the inviter may no longer add members to it.
   */
  readonly workspaceName: string | undefined
}

/** Adds the state that an invitation has at the time `now`. */
export const foundInvitation = (
  invitation: StoredInvitation,
  now: DateTime.Utc,
  inviter: { readonly name: string; readonly isActive: boolean; readonly mayInvite: boolean }
): FoundInvitation => {
  const { status } = listedInvitation(invitation, now)
  const isOfUse = inviter.mayInvite || (inviter.isActive && invitation.workspaceId !== null)
  return {
    invitation,
    state: status === "open" && !isOfUse ? "closed" : status,
    inviterName: inviter.name,
    createsAccount: inviter.mayInvite
  }
}

/**
 * The failure if the caller cannot use the link. `state` says why. It is undefined if the pod has no invitation with
 * this token. With `needsAccount`, only a person who already has an account can use this link. With `createsAccount`,
 * only a person without an account can use it.
 */
export class InvitationInvalid extends Data.TaggedError("InvitationInvalid")<{
  readonly state: Exclude<InvitationState, "open"> | "needsAccount" | "createsAccount" | undefined
}> {}
