/** The MCP tools of relations: `svc_get_relations` and `svc_link_entities`. */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/DeclareTool.ts"
import { rows, writes } from "../../doors/Door.ts"
import { Id } from "../../doors/Id.ts"
import { toolPage } from "../../doors/Page.ts"
import { updateDetails, writeDetailDescriptions } from "../records/RecordType.ts"
import { Relation, RelationInput } from "./Relation.ts"
import { RelationSlug } from "./RelationDef.ts"

const { type: _, entityId: __, ...pageFields } = RelationInput.fields

export const RelationTools = [
  tool("svc_get_relations", {
    title: "Get relations",
    input: describeArguments(Schema.Struct({ entityId: Id, ...pageFields }), {
      entityId: "The id of the entity whose relations are listed.",
      workspaceId: "The id of a workspace: only its relations are listed.",
      limit: "The largest number of relations to list.",
      offset: "The number of relations to skip.",
      cursor: "The `nextCursor` of the previous page. Send either `cursor` or `offset`."
    }),
    success: toolPage(Schema.Struct({ relations: Schema.Array(Relation.schema) })),
    door: rows("mcp.read", "relation"),
    profiles: ["builder"],
    summary:
      "List the relations of an entity in both directions. You see a relation only if you may read the entity at the other end."
  }),
  tool("svc_link_entities", {
    title: "Link entities",
    input: describeArguments(
      Schema.Struct({
        sourceEntityId: Id,
        targetEntityId: Id,
        type: Schema.optionalWith(RelationSlug, { default: () => "relates_to" }),
        workspaceId: Schema.optional(Id),
        reasoning: updateDetails.reasoning,
        sessionId: updateDetails.sessionId
      }),
      {
        sourceEntityId: "The id of the entity that the relation starts from.",
        targetEntityId: "The id of the entity that the relation leads to, in the same space.",
        type: "The slug of the relation type.",
        workspaceId: "The id of the workspace of both entities. Default: the workspace of the source entity.",
        ...writeDetailDescriptions
      }
    ),
    success: Relation.schema,
    door: writes("mcp.write", "relation", ["create"]),
    profiles: ["builder"],
    summary:
      "Link two entities of one space by a relation such as `relates_to`. A person might have to approve the link first."
  })
] as const
