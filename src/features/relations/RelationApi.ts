/** What the Hub opens of relations and of what their types mean. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read, write } from "../../doors/Declare.ts"
import { fullGrant, rows, writes } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { idPath, DeleteResponse } from "../../doors/Fields.ts"
import { pageOf } from "../../doors/Page.ts"
import { ConnectionQuery, Connections, Relation, RelationDraft, RelationQuery } from "./Relation.ts"
import { RelationDef, RelationDefChange, RelationDefDraft, RelationDefQuery } from "./RelationDef.ts"

const reading = rows("hub-protocol.read", "relation")

export const RelationApi = HttpApiGroup.make("relations")
  .annotate(OpenApi.Description, "How entities are connected; only relations whose two ends the caller may read.")
  .add(
    read("relations.list", {
      path: "/relations",
      query: RelationQuery,
      success: pageOf(Relation.schema),
      door: reading,
      summary: "List the relations between entities the caller may read, the newest first."
    })
  )
  .add(
    read("relations.connections", {
      path: "/entities/:id/connections",
      params: idPath,
      query: ConnectionQuery,
      success: Connections,
      errors: [NotFound],
      door: reading,
      summary: "List the connections of an entity, with counts by type."
    })
  )
  .add(
    write("relations.create", {
      method: "POST",
      path: "/relations",
      payload: RelationDraft,
      success: Relation.schema,
      door: writes("hub-protocol.write", "relation", ["create"]),
      summary: "Link two entities of one space. Repeating the same link returns the existing one."
    })
  )
  .add(
    write("relations.delete", {
      method: "DELETE",
      path: "/relations/:id",
      params: idPath,
      success: DeleteResponse,
      door: writes("hub-protocol.write", "relation", ["delete"]),
      summary: "Remove a relation; its entities stay."
    })
  )

export const RelationDefApi = HttpApiGroup.make("relationDefs")
  .annotate(OpenApi.Description, "What types of relations mean, and which kinds they connect.")
  .annotate(OpenApi.Override, { "x-displayName": "Relation definitions" })
  .add(
    read("relationDefs.list", {
      path: "/relation-defs",
      query: RelationDefQuery,
      success: pageOf(RelationDef.schema),
      door: fullGrant("hub-protocol.read"),
      summary: "List the types of relations that are defined in the caller's spaces, newest first."
    })
  )
  .add(
    write("relationDefs.create", {
      method: "POST",
      path: "/relation-defs",
      payload: RelationDefDraft,
      success: RelationDef.schema,
      door: writes("hub-protocol.write", "relation_def", ["create"]),
      summary: "Define what a type of relation means, and which kinds of entity it may connect."
    })
  )
  .add(
    write("relationDefs.update", {
      method: "PATCH",
      path: "/relation-defs/:id",
      params: idPath,
      payload: RelationDefChange,
      success: RelationDef.schema,
      door: writes("hub-protocol.write", "relation_def", ["update"]),
      summary: "Change what a type of relation means; existing relations stay."
    })
  )
  .add(
    write("relationDefs.delete", {
      method: "DELETE",
      path: "/relation-defs/:id",
      params: idPath,
      success: DeleteResponse,
      door: writes("hub-protocol.write", "relation_def", ["delete"]),
      summary: "Remove the definition of a type; relations of that type stay."
    })
  )
