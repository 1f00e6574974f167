/** The tables of vaults and of their entries in memory. The store of model providers also reads these tables. */
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
