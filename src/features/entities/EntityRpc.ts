/** The procedures of entities. */
import { RpcGroup } from "@effect/rpc"
import { query } from "../../doors/DeclareProcedure.ts"
import { rows } from "../../doors/Door.ts"
import { pageOf } from "../../doors/Page.ts"
import { Entity, EntityInput } from "./Entity.ts"

export const EntityProcedures = RpcGroup.make(
  query("entities.getEntities", {
    input: EntityInput,
    success: pageOf(Entity),
    door: rows("hub-protocol.read", "entity"),
    summary: "List the entities that the caller may read, newest first."
  })
)
