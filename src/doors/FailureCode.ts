/**
 * Every code that a refusal can carry, with its meaning. Clients decide by the code, and the API description lists all
 * codes.
 */
import { Schema } from "effect"

/** The codes of refusals with status 403. */
export const forbiddenCodes = {
  AGENTS_ONLY: "Only an agent may do this.",
  AGENT_FORBIDDEN: "The agent does not belong to the caller.",
  APPROVAL_DENIED: "Only the person who has to decide the proposal may decide it, never an agent.",
  APPROVAL_NEEDED: "A person has to approve this first, and it cannot be stored as a proposal.",
  CAPABILITY_MISSING: "The agent has not been given the capability for this write.",
  GRANT_DENIED: "The grant of the key does not cover this.",
  GRANT_TOO_WIDE: "The new grant would allow more than the credential that creates it.",
  IDENTITY_FORBIDDEN: "A field names a user other than the caller as the one who acts.",
  KEY_ONLY: "Only a key may call this.",
  ORIGIN_FORBIDDEN: "A page of that origin may not use a session here.",
  OWNER_ONLY: "Only the owner of the pod may do this.",
  PEOPLE_ONLY: "Only a person may do this, signed in or with their own key.",
  PROFILE_OF_EVERY_POD: "The profile is built into every pod and cannot be changed.",
  RULE_REFUSED: "The rule cannot be understood or stored.",
  SCOPE_MISSING: "The credential lacks the scope that the operation needs.",
  SESSION_ONLY: "Only a person's sign-in session may call this.",
  SHARING_FORBIDDEN: "The record may not be shared in that way.",
  SOURCE_FORBIDDEN: "Only the pod or an administrator may write events of that source or type.",
  WORKSPACE_FORBIDDEN: "The caller has no access to that workspace, or may not do this there."
} as const satisfies Readonly<Record<string, string>>

/** Another code with status 403. It belongs to an error class of its own, `GrantDoorUnsupported`. */
export const grantDoorUnsupported = "GRANT_DOOR_UNSUPPORTED"

/** The codes of refusals with status 409. */
export const conflictCodes = {
  ALREADY_CLAIMED: "The pod already has an owner.",
  ALREADY_MADE: "The record was already created.",
  ALREADY_MEMBER: "The person is already a member.",
  ALREADY_THERE: "Such a record already exists.",
  AUTHORITY_GONE: "The user who asked for the change may no longer make it.",
  CONTENT_CHANGED: "The proposal differs from the version that the person saw.",
  DEFAULT_TAKEN: "Another record is already the default.",
  EMAIL_TAKEN: "Another account of this pod uses that e-mail address.",
  FACET_TAKEN: "The entity already has that facet.",
  IDEMPOTENT_ANSWER_NOT_KEPT:
    "The first request with this idempotency key was carried out, and its answer was not stored.",
  INVITATION_INVALID: "The invitation link is wrong, has expired, or was used or withdrawn.",
  INVITATION_NOT_OPEN: "There is no open invitation with that id.",
  KEY_EXISTS: "An entry with that key already exists.",
  KEY_ROTATED: "The key was already rotated and has a successor.",
  KEY_TAKEN: "That idempotency key was used for another workspace.",
  LINKED_ALREADY: "The two are already linked in that way.",
  NOT_PROPOSED: "The change cannot become a proposal in its present form.",
  OWNER_STAYS: "The owner of the pod cannot be suspended.",
  PROFILE_IN_USE: "Some entities still use that profile.",
  PROPOSAL_CONFLICT: "Another change touched the same fields meanwhile.",
  PROPOSAL_SETTLED: "The proposal was already decided.",
  REVERT_CONFLICT: "The record was changed again since, so the change cannot be reverted exactly.",
  REVISION_CONFLICT: "The proposal was edited meanwhile.",
  SAME_NAME: "A record with the same name or identity already exists.",
  SESSION_EXISTS: "That focus session already exists.",
  SETUP_LINK_INVALID: "The setup link is wrong, has expired or was used.",
  SLUG_TAKEN: "Another record uses that slug.",
  TARGET_GONE: "The record to change no longer exists.",
  THREAD_EXISTS: "That thread already exists.",
  VERSION_CONFLICT: "The record has another version than the one that was sent.",
  WORKSPACE_IN_USE: "The workspace is not empty."
} as const satisfies Readonly<Record<string, string>>

const literals = <C extends string>(table: Readonly<Record<C, string>>, identifier: string) =>
  // The table is an object literal, so its keys are exactly those of its type.
  Schema.Literal(...(Object.keys(table) as Array<C>)).annotations({
    identifier,
    description: Object.entries<string>(table)
      .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
      .join("\n")
  })

export const ForbiddenCode = literals(forbiddenCodes, "ForbiddenCode")
export type ForbiddenCode = typeof ForbiddenCode.Type

export const ConflictCode = literals(conflictCodes, "ConflictCode")
export type ConflictCode = typeof ConflictCode.Type
