/**
 * The event types, sources and kinds of metadata that only the pod or administrators are allowed to log. If other
 * callers could log them, they could invent an approval, a refusal or a grant. A test compares these lists with every
 * event of the pod.
 */
import { subjects } from "../../doors/Door.ts"
import type { Principal } from "../../doors/Principal.ts"
import { isUnrestricted } from "../grants/Grant.ts"
import { roleAllows } from "../grants/GrantMatcher.ts"
import { isUuid } from "../../platform/Ids.ts"
import type { EventSource } from "./Event.ts"
import { claimedAgent, metadataKindOf } from "./EventMetadata.ts"

/**
 * First words of reserved event types. Every type that begins with one of these words is reserved, because such a type
 * reports a right, a decision or work of the pod.
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
 * Further first words of the pod's event types: the subjects that operations name in their access rules, and the record
 * types that are not among these subjects.
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
 * The last words of the pod's event types. If a type begins with a word of `ownNouns`, the type is reserved only with
 * one of these last words. So clients are allowed to log `entity.created` or `entity.create.completed`.
 */
const ownDeeds: ReadonlySet<string> = new Set(["create", "update", "delete", "restore", "move"])

/**
 * Returns true if only the pod is allowed to log this type. Ignores letter case, because a person who reads the log
 * easily overlooks a difference in letter case.
 */
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
 * Returns true if a caller is allowed to act for the space. The caller must be an owner or admin of the space with
 * unrestricted access, and must not be an agent.
 */
const speaksFor = (principal: Principal, spaceId: string): boolean =>
  principal.holder.kind !== "agent" &&
  isUnrestricted(principal) &&
  principal.memberships.some((one) => one.spaceId === spaceId && roleAllows(one.role, "delete"))

/**
 * Returns true if a caller is allowed to log an event of this source in this space. Some sources say that the event
 * comes from the pod itself or from an import. Only owners and admins of the space with unrestricted access are allowed
 * to use these sources. Agents and keys with limits are not allowed to use them.
 */
export const mayUseSource = (principal: Principal, spaceId: string, source: EventSource): boolean =>
  !ownSources.has(source) || speaksFor(principal, spaceId)

/**
 * Returns true if a caller is allowed to log an event with this metadata in this space. The kind `automation` says that
 * a rule of the pod acted. The kind `ai` with the id of an agent says that this agent acted. An agent can say this
 * about itself. Only a caller who is allowed to use the sources of the pod can say it about another agent. The pod does
 * not check a name that is not an id, because `actorId` says who acted.
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
