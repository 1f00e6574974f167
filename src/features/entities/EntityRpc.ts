/** The procedures of entities. */
import { RpcGroup } from "@effect/rpc"
import { query } from "../../doors/Declare.ts"
import { pageOf } from "../../doors/Page.ts"
import { Entity, EntityInput } from "./Entity.ts"

export const EntityProcedures = RpcGroup.make(
  query("entities.getEntities", {
    input: EntityInput,
    success: pageOf(Entity),
    door: { scope: "hub-protocol.read", rows: "entity" },
    summary: "List the entities the caller may read, newest first."
  })
)
