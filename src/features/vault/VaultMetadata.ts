/**
 * The schemas for the overview of a vault: whether the pod can decrypt the vault, the names of its entries, its
 * categories, and counts about its security.
 */
import { Schema } from "effect"
import { described, Timestamp } from "../../doors/Fields.ts"
import { pageInput } from "../../doors/PageFields.ts"
import { VaultEntry } from "./VaultEntry.ts"

const state = {
  hasVault: described("Whether the person has stored a secret.", Schema.Boolean),
  isLocked: described(
    "True if the pod cannot decrypt the vault, because the encryption key of the pod was replaced. The recovery key decrypts the vault.",
    Schema.Boolean
  ),
  hasRecoveryKey: described("Whether the person has made a recovery key.", Schema.Boolean)
}

export const VaultState = Schema.Struct(state).annotations({ identifier: "VaultState" })
export type VaultState = typeof VaultState.Type

const time = (meaning: string) => described(meaning, Schema.NullOr(Timestamp))

export const VaultMetadata = Schema.Struct({
  ...state,
  createdAt: time("Time of the first vault entry; null without a vault."),
  recoveryKeyCreatedAt: time("Time when the recovery key was made."),
  lastUnlockedAt: time("Time of the last unlock that a client has recorded."),
  unlockCount: described("Number of recorded unlocks of the vault.", Schema.Number),
  entries: described("Entries without their values, newest first.", Schema.Array(VaultEntry))
}).annotations({ identifier: "VaultMetadata" })
export type VaultMetadata = typeof VaultMetadata.Type

export const EntryInput = Schema.Struct({
  category: described("Only entries of this category.", Schema.optional(Schema.String.pipe(Schema.maxLength(100)))),
  tag: described("Only entries with this tag.", Schema.optional(Schema.String.pipe(Schema.maxLength(50)))),
  ...pageInput("vaultEntries", 100, 200)
})
export type EntryInput = typeof EntryInput.Type

// The default is as many as before this list had pages, because older clients ask for one page only.
export const SharedEntryPage = Schema.Struct(pageInput("sharedVaultEntries", 500, 500))

export const NamedCount = Schema.Struct({
  name: described("Name of the category or tag.", Schema.String),
  count: described("Number of vault entries in the category or with the tag.", Schema.Number)
}).annotations({ identifier: "NamedCount" })
export type NamedCount = typeof NamedCount.Type

/** Counts how often each name occurs. The result is sorted by name. */
export const countsOf = (names: ReadonlyArray<string>): ReadonlyArray<NamedCount> => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

const figure = (meaning: string) => described(meaning, Schema.Number)

export const SecurityStats = Schema.Struct({
  total: figure("Number of vault entries."),
  weak: figure("Number of entries whose value is easy to guess."),
  reused: figure("Number of entries whose value another entry has too."),
  old: figure("Number of entries whose value is older than a year."),
  expired: figure("Number of entries that have expired.")
}).annotations({ identifier: "VaultSecurity" })

export const UnlockRecord = Schema.Struct({
  success: Schema.Literal(true),
  lastUnlockedAt: time("Time of this unlock."),
  unlockCount: described("Number of recorded unlocks of the vault.", Schema.Number)
}).annotations({ identifier: "VaultUnlock" })
