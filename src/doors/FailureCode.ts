/**
 * Every code that a refusal can have, with its meaning. Clients use the code to decide what to do, and the API
 * description lists all codes.
 */
import { Schema } from "effect"
import { keysOf } from "../platform/OwnKeys.ts"

/** The codes of refusals with status 403. */
export const forbiddenCodes = {
  AGENTS_ONLY: "Only an agent may call this operation.",
  AGENT_FORBIDDEN: "The caller may not make this call for that agent.",
  APPROVAL_DENIED: "Only a person who may make the change can decide about the proposal.",
  APPROVAL_NEEDED: "The change needs approval, but the pod cannot store it as a proposal.",
  CAPABILITY_MISSING: "The agent lacks the capability for this write.",
  GRANT_DENIED: "The grant of the key does not cover this operation or record.",
  GRANT_TOO_WIDE: "The new grant names a workspace of which the key's owner is not a member.",
  IDENTITY_FORBIDDEN: "A field that must have the id of the caller has another id.",
  ISSUER_REJECTED: "The pod's owner rejected the issuer of the assertion.",
  KEY_ONLY: "Only a key may call this operation.",
  ORIGIN_FORBIDDEN: "A page of that origin may not use a session of this pod.",
  OPERATOR_ONLY: "Only the operator may call this operation, with a command on the pod's machine.",
  OWNER_ONLY: "Only the owner of the pod, or of the automation rule, may call this operation.",
  ADMINISTRATOR_ONLY: "Only the pod's owner and administrators may call this operation.",
  PEOPLE_ONLY: "Only a person may call this operation, signed in or with their own key.",
  PROBE_UNSUPPORTED: "A key with the scope `probe` may not make this write.",
  PROFILE_OF_EVERY_POD: "Every pod has the profile, and it cannot be changed.",
  QUOTA_REACHED: "The caller has as many records of this type as allowed.",
  RULE_REFUSED: "The pod cannot understand or store the automation rule.",
  SCOPE_MISSING: "The credential lacks the scope that the operation needs.",
  SESSION_ONLY: "Only a person's sign-in session may call this operation.",
  SHARING_FORBIDDEN: "Only the person who created the command may change who sees it.",
  SOURCE_FORBIDDEN: "Only the pod, or an owner or admin of the space, may log events with this source or metadata.",
  TOOL_PROFILE: "The tool profile of the key does not contain that MCP tool.",
  WORKSPACE_FORBIDDEN: "The caller has no access to that workspace, or may not call this operation there."
} as const satisfies Readonly<Record<string, string>>

/** A further error code with status 403. Only the failure `GrantDoorUnsupported` has it. */
export const grantDoorUnsupported = "GRANT_DOOR_UNSUPPORTED"

/** The codes of refusals with status 409. */
export const conflictCodes = {
  ALREADY_CLAIMED: "The pod already has an owner.",
  ALREADY_MADE: "The record was already created.",
  ALREADY_MEMBER: "The person is already a member of the workspace.",
  ALREADY_THERE: "A record with this content already exists.",
  AUTHORITY_GONE: "The person or agent who asked for the change may no longer make it.",
  CONTENT_CHANGED: "The content of the proposal is not what the person saw.",
  DEFAULT_TAKEN: "Another record is already the default.",
  EMAIL_TAKEN: "Another account has that e-mail address.",
  FACET_TAKEN: "The entity already has that role (facet).",
  IDEMPOTENT_ANSWER_NOT_KEPT:
    "The pod carried out this request before, and does not show its answer again: the answer has a secret, or the caller has lost a right since then.",
  INVITATION_INVALID: "The invitation link is wrong, used, withdrawn, expired or not for the caller.",
  INVITATION_NOT_OPEN: "The invitation is used, withdrawn or expired.",
  KEY_EXISTS: "A knowledge entry with that key already exists.",
  KEY_ROTATED: "The key was already replaced by a new key.",
  KEY_TAKEN: "That idempotency key or `proposalId` belongs to another workspace, or to one that you cannot read.",
  LAST_OWNER: "The workspace would have no owner any more.",
  LINKED_ALREADY: "A relation of that type already links the two entities.",
  MEMORY_FULL: "The memory for facts is full.",
  NO_OWNER: "The pod has no owner yet.",
  NOT_PROPOSED: "The change needs no approval: make the change directly.",
  OWNER_STAYS: "The owner of the pod cannot be suspended.",
  PASSWORD_CHANGED: "Another call has just changed the password.",
  PROFILE_IN_USE: "Another profile refers to the profile.",
  PROPOSAL_CONFLICT: "Somebody has changed a field that the proposal changes.",
  PROPOSAL_SETTLED: "The proposal is no longer pending.",
  REVERT_CONFLICT: "The record has changed again, so the pod cannot revert the change.",
  REVISION_CONFLICT: "Somebody has edited the proposal since you read it.",
  SAME_NAME: "A record with the same name or identity already exists.",
  SESSION_EXISTS: "The focus session already exists.",
  SETUP_LINK_INVALID: "The setup link is wrong, expired or used.",
  SLUG_TAKEN: "Another record has that slug.",
  TARGET_GONE: "The record to change no longer exists.",
  THREAD_EXISTS: "The thread already exists.",
  VAULT_LOCKED: "The pod cannot open the vault with its present encryption key.",
  VERSION_CONFLICT: "The record has another version than the one in the request.",
  WORKSPACE_IN_USE: "The workspace still contains records."
} as const satisfies Readonly<Record<string, string>>

const literals = <C extends string>(table: Readonly<Record<C, string>>, identifier: string) =>
  Schema.Literal(...keysOf(table)).annotations({
    identifier,
    description: Object.entries<string>(table)
      .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
      .join("\n")
  })

export const ForbiddenCode = literals(forbiddenCodes, "ForbiddenCode")
export type ForbiddenCode = typeof ForbiddenCode.Type

export const ConflictCode = literals(conflictCodes, "ConflictCode")
export type ConflictCode = typeof ConflictCode.Type
