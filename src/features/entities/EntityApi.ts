/** The Hub endpoints of entities. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read, write } from "../../doors/Declare.ts"
import { rows, writes } from "../../doors/Door.ts"
import { CallerId, idPath } from "../../doors/Fields.ts"
import { NotFound } from "../../doors/Failure.ts"
import { pageOf } from "../../doors/Page.ts"
import { Entity, EntityChange, EntityDraft, EntityQuery } from "./Entity.ts"
import { WrittenEntity } from "./EntityAnswers.ts"

export const EntityApi = HttpApiGroup.make("entities")
  .annotate(OpenApi.Description, "Everything that the pod knows about. Each entity has a kind: its profile.")
  .add(
    read("entities.list", {
      path: "/entities",
      query: EntityQuery,
      success: pageOf(Entity),
      door: rows("hub-protocol.read", "entity"),
      summary: "List the entities the caller may read, newest first; q searches their text (unrestricted keys only)."
    })
  )
  .add(
    read("entities.listOfUser", {
      path: "/users/:userId/entities",
      params: Schema.Struct({ userId: CallerId }),
      query: EntityQuery,
      success: pageOf(Entity),
      errors: [NotFound],
      door: rows("hub-protocol.read", "entity"),
      summary: "List the caller's entities. The userId in the path must be the caller's own."
    })
  )
  .add(
    read("entities.get", {
      path: "/entities/:id",
      params: idPath,
      success: Entity,
      errors: [NotFound],
      door: rows("hub-protocol.read", "entity"),
      summary: "Read one entity."
    })
  )
  .add(
    write("entities.create", {
      method: "POST",
      path: "/entities",
      payload: EntityDraft,
      success: WrittenEntity,
      door: writes("hub-protocol.write", "entity", ["create"]),
      summary:
        "Create an entity in a workspace, or in the caller's own space without a workspaceId. An existing person or company with the same address or handle is changed instead."
    })
  )
  .add(
    write("entities.update", {
      method: "PATCH",
      path: "/entities/:id",
      params: idPath,
      payload: EntityChange,
      success: WrittenEntity,
      door: writes("hub-protocol.write", "entity", ["update"]),
      summary: "Change an entity; properties are merged, and a version that is not the current one is a conflict."
    })
  )
  .add(
    write("entities.delete", {
      method: "DELETE",
      path: "/entities/:id",
      params: idPath,
      success: Schema.Struct({ status: Schema.Literal("deleted"), id: Schema.UUID, success: Schema.Boolean }),
      door: writes("hub-protocol.write", "entity", ["delete"]),
      summary: "Archive an entity; no caller can read it any more, and its history stays."
    })
  )
