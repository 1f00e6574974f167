/**
 * What the pod alone says in the log, and what administrators alone say: a caller who could log it could make up that
 * something was approved, refused or granted. The rule stands here; a test compares it with every event the pod appends.
 */
import { subjects } from "../../doors/Door.ts"
import type { Principal } from "../../doors/Principal.ts"
import { isUnrestricted } from "../grants/Grant.ts"
import { roleMay } from "../grants/GrantMatcher.ts"
import type { EventSource } from "./Event.ts"

/** First words that are the pod's, whatever follows: they tell who may do what, and who decided. */
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

/** What else the pod writes of: the subjects of doors, and records that stand under the subject of another. */
const ownNouns: ReadonlySet<string> = new Set(
  [...subjects, "thread", "message", "focusSession", "automation_run"].map((noun) => noun.toLowerCase())
)

/** What the pod says was done to them. Clients write `entity.created` or `entity.create.completed`, which stay free. */
const ownDeeds: ReadonlySet<string> = new Set(["create", "update", "delete", "restore", "move"])

/** Whether events of this type are the pod's alone. Capitals make no difference: people read the log too. */
export const isOwnType = (type: string): boolean => {
  const words = type.toLowerCase().split(".")
  const [noun = ""] = words
  return ownWords.has(noun) || (words.length > 1 && ownNouns.has(noun) && ownDeeds.has(words.at(-1) ?? ""))
}

const ownSources: ReadonlySet<EventSource> = new Set(["system", "migration", "sync"])

/**
 * Whether a caller may log an event of this source in this space. What says that the pod or an import wrote it is for
 * those who manage the space, with all that they may do: never for an agent, never for a narrowed key.
 */
export const maySaySource = (principal: Principal, spaceId: string, source: EventSource): boolean =>
  !ownSources.has(source) ||
  (principal.holder.kind !== "agent" &&
    isUnrestricted(principal) &&
    principal.memberships.some((one) => one.spaceId === spaceId && roleMay(one.role, "delete")))
