/** Which connections a statement may run on, decided from its text alone. */

/**
 * `read` does not wait for another statement. `write` may wait for a lock. `session` never shares a connection: it may
 * change what later statements of its connection see, or must not wait for others.
 */
export type StatementKind = "read" | "write" | "session"

const isOneStatement = /^\s*(?:SELECT|WITH|VALUES|INSERT|UPDATE|DELETE|MERGE)\b/i

/** Locks that outlive their transaction, and settings that might. */
const outlives = /\b(?:pg_(?:try_)?advisory_(?:lock|unlock)|pg_notify|set_config\s*\([^()]*,\s*false\s*\))/i

/**
 * Statements that end access. They must not wait behind the lock of another caller's write, so they have a separate
 * connection.
 */
const endsAccess = /\b(?:revoked_at|suspended_at)\s*=(?!=)/i

/** Words that change or lock rows, and the beginnings of the names of our functions that do (a test compares them with the database). */
const mayWait =
  /\b(?:INSERT|UPDATE|DELETE|MERGE|FOR\s+(?:NO\s+KEY\s+)?UPDATE|FOR\s+(?:KEY\s+)?SHARE)\b|\bpg_advisory_xact_lock|\b(?:create|declare|delete|forget|pass|settle)_\w+\s*\(/i

const kindOf = (text: string): StatementKind => {
  if (!isOneStatement.test(text) || outlives.test(text) || endsAccess.test(text)) return "session"
  return mayWait.test(text) ? "write" : "read"
}

const rememberedMax = 500 // texts; the kind of a further one is found again at each call
const remembered = new Map<string, StatementKind>()

/** The kind of a statement. The texts of statements are fixed, so each is read once. */
export const statementKind = (text: string): StatementKind => {
  const known = remembered.get(text)
  if (known !== undefined) return known
  const kind = kindOf(text)
  if (remembered.size < rememberedMax) remembered.set(text, kind)
  return kind
}
