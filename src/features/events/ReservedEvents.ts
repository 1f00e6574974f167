/**
 * The event types and sources that only the pod or administrators may log. A caller who could log them could invent an
 * approval, a refusal or a grant. A test compares this rule with every event that the pod appends.
 */
import { subjects } from "../../doors/Door.ts"
import type { Principal } from "../../doors/Principal.ts"
import { isUnrestricted } from "../grants/Grant.ts"
import { roleAllows } from "../grants/GrantMatcher.ts"
import type { EventSource } from "./Event.ts"

/**
 * First words of reserved event types. All types that begin with one of them are reserved, because they report who may
 * do what, and who decided.
 */
const ownWords: ReadonlySet<string> = new Set([
  "access",
  "governance",
  "proposal",
  "apikey",
  "agent",
  "person",
  "invitation",
  "member",
  "role",
  "workspace"
])

/** Other first words of the pod's events: the subjects of doors, and record types without a subject of their own. */
const ownNouns: ReadonlySet<string> = new Set(
  [...subjects, "thread", "message", "focusSession", "automation_run"].map((noun) => noun.toLowerCase())
)

/**
 * The last words of the pod's events. Clients may still log other last words, such as `entity.created` or
 * `entity.create.completed`.
 */
const ownDeeds: ReadonlySet<string> = new Set(["create", "update", "delete", "restore", "move"])

/** Events of the pod whose last word clients may use in other types. */
const ownTypes: ReadonlySet<string> = new Set(["webhook.disabled"])

/** Whether only the pod may log this type. Case is ignored, because people who read the log would not see the difference. */
export const isReservedType = (type: string): boolean => {
  const words = type.toLowerCase().split(".")
  const [noun = ""] = words
  return (
    ownTypes.has(type.toLowerCase()) ||
    ownWords.has(noun) ||
    (words.length > 1 && ownNouns.has(noun) && ownDeeds.has(words.at(-1) ?? ""))
  )
}

const ownSources: ReadonlySet<EventSource> = new Set(["system", "migration", "sync"])

/**
 * Whether a caller may log an event of this source in this space. Only owners and admins of the space with unrestricted
 * access may use a source that means the pod or an import. Agents, and keys with limits, may not.
 */
export const mayUseSource = (principal: Principal, spaceId: string, source: EventSource): boolean =>
  !ownSources.has(source) ||
  (principal.holder.kind !== "agent" &&
    isUnrestricted(principal) &&
    principal.memberships.some((one) => one.spaceId === spaceId && roleAllows(one.role, "delete")))
