/** The MCP tools of entities. */
import { Schema } from "effect"
import { tool } from "../../doors/Declare.ts"
import { Entity, EntityInput } from "./Entity.ts"

/** `lean` cuts long texts and leaves nulls out: an agent's context is dear. */
const LeanEntity = Schema.partialWith(Entity, { exact: true }).annotations({ identifier: "LeanEntity" })

export const EntityTools = [
  tool("svc_get_entities", {
    title: "Get entities",
    input: Schema.extend(
      EntityInput,
      Schema.Struct({
        detail: Schema.optionalWith(Schema.Literal("lean", "full"), { default: () => "lean" as const })
      })
    ),
    success: Schema.Struct({ entities: Schema.Array(LeanEntity) }),
    door: { scope: "mcp.read", rows: "entity" },
    summary:
      "List entities (notes, knowledge, people, companies, tasks …) that you may read, newest first. Narrow with profileSlug, workspaceId or projectId; detail full gives whole texts."
  })
] as const
