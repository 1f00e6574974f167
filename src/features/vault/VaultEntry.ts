/**
 * An entry of a vault: a secret value, with a name and other fields by which a person finds the entry. Only the owner
 * of the entry, and the people that the owner shares it with, can read the value.
 */
import { DateTime, Schema } from "effect"
import { isStorable, described, optionalOrNull, Timestamp, TimestampInput, WorkspaceId } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { parsedUrl } from "../../platform/ParsedUrl.ts"

const text = (min: number, max: number) =>
  Schema.String.pipe(
    Schema.minLength(min),
    Schema.maxLength(max),
    Schema.filter(isStorable, { message: () => "Use text without U+0000 and without half a surrogate pair." })
  )

const tagsMax = 20

const Name = described("Name of the entry.", text(1, 200))
const Category = described("Category.", text(1, 100))
const Tags = described("Tags of the entry.", Schema.Array(text(1, 50)).pipe(Schema.maxItems(tagsMax)))
/** Makes the schema of a secret text. The error messages of the schema never repeat the text that was sent. */
const secretText = (min: number, max: number) =>
  text(min, max).annotations({
    message: () => ({
      message: `Use ${min} to ${max} characters, without U+0000 and without half a surrogate pair.`,
      override: true
    })
  })
const Value = secretText(1, 20_000)
const Notes = secretText(0, 10_000)
const Url = described(
  "Address of the service that the value is for. A connector sends the value only to this host.",
  Schema.String.pipe(
    Schema.maxLength(2048),
    Schema.filter((url) => /^https?:\/\//i.test(url) && parsedUrl(url) !== undefined && isStorable(url), {
      message: () => "Use an http or https URL.",
      arbitrary: () => (fc) => fc.webUrl()
    })
  )
)
const ExpiresAt = described("Time when the value expires; null means never.", Schema.NullOr(Timestamp))

const entryFields = {
  id: described("Id of the entry.", Id),
  userId: described("Id of the person who owns the entry.", Id),
  name: Name,
  category: described("Category; null means none.", Schema.NullOr(Schema.String)),
  tags: Tags,
  url: described("Address of the service that the value is for.", Schema.NullOr(Schema.String)),
  hasNotes: described("Whether the entry has notes.", Schema.Boolean),
  expiresAt: ExpiresAt,
  version: described("Version, from 1. Each write adds one.", Schema.Number),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  rotatedAt: described("Time when the value was last replaced.", Timestamp)
}

/** A vault entry without its value and its notes. */
export const VaultEntry = Schema.Struct(entryFields).annotations({ identifier: "VaultEntry" })
export type VaultEntry = typeof VaultEntry.Type

const VaultShare = Schema.Struct({
  userId: described("The person who may read the entry.", Id),
  workspaceId: described("A workspace in which both people are members.", Id),
  sharedAt: Timestamp
}).annotations({ identifier: "VaultShare" })
export type VaultShare = typeof VaultShare.Type

export const OpenedEntry = Schema.Struct({
  ...entryFields,
  value: described("The secret value.", Schema.String),
  notes: described("The notes; null means none.", Schema.NullOr(Schema.String)),
  sharedWith: described(
    "People that the owner shares the entry with; empty if the caller is not the owner.",
    Schema.Array(VaultShare)
  )
}).annotations({ identifier: "OpenedVaultEntry" })
export type OpenedEntry = typeof OpenedEntry.Type

export const SharedEntry = Schema.Struct({
  ...entryFields,
  ownerName: described("Name of the owner.", Schema.String),
  workspaceId: described("A workspace in which both people are members.", Id),
  sharedAt: Timestamp
}).annotations({ identifier: "SharedVaultEntry" })
export type SharedEntry = typeof SharedEntry.Type

const draft = {
  category: optionalOrNull(Category),
  url: optionalOrNull(Url),
  notes: described("Notes, encrypted like the value.", optionalOrNull(Notes)),
  expiresAt: described("Time when the value expires.", optionalOrNull(TimestampInput))
}

export const VaultEntryDraft = Schema.Struct({
  name: Name,
  value: described("The secret value.", Value),
  tags: Schema.optionalWith(Tags, { default: () => [] }),
  ...draft
}).annotations({ identifier: "VaultEntryDraft" })
export type VaultEntryDraft = typeof VaultEntryDraft.Type

export const VaultEntryChange = Schema.Struct({
  id: Id,
  expectedVersion: described(
    "The version that you read; the call fails with a conflict if the entry has another version now.",
    Schema.optional(Schema.Int.pipe(Schema.between(1, 2_147_483_647)))
  ),
  name: Schema.optional(Name),
  value: described("A new secret value.", Schema.optional(Value)),
  tags: Schema.optional(Tags),
  ...draft
}).annotations({ identifier: "VaultEntryChange" })
export type VaultEntryChange = typeof VaultEntryChange.Type

export const ShareInput = Schema.Struct({
  id: Id,
  personId: described("The person who may read the entry.", Id),
  workspaceId: WorkspaceId
})

/** An entry as it is stored, without the encrypted value and notes. */
export interface StoredEntry {
  readonly id: string
  readonly personId: string
  readonly name: string
  readonly category: string | null
  readonly tags: ReadonlyArray<string>
  readonly url: string | null
  readonly hasNotes: boolean
  readonly valueHash: Buffer
  readonly strengthBits: number
  readonly expiresAt: DateTime.Utc | null
  readonly version: number
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
  readonly rotatedAt: DateTime.Utc
}

/** An entry with its encrypted value and notes. */
export interface SealedEntry extends StoredEntry {
  readonly sealedValue: Buffer
  readonly sealedNotes: Buffer | null
}

export const toWire = ({ personId, strengthBits: _bits, valueHash: _hash, ...entry }: StoredEntry): VaultEntry => ({
  id: entry.id,
  userId: personId,
  name: entry.name,
  category: entry.category,
  tags: entry.tags,
  url: entry.url,
  hasNotes: entry.hasNotes,
  expiresAt: entry.expiresAt,
  version: entry.version,
  createdAt: entry.createdAt,
  updatedAt: entry.updatedAt,
  rotatedAt: entry.rotatedAt
})
