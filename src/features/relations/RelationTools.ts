/** The MCP tools of relations. */
import { Schema } from "effect"
import { tool } from "../../doors/Declare.ts"
import { rows, writes } from "../../doors/Door.ts"
import { continuing } from "../../doors/Page.ts"
import { circumstances } from "../records/RecordType.ts"
import { Relation, RelationInput } from "./Relation.ts"
import { RelationSlug } from "./RelationDef.ts"
import { WorkspaceId, described } from "../../doors/Fields.ts"

const { type: _, entityId: __, ...paging } = RelationInput.fields

export const RelationTools = [
  tool("svc_get_relations", {
    title: "Get relations",
    input: Schema.Struct({ entityId: described("The entity it is about.", Schema.UUID), ...paging }),
    success: continuing(Schema.Struct({ relations: described("The relations.", Schema.Array(Relation.schema)) })),
    door: rows("mcp.read", "relation"),
    summary: "List the relations of an entity in both directions, as far as you may read what is at their other end."
  }),
  tool("svc_link_entities", {
    title: "Link entities",
    input: Schema.Struct({
      sourceEntityId: described("The end it starts from.", Schema.UUID),
      targetEntityId: described("The end it leads to.", Schema.UUID),
      type: Schema.optionalWith(RelationSlug, { default: () => "relates_to" }),
      workspaceId: Schema.optional(WorkspaceId),
      reasoning: circumstances.reasoning,
      sessionId: circumstances.sessionId
    }),
    success: Relation.schema,
    door: writes("mcp.write", "relation", ["create"]),
    summary: "Link two entities of one space by a relation such as relates_to. It may have to be approved by a person."
  })
] as const
