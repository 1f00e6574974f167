/** Describes in one sentence what a key is allowed to do with its grant and its scopes. */
import type { Scope } from "../../doors/Scope.ts"
import { everyPermission, type StoredGrant } from "../grants/Grant.ts"

/**
 * What a key may do with each scope. The texts `read` and `write` stand for many operations. Every other text completes
 * a sentence that begins with “May”. The scope `probe` adds nothing to the sentence.
 */
const opens: Readonly<Record<Scope, string>> = {
  "hub-protocol.read": "read",
  "hub-protocol.write": "write",
  "hub-protocol.admin": "write",
  "mcp.read": "read",
  "mcp.write": "write",
  "data.read": "read",
  "data.write": "write",
  "skills.invoke": "run skills",
  "chat.stream": "chat",
  "read:entities": "search from workflows",
  "write:entities": "add records from workflows",
  "ai:analyze": "have texts analysed",
  "realtime:observe": "follow events",
  "providers.write": "configure model providers",
  "setup.agent": "set up agents",
  probe: ""
}

const listText = (parts: ReadonlyArray<string>) =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`

const countText = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`

const openedByScope = Object.entries(opens)

/** Returns what a key with these scopes may do. Retired scopes of old keys allow nothing. */
const openedBy = (scopes: ReadonlyArray<string>) => {
  const opened = new Set(openedByScope.filter(([scope]) => scopes.includes(scope)).map(([, what]) => what))
  return {
    writes: opened.has("write"),
    reads: opened.has("read"),
    uses: [...opened].filter((what) => what !== "write" && what !== "read" && what !== "")
  }
}

const withEveryPermission = ({ reads, uses, writes }: ReturnType<typeof openedBy>): string => {
  if (writes) return "May do everything that its owner may do"
  if (reads) return `May read everything that its owner may read${uses.length === 0 ? "" : `, and ${listText(uses)}`}`
  return `May only ${listText(uses)}, with the rights of its owner`
}

const permissionsText = (permissions: ReadonlyArray<string>, opened: ReturnType<typeof openedBy>): string => {
  const isNarrow = !opened.reads && !opened.writes
  if (permissions.length === 0 || (isNarrow && opened.uses.length === 0)) return "May do nothing"
  if (permissions.includes(everyPermission)) return withEveryPermission(opened)
  const list = permissions.join(", ")
  return isNarrow
    ? `May only ${listText(opened.uses)}, with only the permissions ${list}`
    : `Has only the permissions ${list}`
}

export const summaryOf = (key: {
  readonly grant: StoredGrant | null
  readonly scopes: ReadonlyArray<string>
  readonly workspaceId: string | null
}): string => {
  const { grant, scopes } = key
  const where: Array<string> = []
  if (key.workspaceId !== null) where.push("one workspace")
  else if (grant?.workspaceIds != null) where.push(countText(grant.workspaceIds.length, "workspace"))
  if (grant?.projectIds != null) where.push(countText(grant.projectIds.length, "project"))
  if (grant?.entityIds != null) where.push(countText(grant.entityIds.length, "object"))
  const permissions = grant?.permissions.map((permission) => permission.trim()) ?? [everyPermission]
  const opened = openedBy(scopes)
  const what = permissionsText(permissions, opened)
  return where.length === 0 ? `${what}.` : `${what}, within ${where.join(" and ")}.`
}
