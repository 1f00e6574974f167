/** The MCP tools of relations. */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/Declare.ts"
import { rows, writes } from "../../doors/Door.ts"
import { pagedStruct } from "../../doors/Page.ts"
import { updateDetails, writeDetailDescriptions } from "../records/RecordType.ts"
import { Relation, RelationInput } from "./Relation.ts"
import { RelationSlug } from "./RelationDef.ts"

const { type: _, entityId: __, ...paging } = RelationInput.fields

export const RelationTools = [
  tool("svc_get_relations", {
    title: "Get relations",
    input: describeArguments(Schema.Struct({ entityId: Schema.UUID, ...paging }), {
      entityId: "The entity whose relations to list.",
      workspaceId: "Only relations of this workspace.",
      limit: "How many to list at most.",
      offset: "How many to skip.",
      cursor: "The cursor from the previous page. Use either cursor or offset."
    }),
    success: pagedStruct(Schema.Struct({ relations: Schema.Array(Relation.schema) })),
    door: rows("mcp.read", "relation"),
    summary: "List the relations of an entity in both directions, if you may read the entity at the other end."
  }),
  tool("svc_link_entities", {
    title: "Link entities",
    input: describeArguments(
      Schema.Struct({
        sourceEntityId: Schema.UUID,
        targetEntityId: Schema.UUID,
        type: Schema.optionalWith(RelationSlug, { default: () => "relates_to" }),
        workspaceId: Schema.optional(Schema.UUID),
        reasoning: updateDetails.reasoning,
        sessionId: updateDetails.sessionId
      }),
      {
        sourceEntityId: "The entity that the relation starts from.",
        targetEntityId: "The entity that the relation leads to, in the same space.",
        type: "The relation, by its slug.",
        workspaceId: "The workspace that both live in; left out, it is the one of the source.",
        ...writeDetailDescriptions
      }
    ),
    success: Relation.schema,
    door: writes("mcp.write", "relation", ["create"]),
    summary: "Link two entities of one space by a relation such as relates_to. It may have to be approved by a person."
  })
] as const
