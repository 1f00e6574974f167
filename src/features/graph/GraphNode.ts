/**
 * The schemas of the graph: a node (an object of the graph), a neighbour, the envelope (an object with its neighbours
 * and their number), and the object that has a given id or name.
 */
import { Schema } from "effect"
import { commaList, described, Timestamp, WorkspaceId } from "../../doors/Fields.ts"
import { limitQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
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
  "skill",
  "track",
  "artifact"
).annotations({ identifier: "GraphKind" })
export type GraphKind = typeof GraphKind.Type

const node = {
  kind: GraphKind,
  id: Id,
  name: Schema.NullOr(Schema.String),
  subtype: described(
    "Subtype of the object, such as the profile of an entity or the type of a view.",
    Schema.NullOr(Schema.String)
  ),
  subtypes: described("Subtype and, for an entity, the roles that the entity plays.", Schema.Array(Schema.String)),
  workspaceId: Schema.NullOr(WorkspaceId)
}

export const GraphNode = Schema.Struct(node).annotations({ identifier: "GraphNode" })
export type GraphNode = typeof GraphNode.Type

export const Via = Schema.Literal("relations", "links", "property", "channel", "session")
export type Via = typeof Via.Type

export const Neighbor = Schema.Struct({
  ...node,
  edgeType: described(
    "What connects the two objects: the type of a relation, or the name of a property or reference.",
    Schema.String
  ),
  direction: described(
    "Direction of the connection, seen from `object`. `structural`: one of the two objects is a part of the other.",
    Schema.Literal("outgoing", "incoming", "structural")
  ),
  via: described("How the objects are connected, for example by a relation or a property.", Via)
}).annotations({ identifier: "GraphNeighbor" })
export type Neighbor = typeof Neighbor.Type

const Numbers = Schema.Record({ key: Schema.String, value: Schema.Number })

export const GraphEnvelope = Schema.Struct({
  object: described("The object. If it was not found, only `kind` and `id` are set.", GraphNode),
  neighbors: described("Connected objects that the caller may read.", Schema.Array(Neighbor)),
  counts: described(
    "How many connections the caller may read, listed or not. The pod counts at most 200 of each record type, and 10,000 relations in each direction.",
    Schema.Struct({
      total: Schema.Number,
      byKind: described("Number of connections for each type of neighbour.", Numbers),
      byVia: described("Number of connections for each value of the field `via` in `neighbors`.", Numbers)
    })
  ),
  found: described("False if the object is missing or the caller may not read it.", Schema.Boolean),
  truncated: described("True if the object has more neighbours than `neighbors` lists.", Schema.Boolean)
}).annotations({ identifier: "GraphEnvelope" })
export type GraphEnvelope = typeof GraphEnvelope.Type

export const EnvelopeQuery = Schema.Struct({ limit: limitQuery(50, 200) })

/** The types of object to which an id can belong (specification §2.11). */
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
).annotations({ identifier: "ResolvedType" })
export type ResolvedType = typeof ResolvedType.Type

export const ResolveResult = Schema.Struct({
  type: ResolvedType,
  id: described("Id of the object to open. It can differ from the id in the request.", Schema.String),
  displayName: Schema.NullOr(Schema.String),
  workspaceId: Schema.NullOr(WorkspaceId),
  updatedAt: Schema.NullOr(Timestamp),
  profileSlug: described("Entity kind (profile slug).", Schema.NullOr(Schema.String)),
  openable: described("Whether a client can open an object of this type.", Schema.Boolean),
  params: described(
    "Further parameters for opening the object.",
    Schema.Record({ key: Schema.String, value: Schema.String })
  )
}).annotations({ identifier: "Resolved" })
export type ResolveResult = typeof ResolveResult.Type

const titlesMax = 100 // the maximum number of ids in a request for titles, because one page has at most as many rows

export const TitleQuery = Schema.Struct({
  ids: described("Ids of objects of any type.", Schema.Array(Id).pipe(Schema.minItems(1), Schema.maxItems(titlesMax)))
}).annotations({ identifier: "TitleQuery" })

export const ObjectTitle = Schema.Struct({
  id: described("Id of the object, as in the request.", Id),
  type: ResolvedType,
  displayName: Schema.NullOr(Schema.String),
  workspaceId: Schema.NullOr(WorkspaceId)
}).annotations({ identifier: "ObjectTitle" })
export type ObjectTitle = typeof ObjectTitle.Type

const nameMax = 500 // the maximum number of characters of a name in a query

/**
 * The types of objects that a caller can find by name: the kinds of the graph, and types that the graph does not show.
 */
const NamedKind = Schema.Union(GraphKind, Schema.Literal("workspace", "agent")).annotations({ identifier: "NamedKind" })

export const NameQuery = Schema.Struct({
  kind: described("Type of the object.", NamedKind),
  name: described(
    "Whole name of the object; case and spaces do not matter.",
    Schema.String.pipe(Schema.minLength(1), Schema.maxLength(nameMax))
  ),
  subtype: described(
    "Subtype, such as the profile of an entity: only objects of this subtype are found.",
    Schema.optional(Schema.String.pipe(Schema.maxLength(64)))
  )
})
export type NameQuery = typeof NameQuery.Type

const { subtypes: _, ...named } = { ...node, kind: NamedKind }

export const NameMatches = Schema.Struct({
  matches: described("Objects with this name, newest first, at most 50.", Schema.Array(Schema.Struct(named))),
  unique: described("Whether exactly one object has this name.", Schema.Boolean)
}).annotations({ identifier: "NameMatches" })
export type NameMatches = typeof NameMatches.Type

// the maximum number of relations between the start of a traversal and an entity that it finds
export const depthMax = 3
export const depthDefault = 2

const types = commaList(Schema.Array(RelationSlug), 2_000)

export const TraverseQuery = Schema.Struct({
  startEntityId: described("Id of the entity to start from.", Id),
  maxDepth: Schema.optionalWith(
    Schema.NumberFromString.pipe(Schema.int(), Schema.greaterThanOrEqualTo(1)).annotations({
      jsonSchema: {
        description: `Largest distance from the first entity, in relations; the pod uses at most ${depthMax}.`,
        type: "integer",
        minimum: 1,
        default: depthDefault
      }
    }),
    { default: () => depthDefault }
  ),
  relationshipTypes: Schema.optional(
    types.annotations({
      jsonSchema: { type: "string", description: "Relation types to follow, separated by commas." }
    })
  ),
  limit: limitQuery(100, 300)
})
export type TraverseQuery = typeof TraverseQuery.Type

export const TraversedEntity = Schema.Struct({
  entityId: Id,
  depth: described("Number of relations from the start to the entity.", Schema.Number),
  title: Schema.NullOr(Schema.String),
  entityType: described("Entity kind (profile slug).", Schema.NullOr(Schema.String)),
  workspaceId: Schema.NullOr(WorkspaceId),
  relationId: described("Id of the relation by which the search reached the entity.", Id),
  relationType: described("Type of the relation by which the search reached the entity.", Schema.String),
  direction: described(
    "Whether the search followed the relation forwards or backwards.",
    Schema.Literal("outgoing", "incoming")
  ),
  via: described("Ids of the entities on the path, the start first.", Schema.Array(Id)),
  truncated: described(
    "Present only in the last row: true if the list leaves out entities because of the limit.",
    Schema.optionalWith(Schema.Literal(true), { exact: true })
  )
}).annotations({ identifier: "TraversedEntity" })
export type TraversedEntity = typeof TraversedEntity.Type
