/** A relation: an edge from one entity to another, of some type, in the space that both live in. */
import { Data, Schema } from "effect"
import { JsonObject, JsonObjectInput, limitQuery, pageInput, pageQuery, Timestamp } from "../../doors/Fields.ts"
import { circumstances, recordType } from "../records/RecordType.ts"
import { RelationSlug } from "./RelationDef.ts"

export const Relation = recordType("relation", {
  identifier: "Relation",
  subject: "relation",
  table: "relations",
  order: "created",
  title: ({ type }) => type ?? "",
  fields: {
    sourceEntityId: Schema.UUID,
    /** A project where the type is `belongs_to_project`. */
    targetEntityId: Schema.UUID,
    type: Schema.String,
    metadata: JsonObject
  }
})
export type Relation = typeof Relation.schema.Type

/** What a change of a relation names: all of it for a new one. */
export const RelationContent = Schema.Struct({
  sourceEntityId: Schema.UUID,
  targetEntityId: Schema.UUID,
  type: RelationSlug,
  metadata: Schema.optionalWith(JsonObjectInput, { default: () => ({}) })
})
export type RelationContent = typeof RelationContent.Type

export const RelationDraft = Schema.Struct({
  /** May name the caller only; anybody else is refused. */
  userId: Schema.optional(Schema.NullOr(Schema.String)),
  agentUserId: Schema.optional(Schema.NullOr(Schema.String)),
  /** Left out: the space of the source. `null`: the caller's own. */
  workspaceId: Schema.optional(Schema.NullOr(Schema.UUID)),
  ...RelationContent.fields,
  /** Kept in the metadata. */
  sourceMessageId: Schema.optional(Schema.String.pipe(Schema.maxLength(200))),
  reasoning: circumstances.reasoning,
  sessionId: circumstances.sessionId
}).annotations({ identifier: "RelationDraft" })
export type RelationDraft = typeof RelationDraft.Type

const filters = {
  /** Either end. */
  entityId: Schema.optional(Schema.UUID),
  type: Schema.optional(RelationSlug)
}
const inWorkspace = { ...filters, workspaceId: Schema.optional(Schema.UUID) }

export const RelationQuery = Schema.Struct({
  /** Taken for older clients: the credential says who asks. */
  userId: Schema.optional(Schema.String),
  ...inWorkspace,
  ...pageQuery(50, 200)
})
export const RelationInput = Schema.Struct({ ...inWorkspace, ...pageInput(50, 200) })
export const PodWideInput = Schema.Struct({ ...filters, ...pageInput(50, 200) })

export const ConnectionQuery = Schema.Struct({ limit: limitQuery(50, 200) })

export const Connection = Schema.Struct({
  relationId: Schema.UUID,
  /** The entity at the other end. */
  entityId: Schema.UUID,
  relationType: Schema.String,
  /** What the edge is called, seen from here. */
  label: Schema.String,
  direction: Schema.Literal("outgoing", "incoming"),
  entity: Schema.Struct({
    id: Schema.UUID,
    title: Schema.String,
    profileSlug: Schema.String,
    preview: Schema.NullOr(Schema.String),
    workspaceId: Schema.NullOr(Schema.UUID),
    updatedAt: Timestamp
  })
}).annotations({ identifier: "Connection" })
export type Connection = typeof Connection.Type

export const Connections = Schema.Struct({
  connections: Schema.Array(Connection),
  /** Of all that the caller may read, also beyond the limit. */
  counts: Schema.Struct({ total: Schema.Number, byType: Schema.Record({ key: Schema.String, value: Schema.Number }) })
}).annotations({ identifier: "Connections" })
export type Connections = typeof Connections.Type

/** There is no such relation for this caller: missing, out of reach, and one whose ends they may not read. */
export class RelationNotFound extends Data.TaggedError("RelationNotFound")<{ readonly id: string }> {}
