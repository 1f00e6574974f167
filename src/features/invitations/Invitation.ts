/** Invitations into the pod: one-time links, and the decisions about them that need no store. */
import { Data, DateTime, Redacted, Schema } from "effect"
import { createHmac, randomBytes } from "node:crypto"
import { Timestamp } from "../../doors/Fields.ts"

export const lifeDaysDefault = 7
export const lifeDaysMost = 30

/** The roles that an invitation can give in a workspace. A link never makes a person an owner. */
export const InvitedRole = Schema.Literal("viewer", "editor", "admin")
export type InvitedRole = typeof InvitedRole.Type

const lines = {
  id: Schema.UUID,
  /** The person it is for, in the inviter's words. */
  note: Schema.NullOr(Schema.String),
  workspaceId: Schema.NullOr(Schema.UUID),
  role: Schema.NullOr(InvitedRole),
  createdAt: Timestamp,
  expiresAt: Timestamp
}

/** An invitation as its inviter sees it: everything except the link. */
export const Invitation = Schema.Struct({
  ...lines,
  status: Schema.Literal("open", "used", "withdrawn", "expired"),
  usedAt: Schema.NullOr(Timestamp),
  /** Who came by it. */
  usedBy: Schema.NullOr(Schema.UUID),
  withdrawnAt: Schema.NullOr(Timestamp)
}).annotations({ identifier: "Invitation" })
export type Invitation = typeof Invitation.Type

/** As it is kept. */
export interface StoredInvitation extends Omit<Invitation, "status"> {
  readonly invitedBy: string
}

export const InvitationDraft = Schema.Struct({
  note: Schema.optional(Schema.NullOr(Schema.String.pipe(Schema.maxLength(200)))),
  /** A workspace of yours that the person is let into as well; you must own or administer it when they come. */
  workspaceId: Schema.optional(Schema.NullOr(Schema.UUID)),
  /** As what. Left out: an editor. */
  role: Schema.optional(Schema.NullOr(InvitedRole)),
  expiresInDays: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, lifeDaysMost)), {
    default: () => lifeDaysDefault
  })
}).annotations({ identifier: "InvitationDraft" })
export type InvitationDraft = typeof InvitationDraft.Type

/** Of what is kept, the answer's schema sends its own fields alone. */
export const listed = (invitation: StoredInvitation, now: DateTime.Utc): Invitation => ({
  ...invitation,
  status:
    invitation.usedAt !== null
      ? "used"
      : invitation.withdrawnAt !== null
        ? "withdrawn"
        : DateTime.lessThanOrEqualTo(invitation.expiresAt, now)
          ? "expired"
          : "open"
})

/** A token: 256 random bits in base64url. */
export const mintToken = (): Redacted.Redacted => Redacted.make(randomBytes(32).toString("base64url"))

const tokenForm = /^[\w-]{43}$/
export const isPossibleToken = (token: string): boolean => tokenForm.test(token)

/** A keyed hash of the token with its own prefix, so that it never equals the hash of a key. */
export const hashToken = (pepper: Redacted.Redacted, token: string): Buffer =>
  createHmac("sha256", Redacted.value(pepper)).update(`pod invitation: ${token}`).digest()

/** The link is unknown, used, withdrawn or expired, or its inviter may no longer invite; the error is the same for all. */
export class InvitationInvalid extends Data.TaggedError("InvitationInvalid")<{}> {}
