/**
 * The event types, sources and kinds of metadata that only the pod or administrators may log. If a caller could log
 * them, the caller could invent an approval, a refusal or a grant. A test compares this rule with every event of the
 * pod.
 */
import { subjects } from "../../doors/Door.ts"
import type { Principal } from "../../doors/Principal.ts"
import { isUnrestricted } from "../grants/Grant.ts"
import { roleAllows } from "../grants/GrantMatcher.ts"
import { isUuid } from "../../platform/Ids.ts"
import type { EventSource } from "./Event.ts"
import { claimedAgent, metadataKindOf } from "./EventMetadata.ts"

/**
 * First words of reserved event types. Every type that begins with one of these words is reserved, because it reports a
 * right or a decision.
 */
const ownWords: ReadonlySet<string> = new Set([
  "access",
  "governance",
  "proposal",
  "apikey",
  "agent",
  "person",
  "automation",
  "invitation",
  "member",
  "role",
  "setup_issuer",
  "search_index",
  "skill",
  "vault",
  "workspace"
])

/**
 * Further first words of the pod's event types: the subjects of doors, and record types without a subject of their own.
 */
const ownNouns: ReadonlySet<string> = new Set(
  [...subjects, "thread", "message", "focusSession", "automation_run"].map((noun) => noun.toLowerCase())
)

/** Further event types of the pod. People read the texts of these events, and would believe an invented text. */
const ownTypes: ReadonlySet<string> = new Set([
  "ai.nudge.posted",
  "automation.failed",
  "automation.notify",
  "pod.rename",
  "webhook.disabled"
])

/**
 * The last words of the pod's event types. After a word of `ownNouns`, only these are reserved, so clients may log
 * `entity.created` or `entity.create.completed`.
 */
const ownDeeds: ReadonlySet<string> = new Set(["create", "update", "delete", "restore", "move"])

/** Whether only the pod may log this type. Letter case is ignored, because people easily overlook it in the log. */
export const isReservedType = (type: string): boolean => {
  const lower = type.toLowerCase()
  const end = lower.indexOf(".")
  const noun = end === -1 ? lower : lower.slice(0, end)
  return (
    ownTypes.has(lower) ||
    ownWords.has(noun) ||
    (end !== -1 && ownNouns.has(noun) && ownDeeds.has(lower.slice(lower.lastIndexOf(".") + 1)))
  )
}

const ownSources: ReadonlySet<EventSource> = new Set(["system", "migration", "sync"])

/**
 * Whether a caller may act for the space. Only an owner or admin of the space with unrestricted access may do so. An
 * agent may not.
 */
const speaksFor = (principal: Principal, spaceId: string): boolean =>
  principal.holder.kind !== "agent" &&
  isUnrestricted(principal) &&
  principal.memberships.some((one) => one.spaceId === spaceId && roleAllows(one.role, "delete"))

/**
 * Whether a caller may log an event of this source in this space. Some sources mean the pod or an import. Only owners
 * and admins of the space with unrestricted access may use these sources; agents, and keys with limits, may not.
 */
export const mayUseSource = (principal: Principal, spaceId: string, source: EventSource): boolean =>
  !ownSources.has(source) || speaksFor(principal, spaceId)

/**
 * Whether a caller may log an event with this metadata in this space. The kind `automation` says that a rule of the pod
 * acted. The kind `ai` with the id of an agent says that this agent acted. An agent may say this about itself. Only a
 * caller who may use the sources of the pod may say it about another agent. A name that is not an id is not checked,
 * because `actorId` says who acted.
 */
export const mayUseMetadata = (
  principal: Principal,
  spaceId: string,
  metadata: Readonly<Record<string, unknown>> | undefined
): boolean => {
  const agent = claimedAgent(metadata)?.trim().toLowerCase()
  const isOfOthers = agent !== undefined && isUuid(agent) && agent !== principal.holder.id
  return (metadataKindOf(metadata) !== "automation" && !isOfOthers) || speaksFor(principal, spaceId)
}
