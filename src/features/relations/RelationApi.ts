/** The Hub endpoints of relations and of the definitions of their types. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read, write } from "../../doors/DeclareRest.ts"
import { fullGrantInSpaces, rows, writes } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { idPath, DeleteResponse } from "../../doors/Fields.ts"
import { pageOf } from "../../doors/Page.ts"
import { ConnectionQuery, Connections, Relation, RelationDraft, RelationQuery } from "./Relation.ts"
import { RelationDef, RelationDefChange, RelationDefDraft, RelationDefQuery } from "./RelationDef.ts"

const readDoor = rows("hub-protocol.read", "relation")

export const RelationApi = HttpApiGroup.make("relations")
  .annotate(
    OpenApi.Description,
    "Relations between entities. A caller sees a relation only if the caller may read both its entities."
  )
  .add(
    read("relations.list", {
      path: "/relations",
      query: RelationQuery,
      success: pageOf(Relation.schema),
      door: readDoor,
      summary: "List the relations between entities that the caller may read, newest first."
    })
  )
  .add(
    read("relations.connections", {
      path: "/entities/:id/connections",
      params: idPath,
      query: ConnectionQuery,
      success: Connections,
      errors: [NotFound],
      door: readDoor,
      summary: "List the connections of an entity, with the number of connections of each type."
    })
  )
  .add(
    write("relations.create", {
      method: "POST",
      path: "/relations",
      payload: RelationDraft,
      success: Relation.schema,
      door: writes("hub-protocol.write", "relation", ["create"]),
      summary: "Link two entities of one space. If the same link exists, the answer is the existing relation."
    })
  )
  .add(
    write("relations.delete", {
      method: "DELETE",
      path: "/relations/:id",
      params: idPath,
      success: DeleteResponse,
      door: writes("hub-protocol.write", "relation", ["delete"]),
      summary: "Remove a relation; the two entities stay."
    })
  )

export const RelationDefApi = HttpApiGroup.make("relationDefs")
  .annotate(OpenApi.Description, "Relation types: what they mean, and which entity kinds they connect.")
  .annotate(OpenApi.Override, { "x-displayName": "Relation definitions" })
  .add(
    read("relationDefs.list", {
      path: "/relation-defs",
      query: RelationDefQuery,
      success: pageOf(RelationDef.schema),
      door: fullGrantInSpaces("hub-protocol.read"),
      summary: "List the relation types that are defined in the spaces of the caller, newest first."
    })
  )
  .add(
    write("relationDefs.create", {
      method: "POST",
      path: "/relation-defs",
      payload: RelationDefDraft,
      success: RelationDef.schema,
      door: writes("hub-protocol.write", "relation_def", ["create"]),
      summary: "Define a relation type: its meaning and the entity kinds that it may connect."
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
      summary: "Change the definition of a relation type; existing relations stay."
    })
  )
  .add(
    write("relationDefs.delete", {
      method: "DELETE",
      path: "/relation-defs/:id",
      params: idPath,
      success: DeleteResponse,
      door: writes("hub-protocol.write", "relation_def", ["delete"]),
      summary: "Remove the definition of a relation type; relations of the type stay."
    })
  )
