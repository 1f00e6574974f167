/** A knowledge entry: a value that a space keeps under a key (specification §2.4). */
import { Data, Schema } from "effect"
import {
  isStorable,
  Json,
  JsonInput,
  limitQuery,
  offsetQuery,
  optionalOrNull,
  pageQuery,
  Timestamp
} from "../../doors/Fields.ts"

/** The kind an entry has in permissions: `entity.knowledge.<action>`. */
export const knowledgeKind = "knowledge"

/** What DELETE sets. Any other status is the client's own word for an entry that is in use. */
export const archived = "archived"
export const active = "active"

const text = (least: number, most: number) =>
  Schema.String.pipe(
    Schema.filter((given) => isStorable(given) || "Text may hold neither U+0000 nor half a surrogate pair."),
    Schema.minLength(least),
    Schema.maxLength(most)
  )

/** The key as it travels in bodies and, URI-decoded, in paths. */
export const KnowledgeKey = text(1, 512)
const Namespace = text(0, 255)
const Status = text(1, 64)
const Author = text(0, 255)

export const KnowledgeEntry = Schema.Struct({
  id: Schema.UUID,
  key: Schema.String,
  value: Json,
  namespace: Schema.NullOr(Schema.String),
  slug: Schema.NullOr(Schema.String),
  status: Schema.String,
  /** `null`: in the person's own space. */
  workspaceId: Schema.NullOr(Schema.UUID),
  /** A free label; who really wrote is in the event. */
  author: Schema.NullOr(Schema.String),
  /** Rises by one with every write. */
  version: Schema.Number,
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotations({ identifier: "KnowledgeEntry" })
export type KnowledgeEntry = typeof KnowledgeEntry.Type

/** An entry as one write left it. */
export const KnowledgeVersion = Schema.Struct({
  version: Schema.Number,
  value: Json,
  namespace: Schema.NullOr(Schema.String),
  slug: Schema.NullOr(Schema.String),
  status: Schema.String,
  author: Schema.NullOr(Schema.String),
  /** Who really wrote it: the agent, also where a person approved what it had proposed. */
  actorId: Schema.UUID,
  /** The event that tells of the write; null where it was made before versions were kept. */
  eventId: Schema.NullOr(Schema.UUID),
  at: Timestamp
}).annotations({ identifier: "KnowledgeVersion" })
export type KnowledgeVersion = typeof KnowledgeVersion.Type

export const VersionQuery = Schema.Struct({ workspaceId: Schema.optional(Schema.UUID), ...pageQuery(50, 200) })
export type VersionQuery = typeof VersionQuery.Type

const orNull = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(Schema.NullOr(schema), { default: () => null })

export const KnowledgeDraft = Schema.Struct({
  key: KnowledgeKey,
  value: Schema.optionalWith(JsonInput, { default: () => "" }),
  namespace: orNull(Namespace),
  slug: orNull(Namespace),
  status: Schema.optionalWith(Status, { default: () => active }),
  workspaceId: optionalOrNull(Schema.UUID),
  /** Left out or null: the acting user's id. */
  author: optionalOrNull(Author)
}).annotations({ identifier: "KnowledgeDraft" })
export type KnowledgeDraft = typeof KnowledgeDraft.Type

/** What a change says of an entry: all of a create, of an update what changes. The key of an entry stays. */
const changing = {
  value: JsonInput,
  namespace: Schema.NullOr(Namespace),
  slug: Schema.NullOr(Namespace),
  status: Status
}
export const KnowledgeContent = Schema.partialWith(
  Schema.Struct({ key: KnowledgeKey, ...changing, author: Schema.NullOr(Author) }),
  { exact: true }
)
export type KnowledgeContent = typeof KnowledgeContent.Type

/** The body of PUT. Namespace and slug are set at creation and stay. */
export const KnowledgeReplacement = Schema.Struct({
  /** Left out: the value that is there stays; a new entry gets the empty text. */
  value: Schema.optional(JsonInput),
  status: Schema.optionalWith(Status, { default: () => active }),
  author: optionalOrNull(Author),
  workspaceId: optionalOrNull(Schema.UUID)
}).annotations({ identifier: "KnowledgeReplacement" })
export type KnowledgeReplacement = typeof KnowledgeReplacement.Type

export const pageMost = 200 // rows: values are free in size, so a page stays short
const pageDefault = 50

export const KnowledgeQuery = Schema.Struct({
  namespace: Schema.optional(Namespace),
  /** Left out: every entry that is not archived. */
  status: Schema.optional(Status),
  workspaceId: Schema.optional(Schema.UUID),
  limit: limitQuery(pageDefault, pageMost),
  offset: offsetQuery
})
export type KnowledgeQuery = typeof KnowledgeQuery.Type

/** The space keeps an entry under this key already, and it is not archived. */
export class KnowledgeKeyTaken extends Data.TaggedError("KnowledgeKeyTaken")<{ readonly key: string }> {}
