/** An API key: its record, and the functions on keys that need no store. */
import { Data, DateTime, Schema } from "effect"
import { WorkspaceId, described, Timestamp } from "../../doors/Fields.ts"
import { pageInput } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { ToolProfile } from "../../doors/ToolProfile.ts"
import { Grant, type GrantRequest, type StoredGrant } from "../grants/Grant.ts"
import { summaryOf } from "./KeySummary.ts"

const expirySoonDays = 14

export const KeyType = Schema.Literal("user_pat", "hub_inbound", "service", "system")
export type KeyType = typeof KeyType.Type

/** A key in the form that the person who owns it sees: everything except the secret. */
export const Key = Schema.Struct({
  id: Id,
  keyName: described("Name that the owner gave the key.", Schema.String),
  keyPrefix: described("First characters of the secret.", Schema.String),
  lastFour: described("Last four characters of the secret.", Schema.String),
  keyType: described("Type of the key: for a person, an agent, a service or the system.", KeyType),
  hubId: described("Id of the pod that the key is for.", Schema.NullOr(Schema.String)),
  scope: described("Scopes of the key: which operations the key may call.", Schema.Array(Schema.String)),
  grant: described(
    "Permissions and limits of the key. A grant only narrows what the owner of the key may do.",
    Schema.NullOr(
      Schema.Struct({
        permissions: described(
          "Permissions, such as `entity.note.create`; `*` means every permission.",
          Schema.Array(Schema.String)
        ),
        workspaceIds: described("Workspaces that the key is limited to.", Schema.NullOr(Schema.Array(Schema.String))),
        projectIds: described("Projects that the key is limited to.", Schema.NullOr(Schema.Array(Schema.String))),
        entityIds: described("Entities that the key is limited to.", Schema.NullOr(Schema.Array(Schema.String))),
        label: Schema.NullOr(Schema.String)
      })
    )
  ),
  summary: described("A sentence for people about what the key may read and write.", Schema.String),
  holderId: described("Id of the person, agent or app that holds the key.", Id),
  heldByAgent: described("Agent that holds the key.", Schema.Boolean),
  workspaceId: Schema.NullOr(WorkspaceId),
  toolProfile: described("Which MCP tools the key has; null means all.", Schema.NullOr(ToolProfile)),
  isActive: described("Whether the key works now.", Schema.Boolean),
  expiresAt: described("Time when the key expires; null means never.", Schema.NullOr(Timestamp)),
  lastUsedAt: described("Time of the last use of the key; null means never.", Schema.NullOr(Timestamp)),
  usageCount: described("How many times the key was used.", Schema.Number),
  rotatedFromId: described("Id of the old key that this key replaced.", Schema.NullOr(Id)),
  role: described(
    "Access role that the key was created from, and whether the role has changed since.",
    Schema.NullOr(
      Schema.Struct({
        id: Id,
        name: Schema.String,
        isDrifted: described("Whether the role has changed since the key was created.", Schema.Boolean),
        isDeleted: described("Whether the role was deleted.", Schema.Boolean)
      })
    )
  ),
  createdAt: Timestamp,
  revokedAt: described(
    "Time when the key was revoked; null means that the key is not revoked.",
    Schema.NullOr(Timestamp)
  ),
  revokedReason: described("Why the key was revoked.", Schema.NullOr(Schema.String))
}).annotations({ identifier: "Key" })
export type Key = typeof Key.Type

/** An access role at the time when a key was made from it. Later changes of the role do not change the key. */
export const RoleSnapshot = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  grant: described(
    "Permissions and limits of the key. A grant only narrows what the owner of the key may do.",
    Schema.Struct({
      ...Grant.fields,
      permissions: described(
        "Permissions, such as `entity.note.create`; `*` means every permission.",
        Schema.Array(Schema.String)
      )
    })
  )
})
export type RoleSnapshot = typeof RoleSnapshot.Type

export interface StoredKey {
  readonly id: string
  readonly holderId: string
  readonly personId: string
  readonly keyName: string
  readonly keyPrefix: string
  readonly lastFour: string
  readonly keyType: KeyType
  readonly hubId: string | null
  readonly scopes: ReadonlyArray<string>
  readonly grant: StoredGrant | null
  readonly workspaceId: string | null
  readonly toolProfile: ToolProfile | null
  readonly rotatedFromId: string | null
  /** Whether the key has a successor. After a rotation the old key can stay valid for some time. */
  readonly isRotated: boolean
  readonly role: RoleSnapshot | null
  readonly expiresAt: DateTime.Utc | null
  readonly lastUsedAt: DateTime.Utc | null
  readonly usageCount: number
  readonly createdAt: DateTime.Utc
  readonly revokedAt: DateTime.Utc | null
  readonly revokedReason: string | null
}

export class KeyUnknown extends Data.TaggedError("KeyUnknown")<{}> {}
export class KeyRevoked extends Data.TaggedError("KeyRevoked")<{ readonly keyId: string }> {}
export class KeyExpired extends Data.TaggedError("KeyExpired")<{ readonly keyId: string }> {}
/**
 * The failure if the person has no such key. The failure is the same for a missing key and for another person's key.
 */
export class KeyNotFound extends Data.TaggedError("KeyNotFound")<{ readonly keyId: string }> {}
/** The failure if the key cannot be rotated because it is not active. */
export class KeyInactive extends Data.TaggedError("KeyInactive")<{ readonly keyId: string }> {}
/** The failure if the key cannot be rotated because it already has a successor. A key can have only one successor. */
export class KeyRotated extends Data.TaggedError("KeyRotated")<{ readonly keyId: string }> {}

export const isExpired = (key: Pick<StoredKey, "expiresAt">, now: DateTime.Utc): boolean =>
  key.expiresAt !== null && DateTime.lessThanOrEqualTo(key.expiresAt, now)

/**
 * Returns the time of expiry if this time is at most 14 days away. Otherwise returns undefined. Headers of the pod's
 * answers tell the client about this time.
 */
export const nearExpiry = (expiresAt: Date | null, nowMs: number): Date | undefined =>
  expiresAt !== null && expiresAt.getTime() - nowMs <= expirySoonDays * 86_400_000 ? expiresAt : undefined

const sameGrant = Schema.equivalence(Grant)

const axes = ["permissions", "workspaceIds", "projectIds", "entityIds"] as const

/**
 * Returns the fields in which a request differs from the access role that the request names. Returns no fields if the
 * request has no permissions and no limits.
 */
export const fieldsBeyondRole = (role: Grant, request: GrantRequest): ReadonlyArray<(typeof axes)[number]> => {
  if (axes.every((axis) => request[axis] === undefined)) return []
  const plain = (values: ReadonlyArray<string> | undefined) => values && [...new Set(values)].sort().join(" ")
  return axes.filter((axis) => plain(request[axis]) !== plain(role[axis]))
}

const roleOf = (
  snapshot: RoleSnapshot | null,
  roles: ReadonlyArray<{ readonly id: string; readonly grant: Grant }>
): Key["role"] => {
  if (snapshot === null) return null
  const now = roles.find(({ id }) => id === snapshot.id)
  return {
    id: snapshot.id,
    name: snapshot.name,
    isDrifted: now !== undefined && !sameGrant(now.grant, snapshot.grant),
    isDeleted: now === undefined
  }
}

/**
 * Converts a stored key to the form that the person who owns it sees. `roles` are the person's current access roles.
 */
export const toKey = (
  stored: StoredKey,
  now: DateTime.Utc,
  roles: ReadonlyArray<{ readonly id: string; readonly grant: Grant }>
): Key => ({
  id: stored.id,
  keyName: stored.keyName,
  keyPrefix: stored.keyPrefix,
  lastFour: stored.lastFour,
  keyType: stored.keyType,
  hubId: stored.hubId,
  scope: stored.scopes,
  grant: stored.grant,
  summary: summaryOf(stored),
  holderId: stored.holderId,
  heldByAgent: stored.holderId !== stored.personId,
  workspaceId: stored.workspaceId,
  toolProfile: stored.toolProfile,
  isActive: stored.revokedAt === null && !isExpired(stored, now),
  expiresAt: stored.expiresAt,
  lastUsedAt: stored.lastUsedAt,
  usageCount: stored.usageCount,
  rotatedFromId: stored.rotatedFromId,
  role: roleOf(stored.role, roles),
  createdAt: stored.createdAt,
  revokedAt: stored.revokedAt,
  revokedReason: stored.revokedReason
})

/**
 * Converts the key of another person to the form that an administrator of the pod sees. An administrator sees no
 * records of other people, so this form leaves out the ids of the projects and other records that limit the key, and
 * the access role. It keeps the ids of workspaces, because without them the key would seem to reach every workspace.
 */
export const toForeignKey = (stored: StoredKey, now: DateTime.Utc): Key => {
  const { grant } = stored
  const withoutIds = (ids: ReadonlyArray<string> | null) => (ids === null ? null : [])
  return {
    ...toKey({ ...stored, role: null }, now, []),
    grant:
      grant === null
        ? null
        : { ...grant, projectIds: withoutIds(grant.projectIds), entityIds: withoutIds(grant.entityIds) }
  }
}

export const KeyPage = Schema.Struct(pageInput("keys", 100, 500))
// The default is as many as before this list had pages, because older clients ask for one page only.
export const SystemKeyPage = Schema.Struct(pageInput("systemKeys", 500, 500))
export const ConnectionPage = Schema.Struct(pageInput("connections", 100, 500))
