/** A row of the table of keys, and its conversion to a key. */
import { DateTime, Schema } from "effect"
import type { ToolProfile } from "../../doors/ToolProfile.ts"
import { utcOrNull } from "../../platform/RowTimes.ts"
import { StoredGrant } from "../grants/Grant.ts"
import { type KeyType, RoleSnapshot, type StoredKey } from "./Key.ts"

export interface KeyRow {
  readonly id: string
  readonly user_id: string
  readonly person_id: string
  readonly key_name: string
  readonly key_prefix: string
  readonly last_four: string
  readonly key_type: KeyType
  readonly hub_id: string | null
  readonly scopes: ReadonlyArray<string>
  readonly grant_bounds: unknown
  readonly workspace_id: string | null
  readonly tool_profile: ToolProfile | null
  readonly rotated_from_id: string | null
  readonly rotated_at: Date | null
  readonly role_snapshot: unknown
  readonly expires_at: Date | null
  readonly last_used_at: Date | null
  readonly usage_count: string
  readonly created_at: Date
  readonly revoked_at: Date | null
  readonly revoked_reason: string | null
}

// A row that cannot be decoded is a defect and stops the call, because a malformed grant must never give a key more
// rights.
const grantOf = Schema.decodeUnknownSync(StoredGrant)
const roleOf = Schema.decodeUnknownSync(RoleSnapshot)

export const fromRow = (row: KeyRow): StoredKey => ({
  id: row.id,
  holderId: row.user_id,
  personId: row.person_id,
  keyName: row.key_name,
  keyPrefix: row.key_prefix,
  lastFour: row.last_four,
  keyType: row.key_type,
  hubId: row.hub_id,
  scopes: row.scopes,
  grant: row.grant_bounds === null ? null : grantOf(row.grant_bounds),
  workspaceId: row.workspace_id,
  toolProfile: row.tool_profile,
  rotatedFromId: row.rotated_from_id,
  isRotated: row.rotated_at !== null,
  role: row.role_snapshot === null ? null : roleOf(row.role_snapshot),
  expiresAt: utcOrNull(row.expires_at),
  lastUsedAt: utcOrNull(row.last_used_at),
  usageCount: Number(row.usage_count),
  createdAt: DateTime.unsafeFromDate(row.created_at),
  revokedAt: utcOrNull(row.revoked_at),
  revokedReason: row.revoked_reason
})

/** Every column of a key except its hash. */
export const columnNames = [
  "id",
  "user_id",
  "person_id",
  "key_name",
  "key_prefix",
  "last_four",
  "key_type",
  "hub_id",
  "scopes",
  "grant_bounds",
  "workspace_id",
  "tool_profile",
  "rotated_from_id",
  "rotated_at",
  "role_snapshot",
  "expires_at",
  "last_used_at",
  "usage_count",
  "created_at",
  "revoked_at",
  "revoked_reason"
]
