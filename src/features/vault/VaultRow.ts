/** Converts database rows of vaults and of vault entries to the objects that the store returns. */
import { DateTime } from "effect"
import { utcOrNull } from "../../platform/RowTimes.ts"
import type { SealedEntry, StoredEntry } from "./VaultEntry.ts"
import type { StoredVault } from "./VaultTable.ts"

export interface VaultRow {
  readonly id: string
  readonly sealed_key: Uint8Array
  readonly recovery_hash: Uint8Array | null
  readonly recovery_sealed_key: Uint8Array | null
  readonly recovery_made_at: Date | null
  readonly unlocked_at: Date | null
  readonly unlocks: number
  readonly created_at: Date
}

export interface EntryRow {
  readonly id: string
  readonly person_id: string
  readonly name: string
  readonly category: string | null
  readonly tags: ReadonlyArray<string>
  readonly url: string | null
  readonly has_notes: boolean
  readonly value_hash: Uint8Array
  readonly strength_bits: number
  readonly expires_at: Date | null
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
  readonly rotated_at: Date
}

export interface SealedRow extends EntryRow {
  readonly sealed_value: Uint8Array
  readonly sealed_notes: Uint8Array | null
  readonly sealed_key: Uint8Array
}

export const vaultOf = (row: VaultRow): StoredVault => ({
  personId: row.id,
  sealedKey: Buffer.from(row.sealed_key),
  recovery:
    row.recovery_hash === null || row.recovery_sealed_key === null || row.recovery_made_at === null
      ? null
      : {
          hash: Buffer.from(row.recovery_hash),
          sealedKey: Buffer.from(row.recovery_sealed_key),
          madeAt: DateTime.unsafeFromDate(row.recovery_made_at)
        },
  unlockedAt: utcOrNull(row.unlocked_at),
  unlocks: row.unlocks,
  createdAt: DateTime.unsafeFromDate(row.created_at)
})

export const entryOf = (row: EntryRow): StoredEntry => ({
  id: row.id,
  personId: row.person_id,
  name: row.name,
  category: row.category,
  tags: row.tags,
  url: row.url,
  hasNotes: row.has_notes,
  valueHash: Buffer.from(row.value_hash),
  strengthBits: row.strength_bits,
  expiresAt: utcOrNull(row.expires_at),
  version: row.version,
  createdAt: DateTime.unsafeFromDate(row.created_at),
  updatedAt: DateTime.unsafeFromDate(row.updated_at),
  rotatedAt: DateTime.unsafeFromDate(row.rotated_at)
})

export const sealedEntryOf = (row: SealedRow): SealedEntry => ({
  ...entryOf(row),
  sealedValue: Buffer.from(row.sealed_value),
  sealedNotes: row.sealed_notes === null ? null : Buffer.from(row.sealed_notes)
})
