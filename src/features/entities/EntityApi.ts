/** The Hub endpoints of entities. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read, write } from "../../doors/DeclareRest.ts"
import { rows, writes } from "../../doors/Door.ts"
import { idPath, IgnoredUserId } from "../../doors/Fields.ts"
import { GrantDoorUnsupported, NotFound } from "../../doors/Failure.ts"
import { Id } from "../../doors/Id.ts"
import { pageOf } from "../../doors/Page.ts"
import { Entity, EntityChange, EntityDraft, EntityQuery } from "./Entity.ts"
import { WrittenEntity } from "./EntityAnswers.ts"

export const EntityApi = HttpApiGroup.make("entities")
  .annotate(OpenApi.Description, "Entities: the things that the pod knows about. Each entity has a kind (its profile).")
  .add(
    read("entities.list", {
      path: "/entities",
      query: EntityQuery,
      success: pageOf(Entity),
      errors: [GrantDoorUnsupported],
      door: rows("hub-protocol.read", "entity"),
      summary:
        "List the entities that the caller may read, newest first. With `q`, list only entities whose text contains the words in `q`; a key then needs the grant `*`."
    })
  )
  .add(
    read("entities.listOfUser", {
      path: "/users/:userId/entities",
      params: Schema.Struct({ userId: IgnoredUserId }),
      query: EntityQuery,
      success: pageOf(Entity),
      errors: [NotFound, GrantDoorUnsupported],
      door: rows("hub-protocol.read", "entity"),
      summary: "List the entities that the caller may read. The pod ignores the `userId` in the path."
    })
  )
  .add(
    read("entities.get", {
      path: "/entities/:id",
      params: idPath,
      success: Entity,
      errors: [NotFound],
      door: rows("hub-protocol.read", "entity"),
      showsProbes: true,
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
        "Create an entity; without `workspaceId`, in the personal space. If a person or company has the same identity signal (such as e-mail), the pod changes that entity instead."
    })
  )
  .add(
    write("entities.upsert", {
      method: "POST",
      path: "/entities/upsert",
      payload: EntityDraft,
      success: WrittenEntity,
      door: writes("hub-protocol.write", "entity", ["create"]),
      summary:
        "Change the entity that has the same kind and the same identity signal (such as e-mail), or create a new entity. If only the name is the same, the answer is 409."
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
      summary:
        "Change an entity; properties that you leave out keep their values. If `version` is not the current version, the answer is 409."
    })
  )
  .add(
    write("entities.delete", {
      method: "DELETE",
      path: "/entities/:id",
      params: idPath,
      success: Schema.Struct({ status: Schema.Literal("deleted"), id: Id, success: Schema.Boolean }),
      door: writes("hub-protocol.write", "entity", ["delete"]),
      summary: "Archive an entity: nobody can read it any more, but the pod keeps its history."
    })
  )
