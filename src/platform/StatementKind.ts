/** Decides from the text of a statement on which connections the pod runs the statement. */

/**
 * A `read` does not wait for another statement. A `write` can wait for a lock. A `session` statement never shares a
 * connection. Such a statement changes what later statements on the connection see, or it must not wait for other
 * statements.
 */
export type StatementKind = "read" | "write" | "session"

const isOneStatement = /^\s*(?:SELECT|WITH|VALUES|INSERT|UPDATE|DELETE|MERGE)\b/i

/**
 * Finds statements that take a lock that outlives their transaction, change settings of the connection, or send
 * notifications.
 */
const outlives = /\b(?:pg_(?:try_)?advisory_(?:lock|unlock)|pg_notify|set_config\s*\([^()]*,\s*false\s*\))/i

/**
 * Finds statements that end the access of a key or a user. Such statements never share a connection. On a shared
 * connection they might wait behind a write of another caller, while that write waits for a lock.
 */
const endsAccess = /\b(?:revoked_at|suspended_at)\s*=(?!=)/i

/**
 * Finds words that change or lock rows. It also finds the pod's own SQL functions that change or lock rows, by the
 * first word of their names. A test compares these words with the functions in the database.
 */
const mayWait =
  /\b(?:INSERT|UPDATE|DELETE|MERGE|FOR\s+(?:NO\s+KEY\s+)?UPDATE|FOR\s+(?:KEY\s+)?SHARE)\b|\bpg_advisory_xact_lock|\b(?:create|declare|delete|forget|mark|pass|rehash|remove|replace|settle)_\w+\s*\(/i

const kindOf = (text: string): StatementKind => {
  if (!isOneStatement.test(text) || outlives.test(text) || endsAccess.test(text)) return "session"
  return mayWait.test(text) ? "write" : "read"
}

// the maximum number of statement texts whose kind is remembered; for any further text, each call finds the kind again
const rememberedMax = 500
const kindsByText = new Map<string, StatementKind>()

/**
 * Returns the kind of a statement. The texts of statements are fixed, so the pod finds the kind of each text once and
 * remembers it.
 */
export const statementKind = (text: string): StatementKind => {
  const known = kindsByText.get(text)
  if (known !== undefined) return known
  const kind = kindOf(text)
  if (kindsByText.size < rememberedMax) kindsByText.set(text, kind)
  return kind
}
