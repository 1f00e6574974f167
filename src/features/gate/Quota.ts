/**
 * The quotas: how many records of one type a person can have, or can let wait. They limit records that cost the pod
 * something at each call or event, or that lists read as a whole. Without a quota, one caller could slow the pod down for
 * everybody. The pod refuses only new records, so a person who has more keeps them.
 */
import { DateTime } from "effect"

export interface Quota {
  /** The largest number of records. */
  readonly max: number
  /** What is counted, in the plural and in the words of the API. */
  readonly what: string
  /** Who has the records: the person, or the agent that asked for them. */
  readonly owner: "person" | "actor"
  /** The table in SQL. `count_owned` (migration 0136) knows which rows of it count. */
  readonly table: string
  /** The name of the table in memory. */
  readonly memoryTable: string
  /** Returns true if a row of the table in memory counts for this owner. */
  readonly isCounted: (row: object, ownerId: string, now: DateTime.Utc) => boolean
}

type Rule<Row> = (row: Row, ownerId: string, now: DateTime.Utc) => boolean

/** Declares a quota. The table has rows of the type `Row`, which the table itself cannot say here. */
const quota = <Row>(
  max: number,
  what: string,
  table: string,
  isCounted: Rule<Row>,
  { memoryTable = table, owner = "person" }: Partial<Pick<Quota, "memoryTable" | "owner">> = {}
): Quota => ({ max, what, owner, table, memoryTable, isCounted: isCounted as unknown as Quota["isCounted"] })

interface StoredRow {
  readonly record: { readonly userId: string }
  readonly isArchived: boolean
}

/** Declares a quota of records that `governedRecords` writes. */
const ofRecords = (max: number, what: string, table: string): Quota =>
  quota<StoredRow>(max, what, table, ({ isArchived, record }, ownerId) => !isArchived && record.userId === ownerId)

interface KeyRow {
  readonly key: {
    readonly personId: string
    readonly revokedAt: DateTime.Utc | null
    readonly expiresAt: DateTime.Utc | null
  }
}

interface InvitationRow {
  readonly invitation: {
    readonly invitedBy: string
    readonly usedAt: DateTime.Utc | null
    readonly withdrawnAt: DateTime.Utc | null
    readonly expiresAt: DateTime.Utc
  }
}

interface ProposalRow {
  readonly actorId: string
  readonly status: string
  readonly expiresAt: DateTime.Utc
}

interface MembershipRow {
  readonly userId: string
  readonly spaceId: string
  readonly role: string
}

/** The quotas by the type of their records. The types of governed records are the names of their declarations. */
export const quotas = {
  agent: quota<{ readonly linkedUserId: string }>(
    1_000,
    "agents",
    "users",
    ({ linkedUserId }, ownerId) => linkedUserId === ownerId,
    { memoryTable: "agents" }
  ),
  api_key: quota<KeyRow>(
    5_000,
    "keys that are neither revoked nor expired, with those of the person's agents",
    "api_keys",
    ({ key: { expiresAt, personId, revokedAt } }, ownerId, now) =>
      personId === ownerId && revokedAt === null && (expiresAt === null || DateTime.lessThan(now, expiresAt))
  ),
  brand: ofRecords(500, "brands", "brands"),
  command: ofRecords(2_000, "commands", "commands"),
  connector: ofRecords(500, "connectors", "connectors"),
  governance_rule: quota<{ readonly createdBy: string }>(
    1_000,
    "governance rules",
    "governance_rules",
    ({ createdBy }, ownerId) => createdBy === ownerId
  ),
  invitation: quota<InvitationRow>(
    1_000,
    "open invitations",
    "invitations",
    ({ invitation: { expiresAt, invitedBy, usedAt, withdrawnAt } }, ownerId, now) =>
      invitedBy === ownerId && usedAt === null && withdrawnAt === null && DateTime.lessThan(now, expiresAt)
  ),
  profile: ofRecords(2_000, "profiles", "profiles"),
  project: ofRecords(5_000, "projects", "projects"),
  property_def: ofRecords(10_000, "property definitions", "property_defs"),
  proposal: quota<ProposalRow>(
    2_000,
    "waiting proposals",
    "proposals",
    ({ actorId, expiresAt, status }, ownerId, now) =>
      actorId === ownerId && status === "pending" && DateTime.lessThan(now, expiresAt),
    { owner: "actor" }
  ),
  provider: ofRecords(200, "model providers", "model_providers"),
  relation_def: ofRecords(2_000, "relation types", "relation_defs"),
  role: ofRecords(1_000, "access roles", "access_roles"),
  rule: ofRecords(1_000, "automation rules", "rules"),
  skill: ofRecords(2_000, "skills", "skills"),
  track: ofRecords(5_000, "tracks", "tracks"),
  // The pod reads all entries of a vault to compute the security figures.
  vault_entry: quota<{ readonly personId: string }>(
    2_000,
    "entries of the vault",
    "vault_entries",
    ({ personId }, ownerId) => personId === ownerId
  ),
  view: ofRecords(5_000, "views", "views"),
  webhook: ofRecords(500, "webhooks", "webhooks"),
  workspace: quota<MembershipRow>(
    1_000,
    "workspaces of which the person is an owner",
    "memberships",
    ({ role, spaceId, userId }, ownerId) => userId === ownerId && role === "owner" && spaceId !== ownerId
  )
} as const satisfies Readonly<Record<string, Quota>>

export type QuotaName = keyof typeof quotas

/** Returns true if there is a quota for records of this type. */
export const hasQuota = (type: string): type is QuotaName => Object.hasOwn(quotas, type)
