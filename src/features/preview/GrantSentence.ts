/**
 * Makes the sentence of a preview. The sentence says which kinds of records a key reads, in which workspaces, whether
 * the key can write, and when the key expires.
 */
import { DateTime, Either } from "effect"
import type { GrantBounds } from "../../doors/Principal.ts"
import { everyPermission } from "../grants/Grant.ts"
import { parsePermission } from "../grants/Permission.ts"

/**
 * How the key writes. `incapable`: the agent of the key has no capability, so the key cannot write. `proposing`: the
 * agent has a capability, but its writes wait for the person's approval unless a rule allows them.
 */
export type WriteMode = "none" | "direct" | "proposing" | "incapable"

/**
 * The time at which the key expires. Null means that the key never expires. Undefined means that the preview does not
 * tell when the key expires.
 */
export type KeyEnd = DateTime.Utc | null | undefined

// The maximum number of names in the sentence. For a longer list, the sentence contains only the number of names.
const namedMax = 5

const listText = (names: ReadonlyArray<string>, many: string): string =>
  names.length > namedMax
    ? `${names.length} ${many}`
    : names.length < 2
      ? names.join("")
      : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`

/** The plural words for subjects whose technical names people do not use. */
const words: Readonly<Record<string, string>> = {
  "entity.knowledge": "knowledge",
  entity: "records of every kind",
  memory: "memory",
  messaging: "messages",
  knowledge: "knowledge"
}

const plural = (name: string) => words[name] ?? (name.endsWith("s") ? name : `${name}s`)

/**
 * Returns the words for what one permission lets a key read, such as “knowledge”. Returns undefined if the permission
 * allows no reading.
 */
const kindRead = (permission: string): string | undefined => {
  const [subject = "", second, third] = Either.getOrElse(parsePermission(permission), () => [])
  const isEntity = subject === "entity"
  const action = isEntity ? third : second
  if (action !== undefined && action !== "read" && action !== "*") return undefined
  return isEntity && second !== undefined && second !== "*"
    ? (words[`entity.${second}`] ?? plural(second))
    : plural(subject)
}

const countText = (count: number, one: string) => `${count} ${count === 1 ? one : `${one}s`}`

interface ReadSentence {
  readonly grant: GrantBounds
  /** The names of the workspaces to which the key is limited. Null if the key is not limited to workspaces. */
  readonly workspaces: ReadonlyArray<string> | null
  /** Whether the key is allowed to call any operation that reads records. */
  readonly isReading: boolean
}

const readingOf = ({ grant, isReading, workspaces }: ReadSentence): string => {
  const isWhole = hasEveryPermission(grant)
  const kinds = isWhole
    ? ["everything that you can see"]
    : [...new Set(grant.permissions.flatMap((permission) => kindRead(permission) ?? []))]
  if (kinds.length === 0 || !isReading) return "Reads nothing."
  const where = [
    ...(workspaces === null
      ? []
      : [`in ${workspaces.length === 0 ? "no workspace" : listText(workspaces, "workspaces")}`]),
    ...(grant.projectIds === null ? [] : [`within ${countText(grant.projectIds.length, "project")}`]),
    ...(grant.entityIds === null ? [] : [`among ${countText(grant.entityIds.length, "object")}`])
  ]
  return `Reads ${[listText(kinds, "kinds of records"), ...where].join(" ")}.`
}

const writings: Readonly<Record<WriteMode, string>> = {
  none: "Cannot write.",
  direct: "Can write.",
  proposing: "Can write; the writes of an agent wait for your approval unless a governance rule allows them.",
  incapable: "Cannot write, because its agent has no capability."
}

const dayForm = { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" } as const

const endingOf = (end: KeyEnd, now: DateTime.Utc): ReadonlyArray<string> => {
  if (end === undefined) return []
  if (end === null) return ["Never expires."]
  const day = DateTime.toDate(end).toLocaleDateString("en-GB", dayForm)
  return [DateTime.lessThan(end, now) ? `Expired ${day}.` : `Expires ${day}.`]
}

/** Returns true if the permissions of a grant include `*`. Ignores the limits of the grant. */
export const hasEveryPermission = ({ permissions }: Pick<GrantBounds, "permissions">): boolean =>
  permissions.some((permission) => permission.trim() === everyPermission)

/** Makes the sentence, such as “Reads knowledge and documents in Acme and Ops. Cannot write. Expires 18 Feb 2027.” */
export const grantSentence = (
  reading: ReadSentence,
  writing: WriteMode,
  life: { readonly end: KeyEnd; readonly now: DateTime.Utc }
): string => [readingOf(reading), writings[writing], ...endingOf(life.end, life.now)].join(" ")
