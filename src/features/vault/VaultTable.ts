/**
 * The tables of vaults, of their entries and of the shares of entries in memory. The stores of model providers and of
 * members also use these tables.
 */
import type { DateTime } from "effect"
import { memoryTable } from "../../platform/MemoryDatabase.ts"
import type { SealedRecovery } from "./VaultCipher.ts"
import type { SealedEntry } from "./VaultEntry.ts"

export interface StoredVault {
  readonly personId: string
  readonly sealedKey: Buffer
  readonly recovery: (SealedRecovery & { readonly madeAt: DateTime.Utc }) | null
  readonly unlockedAt: DateTime.Utc | null
  readonly unlocks: number
  readonly createdAt: DateTime.Utc
}

export const vaultTable = memoryTable<StoredVault>("vaults", ({ personId }) => personId)
export const vaultEntryTable = memoryTable<SealedEntry>("vault_entries", ({ id }) => id)

/** An entry that its owner lets a member of a workspace read. */
export interface StoredShare {
  readonly entryId: string
  readonly ownerId: string
  readonly personId: string
  readonly workspaceId: string
  readonly sharedAt: DateTime.Utc
}

export const shareKey = ({ entryId, personId, workspaceId }: StoredShare) => `${entryId} ${personId} ${workspaceId}`
export const shareTable = memoryTable<StoredShare>("vault_shares", shareKey)
