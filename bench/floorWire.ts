/**
 * Makes the answers of the floor (the minimal server for comparison) from rows of the database. The answers have the
 * same fields as those of the pod.
 */
import { hash } from "node:crypto"

/**
 * A row of the database in the form in which the driver returns it: dates as `Date`, bigint as text, and jsonb as
 * values.
 */
export type Row = Readonly<Record<string, any>>

const iso = (date: Date | null): string | null => (date === null ? null : date.toISOString())

export const entity = (row: Row) => ({
  id: row["id"],
  profileSlug: row["profile_slug"],
  type: row["profile_slug"],
  title: row["title"],
  preview: row["preview"],
  description: row["description"],
  properties: row["properties"],
  systemData: row["system_data"],
  userId: row["user_id"],
  workspaceId: row["space_id"] === row["user_id"] ? null : row["space_id"],
  documentId: row["document_id"],
  version: row["version"],
  createdAt: iso(row["created_at"]),
  updatedAt: iso(row["updated_at"])
})

export const created = (row: Row) => {
  const made = entity(row)
  return {
    ...made,
    status: "created",
    effectiveWorkspaceId: made.workspaceId,
    writeReceipt: { state: "applied" },
    resolution: { existingSameProfile: null, autoConnected: [], suggestions: [] }
  }
}

/** The mark by which the pod knows its cursors of the list of entities of this person (`src/doors/Cursor.ts`). */
const markFor = (personId: unknown): string =>
  hash("sha256", JSON.stringify(["entities", personId]), "base64url").slice(0, 11)

/**
 * Returns the cursor of the next page. The statement reads one row more than the limit. Without this extra row there is
 * no next page, and the result is undefined.
 */
export const cursorOf = (rows: ReadonlyArray<Row>, limit: number): string | undefined => {
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return (
    last && Buffer.from(`${markFor(last["person_id"])} ${iso(last["updated_at"])} ${last["id"]}`).toString("base64url")
  )
}

// A text in a short answer has at most this many characters, as in the pod.
const leanLength = 120

export const lean = (row: Row) => {
  const left: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(entity(row))) {
    if (value === null || (name === "systemData" && Object.keys(value).length === 0)) continue
    left[name] = typeof value === "string" && value.length > leanLength ? `${value.slice(0, leanLength)}…` : value
  }
  return left
}

export const keyStatus = (row: Row) => ({
  keyId: row["id"],
  keyIdPrefix: row["id"].slice(0, 8),
  userId: row["person_id"],
  userEmail: row["email"],
  userName: row["name"],
  name: row["key_name"],
  scopes: row["scopes"],
  createdAt: iso(row["created_at"]),
  expiresAt: iso(row["expires_at"]),
  lastUsedAt: iso(row["last_used_at"]),
  parentKeyId: null,
  isActive: true,
  keyType: row["key_type"],
  workspaceId: row["workspace_id"],
  toolProfile: row["tool_profile"],
  summary: row["grant_bounds"].permissions.includes("*")
    ? "May do everything that its owner may do."
    : `Only ${row["grant_bounds"].permissions.join(", ")}.`
})

/** Returns the decision that the event of a write records. The decision says why the write was allowed. */
export const decisionOn = (permission: string) => ({ verdict: "allow", rung: "person", permission })

export const event = (row: Row, sent: Row, id: string, correlationId: string) => ({
  id,
  version: "v1",
  type: sent["type"],
  ...(sent["subjectId"] === undefined ? {} : { subjectId: sent["subjectId"], subjectType: sent["type"].split(".")[0] }),
  data: sent["data"],
  userId: row["person_id"],
  actorId: row["user_id"],
  source: "api",
  workspaceId: row["space_id"] === row["person_id"] ? null : row["space_id"],
  seq: Number(row["seq"]),
  timestamp: iso(row["at"]),
  correlationId,
  decision: decisionOn("event.create")
})
