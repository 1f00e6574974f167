/**
 * Makes the sentence of a preview. The sentence says which kinds of records a key reads, in which workspaces, whether
 * the key can write, and when the key expires.
 */
import { DateTime } from "effect"
import type { GrantBounds } from "../../doors/Principal.ts"
import type { ReadKinds } from "./ReadKinds.ts"

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

const listText = (names: ReadonlyArray<string>, many: string, last: "and" | "or" = "and"): string =>
  names.length > namedMax
    ? `${names.length} ${many}`
    : names.length < 2
      ? names.join("")
      : `${names.slice(0, -1).join(", ")} ${last} ${names.at(-1)}`

const countText = (count: number, one: string) => `${count} ${count === 1 ? one : `${one}s`}`

interface ReadSentence {
  readonly grant: GrantBounds
  readonly kinds: ReadKinds
  /** The names of the workspaces to which the key is limited. Null if the key is not limited to workspaces. */
  readonly workspaces: ReadonlyArray<string> | null
  /** Whether the key is allowed to call any operation that reads records. */
  readonly isReading: boolean
}

const readingOf = ({ grant, isReading, kinds: { read, unread }, workspaces }: ReadSentence): string => {
  if (read.length + unread.length === 0 || !isReading) return "Reads nothing."
  const where = [
    ...(workspaces === null
      ? []
      : [`in ${workspaces.length === 0 ? "no workspace" : listText(workspaces, "workspaces")}`]),
    ...(grant.projectIds === null ? [] : [`within ${countText(grant.projectIds.length, "project")}`]),
    ...(grant.entityIds === null ? [] : [`among ${countText(grant.entityIds.length, "object")}`])
  ]
  const none =
    unread.length === 0
      ? ""
      : `${unread.length > namedMax ? "nothing of" : "no"} ${listText(unread, "other kinds", "or")}`
  if (read.length === 0) return `Reads ${[none, ...where].join(" ")}.`
  return `Reads ${[listText(read, "kinds of records"), ...where].join(" ")}${none === "" ? "" : `, but ${none}`}.`
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

/** Makes the sentence, such as “Reads knowledge and documents in Acme and Ops. Cannot write. Expires 18 Feb 2027.” */
export const grantSentence = (
  reading: ReadSentence,
  writing: WriteMode,
  life: { readonly end: KeyEnd; readonly now: DateTime.Utc }
): string => [readingOf(reading), writings[writing], ...endingOf(life.end, life.now)].join(" ")
