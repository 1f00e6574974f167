/** Encrypts the value and the notes of a vault entry when the entry is created or changed. */
import type { DateTime, Redacted } from "effect"
import { uuidv7 } from "../../platform/Ids.ts"
import { strengthOf } from "./SecretStrength.ts"
import { sealField, valueHash } from "./VaultCipher.ts"
import type { SealedEntry, VaultEntryChange, VaultEntryDraft } from "./VaultEntry.ts"

type Key = Redacted.Redacted<Buffer>

/** Makes a new entry of the vault of `personId`, encrypted with the data key of the vault. */
export const sealEntry = (
  key: Key,
  personId: string,
  { category = null, expiresAt = null, name, notes = null, tags, url = null, value }: VaultEntryDraft,
  now: DateTime.Utc
): SealedEntry => {
  const place = { id: uuidv7(), personId }
  return {
    ...place,
    name,
    category,
    tags,
    url,
    hasNotes: notes !== null,
    sealedValue: sealField(key, place, "value", value),
    sealedNotes: notes === null ? null : sealField(key, place, "notes", notes),
    valueHash: valueHash(key, value),
    strengthBits: strengthOf(value),
    expiresAt,
    version: 1,
    createdAt: now,
    updatedAt: now,
    rotatedAt: now
  }
}

/** Applies a change to an entry. Returns the next version of the entry, and the names of the changed fields. */
export const changedEntry = (
  key: Key,
  entry: SealedEntry,
  { expectedVersion: _version, id: _id, notes, value, ...changed }: VaultEntryChange,
  now: DateTime.Utc
): { readonly entry: SealedEntry; readonly fields: ReadonlyArray<string> } => {
  const given = Object.fromEntries(Object.entries(changed).filter(([, each]) => each !== undefined))
  const sealedNotes =
    notes === undefined ? entry.sealedNotes : notes === null ? null : sealField(key, entry, "notes", notes)
  return {
    entry: {
      ...entry,
      ...given,
      sealedNotes,
      hasNotes: sealedNotes !== null,
      ...(value === undefined
        ? {}
        : {
            sealedValue: sealField(key, entry, "value", value),
            valueHash: valueHash(key, value),
            strengthBits: strengthOf(value),
            rotatedAt: now
          }),
      version: entry.version + 1,
      updatedAt: now
    },
    fields: [
      ...Object.keys(given),
      ...(notes === undefined ? [] : ["notes"]),
      ...(value === undefined ? [] : ["value"])
    ]
  }
}
