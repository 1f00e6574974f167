/** Every code that a refusal can carry, with what it means: clients switch on them, and the API description lists them. */
import { Schema } from "effect"

/** With status 403. */
export const forbiddenCodes = {
  AGENTS_ONLY: "Only an agent asks for this.",
  AGENT_FORBIDDEN: "The agent is not one of the caller's.",
  APPROVAL_DENIED: "Only the person it waits for decides it, and never an agent.",
  APPROVAL_NEEDED: "A person has to approve this first, and it cannot be kept as a proposal.",
  CAPABILITY_MISSING: "The agent has not been given the capability for this write.",
  GRANT_DENIED: "The grant of the key does not cover this.",
  GRANT_DOOR_UNSUPPORTED: "The operation reads more than the grant of the key can bound.",
  GRANT_TOO_WIDE: "The new grant would do more than the credential that gives it.",
  IDENTITY_FORBIDDEN: "A field names somebody else as the one who acts.",
  KEY_ONLY: "Only a key asks this.",
  ORIGIN_FORBIDDEN: "A page of that origin may not use a session here.",
  OWNER_ONLY: "Only the owner of the pod does this.",
  PEOPLE_ONLY: "Only a person does this, signed in or with a key of their own.",
  PROFILE_OF_EVERY_POD: "The profile comes with every pod and stays as it is.",
  RULE_REFUSED: "The rule cannot be read or kept.",
  SCOPE_MISSING: "The credential lacks the scope that the operation needs.",
  SESSION_ONLY: "Only a person's sign-in session passes.",
  SHARING_FORBIDDEN: "It may not be shared that way.",
  SOURCE_FORBIDDEN: "An event of that source or type is written by the pod or an administrator.",
  WORKSPACE_FORBIDDEN: "The caller does not reach that workspace, or may not do this there."
} as const satisfies Readonly<Record<string, string>>

/** With status 409. */
export const conflictCodes = {
  ALREADY_CLAIMED: "The pod has its owner.",
  ALREADY_MADE: "It was made already.",
  ALREADY_MEMBER: "They are a member already.",
  ALREADY_THERE: "One like it is there already.",
  AUTHORITY_GONE: "Who asked for it may not do it any more.",
  CONTENT_CHANGED: "The proposal is not what was seen.",
  DEFAULT_TAKEN: "Another one is the default already.",
  FACET_TAKEN: "The entity carries that facet already.",
  IDEMPOTENT_ANSWER_NOT_KEPT: "The first request with this key was answered, and its answer was not kept.",
  KEY_EXISTS: "An entry with that key is there already.",
  KEY_ROTATED: "The key has its successor already.",
  KEY_TAKEN: "That key of idempotency stands for another workspace.",
  LINKED_ALREADY: "They are linked that way already.",
  NOT_PROPOSED: "It cannot be proposed as it stands.",
  PROFILE_IN_USE: "There are entities of that profile.",
  PROPOSAL_CONFLICT: "Somebody changed the same fields meanwhile.",
  PROPOSAL_SETTLED: "The proposal was decided already.",
  REVERT_CONFLICT: "What it changed was changed since, so it cannot be taken back exactly.",
  REVISION_CONFLICT: "The proposal was edited meanwhile.",
  SAME_NAME: "One of the same name or identity is there already.",
  SESSION_EXISTS: "That focus session is there already.",
  SETUP_LINK_INVALID: "The setup link was used, has expired or is not one.",
  SLUG_TAKEN: "The slug is taken.",
  TARGET_GONE: "What it would change is not there any more.",
  THREAD_EXISTS: "That thread is there already.",
  VERSION_CONFLICT: "The record is at another version than the one that was named.",
  WORKSPACE_IN_USE: "There is something in the workspace."
} as const satisfies Readonly<Record<string, string>>

const literals = <C extends string>(table: Readonly<Record<C, string>>, identifier: string) =>
  // The keys of a table that was written out are exactly its own.
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
