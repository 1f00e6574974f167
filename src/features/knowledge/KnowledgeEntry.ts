/** A knowledge entry: a value that a space stores under a name, the key of the entry (specification §2.4). */
import { Data, Schema } from "effect"
import {
  example,
  WorkspaceId,
  described,
  isStorable,
  Json,
  JsonInput,
  optionalOrNull,
  Timestamp,
  nullByDefault
} from "../../doors/Fields.ts"
import { pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { ExpectedVersion } from "../records/RecordType.ts"

/** The kind that an entry has in permissions: `entity.knowledge.<action>`. */
export const knowledgeKind = "knowledge"

/** The status that DELETE sets. Clients choose every other status. An entry with any other status is in use. */
export const archivedStatus = "archived"
export const activeStatus = "active"

const text = (min: number, max: number) =>
  Schema.String.pipe(
    Schema.filter((value) => isStorable(value) || "This text must not contain U+0000 or half a surrogate pair."),
    Schema.minLength(min),
    Schema.maxLength(max)
  )

/** The key of an entry. A request body contains the key unchanged, and a path contains it URI-encoded. */
export const KnowledgeKey = text(1, 512)
/**
 * Keys that no new entry can have, because the address of such an entry already belongs to another operation. Callers
 * can still list, replace and archive an older entry with such a key.
 */
export const reservedKeys: ReadonlySet<string> = new Set(["search"])
const Namespace = text(0, 255)
const Status = text(1, 64)
const Author = text(0, 255)

export const KnowledgeEntry = Schema.Struct({
  id: Id,
  key: described("Key of the entry, unique in the space.", Schema.String),
  value: described("Value: any JSON.", Json),
  namespace: described("Group of the entry; null means none.", Schema.NullOr(Schema.String)),
  slug: Schema.NullOr(Schema.String),
  status: Schema.String,
  workspaceId: Schema.NullOr(WorkspaceId),
  author: described(
    "Free text about the author; the event of the write has the id of the actual author.",
    Schema.NullOr(Schema.String)
  ),
  version: described("Version; each write adds one.", Schema.Number),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotations({ identifier: "KnowledgeEntry" })
export type KnowledgeEntry = typeof KnowledgeEntry.Type

/** A version of an entry: the entry after one write. */
export const KnowledgeVersion = Schema.Struct({
  version: described("Version, from 1. Each write adds one.", Schema.Number),
  value: described("Value: any JSON.", Json),
  namespace: described("Group of the entry; null means none.", Schema.NullOr(Schema.String)),
  slug: Schema.NullOr(Schema.String),
  status: Schema.String,
  author: described(
    "Free text about the author; `actorId` is the id of the actual author.",
    Schema.NullOr(Schema.String)
  ),
  actorId: described("Id of the person or agent that wrote the value, or whose proposal a person approved.", Id),
  eventId: described("Id of the event of the write; null for writes before the pod kept versions.", Schema.NullOr(Id)),
  at: Timestamp
}).annotations({ identifier: "KnowledgeVersion" })
export type KnowledgeVersion = typeof KnowledgeVersion.Type

export const VersionQuery = Schema.Struct({
  workspaceId: Schema.optional(WorkspaceId),
  ...pageQuery("knowledgeVersions", 50, 200, "workspaceId")
})
export type VersionQuery = typeof VersionQuery.Type

export const KnowledgeDraft = example(
  Schema.Struct({
    key: described("Key of the entry, unique in the space.", KnowledgeKey),
    value: described("Value: any JSON.", Schema.optionalWith(JsonInput, { default: () => "" })),
    namespace: described("Group of the entry; null means none.", nullByDefault(Namespace)),
    slug: nullByDefault(Namespace),
    status: Schema.optionalWith(Status, { default: () => activeStatus }),
    workspaceId: optionalOrNull(WorkspaceId),
    author: described("Free text about the author. Default: the id of the caller.", optionalOrNull(Author))
  }).annotations({ identifier: "KnowledgeDraft" }),
  { key: "deploy.branch", value: "main" }
)
export type KnowledgeDraft = typeof KnowledgeDraft.Type

const changeFields = {
  value: described("Value: any JSON.", JsonInput),
  namespace: described("Group of the entry; null means none.", Schema.NullOr(Namespace)),
  slug: Schema.NullOr(Namespace),
  status: Status
}
/**
 * The content of a change of an entry: all fields of a create, or the changed fields of an update. An update cannot
 * contain the key.
 */
export const KnowledgeContent = Schema.partialWith(
  Schema.Struct({
    key: described("Key of the entry, unique in the space.", KnowledgeKey),
    ...changeFields,
    author: described("Free text about the author.", Schema.NullOr(Author))
  }),
  { exact: true }
)
export type KnowledgeContent = typeof KnowledgeContent.Type

/** The body of PUT. It has neither namespace nor slug, because only a create sets these fields. */
export const KnowledgeReplacement = example(
  Schema.Struct({
    value: described(
      "Value of the entry. Default: the old value; for a new entry, the empty text.",
      Schema.optional(JsonInput)
    ),
    status: Schema.optionalWith(Status, { default: () => activeStatus }),
    author: described("Free text about the author.", optionalOrNull(Author)),
    workspaceId: optionalOrNull(WorkspaceId),
    expectedVersion: Schema.optional(ExpectedVersion)
  }).annotations({ identifier: "KnowledgeReplacement" }),
  { value: { branch: "main", reviewed: true } }
)
export type KnowledgeReplacement = typeof KnowledgeReplacement.Type

// the maximum number of rows on a page; the limit is low because values can be large
export const pageMax = 200
const pageDefault = 50

export const KnowledgeQuery = Schema.Struct({
  namespace: described("List only the entries with this namespace.", Schema.optional(Namespace)),
  status: described("Only entries with this status. Default: all except `archived`.", Schema.optional(Status)),
  workspaceId: Schema.optional(WorkspaceId),
  ...pageQuery("knowledge", pageDefault, pageMax, "workspaceId")
})
export type KnowledgeQuery = typeof KnowledgeQuery.Type

/** The failure if the space already has an entry with this key, archived or not. */
export class KnowledgeKeyTaken extends Data.TaggedError("KnowledgeKeyTaken")<{ readonly key: string }> {}
