/** A relation: an edge of some type from one entity to another, in the space of both entities. */
import { Data, Schema } from "effect"
import {
  described,
  WorkspaceId,
  CallerId,
  IgnoredUserId,
  ClientData,
  ClientDataInput,
  optionalOrNull,
  SourceMessageId,
  Timestamp
} from "../../doors/Fields.ts"
import { limitQuery, pageInput, pageQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { writable } from "../records/RecordFields.ts"
import { inputOf } from "../records/RecordInputs.ts"
import { createDetails, recordType } from "../records/RecordType.ts"
import { RelationSlug } from "./RelationDef.ts"

export const Relation = recordType("relation", {
  identifier: "Relation",
  subject: "relation",
  table: "relations",
  unique: { fields: ["sourceEntityId", "targetEntityId", "type"] },
  order: "created",
  title: ({ type }) => type ?? "",
  fields: {
    sourceEntityId: writable(Id, { meaning: "Id of the entity that the relation starts from." }),
    targetEntityId: writable(Id, {
      meaning: "Id of the entity that the relation leads to; for `belongs_to_project`, of the project."
    }),
    type: writable(Schema.String, { input: RelationSlug }),
    metadata: writable(ClientData, { input: ClientDataInput, default: {} })
  }
})
export type Relation = typeof Relation.schema.Type

/** The content of a change of a relation. For a new relation, the content has all fields. */
export const RelationContent = Schema.Struct(Relation.draft)
export type RelationContent = typeof RelationContent.Type

export const RelationDraft = inputOf(
  "RelationDraft",
  {
    userId: optionalOrNull(CallerId),
    agentUserId: described("Id of the calling agent; any other id is refused.", optionalOrNull(Schema.String)),
    workspaceId: described(
      "Workspace of the relation; null means the personal space. Default: the space of the source entity.",
      optionalOrNull(Id)
    ),
    ...Relation.draft,
    sourceMessageId: SourceMessageId,
    ...createDetails
  },
  {
    sourceEntityId: "0190a5e2-7b1c-7c3d-8e4f-5a6b7c8d9e0f",
    targetEntityId: "0190a5e2-7b1c-7c3d-8e4f-5a6b7c8d9e10",
    type: "relates_to"
  }
)
export type RelationDraft = typeof RelationDraft.Type

const filters = {
  entityId: described("Id of an entity at either end of the relation.", Schema.optional(Id)),
  type: Schema.optional(RelationSlug)
}
const inWorkspace = { ...filters, workspaceId: Schema.optional(WorkspaceId) }

export const RelationQuery = Schema.Struct({
  userId: Schema.optional(IgnoredUserId),
  ...inWorkspace,
  ...pageQuery("relations", 50, 200)
})
export const RelationInput = Schema.Struct({ ...inWorkspace, ...pageInput("relations", 50, 200) })
export const PodWideInput = Schema.Struct({ ...filters, ...pageInput("relations", 50, 200) })

export const ConnectionQuery = Schema.Struct({ limit: limitQuery(50, 200) })

export const Connection = Schema.Struct({
  relationId: Id,
  entityId: described("Id of the entity at the other end of the relation.", Id),
  relationType: Schema.String,
  label: described("Label of the relation, seen from the requested entity.", Schema.String),
  direction: described(
    "Direction of the relation, seen from the requested entity.",
    Schema.Literal("outgoing", "incoming")
  ),
  entity: described(
    "Entity at the other end of the relation.",
    Schema.Struct({
      id: Id,
      title: Schema.String,
      profileSlug: described("Entity kind (profile slug).", Schema.String),
      preview: described("Short form of the text.", Schema.NullOr(Schema.String)),
      workspaceId: Schema.NullOr(WorkspaceId),
      updatedAt: Timestamp
    })
  )
}).annotations({ identifier: "Connection" })
export type Connection = typeof Connection.Type

export const Connections = Schema.Struct({
  connections: Schema.Array(Connection),
  counts: described(
    "How many connections the caller may read, listed or not. The pod stops counting at 10,000 in each direction.",
    Schema.Struct({
      total: Schema.Number,
      byType: described(
        "Number of connections of each type.",
        Schema.Record({ key: Schema.String, value: Schema.Number })
      )
    })
  )
}).annotations({ identifier: "Connections" })
export type Connections = typeof Connections.Type

/**
 * The failure if the relation is missing, the caller cannot access it, or the caller may not read one of the entities
 * at its ends.
 */
export class RelationNotFound extends Data.TaggedError("RelationNotFound")<{ readonly id: string }> {}
