/** The shapes of the graph: a node, a neighbour, the envelope of one object, and what an id or a name stands for. */
import { Schema } from "effect"
import { described, limitQuery, Timestamp, WorkspaceId } from "../../doors/Fields.ts"
import { RelationSlug } from "../relations/RelationDef.ts"

/** The kinds of objects that the graph shows. */
export const GraphKind = Schema.Literal(
  "entity",
  "document",
  "project",
  "view",
  "channel",
  "thread",
  "session",
  "automation",
  "command",
  "track",
  "artifact"
).annotations({ identifier: "GraphKind" })
export type GraphKind = typeof GraphKind.Type

const node = {
  kind: GraphKind,
  id: Schema.UUID,
  name: Schema.NullOr(Schema.String),
  subtype: described(
    "What sort of its kind: the profile of an entity, the type of a view.",
    Schema.NullOr(Schema.String)
  ),
  subtypes: described("The same with the roles that an entity plays besides.", Schema.Array(Schema.String)),
  workspaceId: Schema.NullOr(WorkspaceId)
}

export const GraphNode = Schema.Struct(node).annotations({ identifier: "GraphNode" })
export type GraphNode = typeof GraphNode.Type

export const Via = Schema.Literal("relations", "links", "property", "channel", "session")
export type Via = typeof Via.Type

export const Neighbor = Schema.Struct({
  ...node,
  edgeType: described(
    "What connects them: the type of a relation, the name of a property or of a reference.",
    Schema.String
  ),
  direction: described(
    "Out from the object, in to it, or structural: one is a part of the other.",
    Schema.Literal("outgoing", "incoming", "structural")
  ),
  via: described("Where the connection is kept.", Via)
}).annotations({ identifier: "GraphNeighbor" })
export type Neighbor = typeof Neighbor.Type

const Numbers = Schema.Record({ key: Schema.String, value: Schema.Number })

export const GraphEnvelope = Schema.Struct({
  object: described("The object itself; its fields are null where it is not found.", GraphNode),
  neighbors: described("What it is connected to, as far as the caller may read it.", Schema.Array(Neighbor)),
  counts: described(
    "The connections that the caller may read, also beyond the limit; of one sort of record at most 200.",
    Schema.Struct({
      total: Schema.Number,
      byKind: described("By the kind of the neighbour.", Numbers),
      byVia: described("By where the connection is kept.", Numbers)
    })
  ),
  found: described("False for a missing object and for one that the caller may not read.", Schema.Boolean),
  truncated: described("True when there are more neighbours than listed.", Schema.Boolean)
}).annotations({ identifier: "GraphEnvelope" })
export type GraphEnvelope = typeof GraphEnvelope.Type

export const EnvelopeQuery = Schema.Struct({ limit: limitQuery(50, 200) })

/** What ids can stand for (specification §2.11). */
export const ResolvedType = Schema.Literal(
  "agent",
  "automation",
  "capability",
  "channel",
  "document",
  "entity",
  "playbook",
  "project",
  "proposal",
  "run",
  "session",
  "skill",
  "tool",
  "view",
  "workspace",
  "unknown"
)
export type ResolvedType = typeof ResolvedType.Type

export const Resolved = Schema.Struct({
  type: ResolvedType,
  id: described("The id to open; it may differ from the one asked for.", Schema.String),
  displayName: Schema.NullOr(Schema.String),
  workspaceId: Schema.NullOr(WorkspaceId),
  updatedAt: Schema.NullOr(Timestamp),
  profileSlug: described("The kind of an entity.", Schema.NullOr(Schema.String)),
  openable: described("Whether `type` names something that a browser can open.", Schema.Boolean),
  params: described("What opening it needs besides.", Schema.Record({ key: Schema.String, value: Schema.String }))
}).annotations({ identifier: "Resolved" })
export type Resolved = typeof Resolved.Type

const nameMost = 500 // characters

export const NameQuery = Schema.Struct({
  kind: described("The kind of the object.", GraphKind),
  name: described(
    "Its whole name; case and spaces do not matter.",
    Schema.String.pipe(Schema.minLength(1), Schema.maxLength(nameMost))
  ),
  subtype: described(
    "Only of this sort, such as the profile of an entity.",
    Schema.optional(Schema.String.pipe(Schema.maxLength(64)))
  )
})
export type NameQuery = typeof NameQuery.Type

const { subtypes: _, ...named } = node

export const NameMatches = Schema.Struct({
  matches: described("The objects of this name, at most 50.", Schema.Array(Schema.Struct(named))),
  unique: described("Whether exactly one has this name.", Schema.Boolean)
}).annotations({ identifier: "NameMatches" })
export type NameMatches = typeof NameMatches.Type

export const depthMost = 3 // relations between the start and a row
export const depthDefault = 2

const types = Schema.transform(Schema.String.pipe(Schema.maxLength(2_000)), Schema.Array(RelationSlug), {
  strict: true,
  decode: (text) => text.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()])),
  encode: (slugs) => slugs.join(",")
})

export const TraverseQuery = Schema.Struct({
  startEntityId: described("The entity to start from.", Schema.UUID),
  maxDepth: Schema.optionalWith(
    Schema.NumberFromString.pipe(Schema.int(), Schema.greaterThanOrEqualTo(1)).annotations({
      jsonSchema: {
        description: `How many relations to follow; more than ${depthMost} means ${depthMost}.`,
        type: "integer",
        minimum: 1,
        default: depthDefault
      }
    }),
    { default: () => depthDefault }
  ),
  relationshipTypes: Schema.optional(
    types.annotations({
      jsonSchema: { type: "string", description: "Follow only relations of these types, separated by commas." }
    })
  ),
  limit: limitQuery(100, 300)
})
export type TraverseQuery = typeof TraverseQuery.Type

export const TraversedEntity = Schema.Struct({
  entityId: described("The entity that was reached.", Schema.UUID),
  depth: described("How many relations away.", Schema.Number),
  title: Schema.NullOr(Schema.String),
  entityType: described("Its kind: the slug of a profile.", Schema.NullOr(Schema.String)),
  workspaceId: Schema.NullOr(WorkspaceId),
  relationId: described("The relation by which it was reached.", Schema.UUID),
  relationType: described("The type of that relation.", Schema.String),
  direction: described(
    "Whether that relation was followed forwards or backwards.",
    Schema.Literal("outgoing", "incoming")
  ),
  via: described("The entities on the way, the start first.", Schema.Array(Schema.UUID)),
  truncated: described(
    "Only on the last row: true when the limit cut the walk.",
    Schema.optionalWith(Schema.Literal(true), { exact: true })
  )
}).annotations({ identifier: "TraversedEntity" })
export type TraversedEntity = typeof TraversedEntity.Type
