/** A relation: an edge from one entity to another, of some type, in the space that both live in. */
import { Data, Schema } from "effect"
import {
  described,
  WorkspaceId,
  JsonObject,
  JsonObjectInput,
  limitQuery,
  pageInput,
  pageQuery,
  Timestamp
} from "../../doors/Fields.ts"
import { updateDetails, recordType } from "../records/RecordType.ts"
import { RelationSlug } from "./RelationDef.ts"

export const Relation = recordType("relation", {
  identifier: "Relation",
  subject: "relation",
  table: "relations",
  order: "created",
  title: ({ type }) => type ?? "",
  fields: {
    sourceEntityId: described("The end it starts from.", Schema.UUID),
    targetEntityId: described("The end it leads to; for `belongs_to_project` it is a project.", Schema.UUID),
    type: Schema.String,
    metadata: described("Free data of the client.", JsonObject)
  }
})
export type Relation = typeof Relation.schema.Type

/** What a change of a relation names: all of it for a new one. */
export const RelationContent = Schema.Struct({
  sourceEntityId: described("The end it starts from.", Schema.UUID),
  targetEntityId: described("The end it leads to.", Schema.UUID),
  type: RelationSlug,
  metadata: described("Free data of the client.", Schema.optionalWith(JsonObjectInput, { default: () => ({}) }))
})
export type RelationContent = typeof RelationContent.Type

export const RelationDraft = Schema.Struct({
  userId: described("Must be the caller; any other id is refused.", Schema.optional(Schema.NullOr(Schema.String))),
  agentUserId: Schema.optional(Schema.NullOr(Schema.String)),
  workspaceId: described(
    "Left out: the space of the source. `null`: the caller's own.",
    Schema.optional(Schema.NullOr(Schema.UUID))
  ),
  ...RelationContent.fields,
  sourceMessageId: described("Kept in the metadata.", Schema.optional(Schema.String.pipe(Schema.maxLength(200)))),
  reasoning: updateDetails.reasoning,
  sessionId: updateDetails.sessionId
}).annotations({ identifier: "RelationDraft" })
export type RelationDraft = typeof RelationDraft.Type

const filters = {
  entityId: described("Either end.", Schema.optional(Schema.UUID)),
  type: Schema.optional(RelationSlug)
}
const inWorkspace = { ...filters, workspaceId: Schema.optional(WorkspaceId) }

export const RelationQuery = Schema.Struct({
  userId: described(
    "Ignored, for older clients: the credential identifies the caller.",
    Schema.optional(Schema.String)
  ),
  ...inWorkspace,
  ...pageQuery(50, 200)
})
export const RelationInput = Schema.Struct({ ...inWorkspace, ...pageInput(50, 200) })
export const PodWideInput = Schema.Struct({ ...filters, ...pageInput(50, 200) })

export const ConnectionQuery = Schema.Struct({ limit: limitQuery(50, 200) })

export const Connection = Schema.Struct({
  relationId: described("The relation, by id.", Schema.UUID),
  entityId: described("The entity at the other end.", Schema.UUID),
  relationType: described("What it means.", Schema.String),
  label: described("What the edge is called, seen from here.", Schema.String),
  direction: described("Out from the entity, or in to it.", Schema.Literal("outgoing", "incoming")),
  entity: described(
    "The entity at the other end.",
    Schema.Struct({
      id: Schema.UUID,
      title: Schema.String,
      profileSlug: described("Its kind: the slug of a profile.", Schema.String),
      preview: described("A short form of its text.", Schema.NullOr(Schema.String)),
      workspaceId: Schema.NullOr(WorkspaceId),
      updatedAt: Timestamp
    })
  )
}).annotations({ identifier: "Connection" })
export type Connection = typeof Connection.Type

export const Connections = Schema.Struct({
  connections: described("What it is connected to.", Schema.Array(Connection)),
  counts: described(
    "The number of all connections that the caller may read, also beyond the limit.",
    Schema.Struct({
      total: Schema.Number,
      byType: described("How many of each type.", Schema.Record({ key: Schema.String, value: Schema.Number }))
    })
  )
}).annotations({ identifier: "Connections" })
export type Connections = typeof Connections.Type

/** The caller finds no such relation: it is missing, out of reach, or has an end that they may not read. */
export class RelationNotFound extends Data.TaggedError("RelationNotFound")<{ readonly id: string }> {}
