/** The MCP tool `svc_list_profiles`, with which a model lists the kinds of entity and the roles. */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/DeclareTool.ts"
import { fullGrantInSpaces } from "../../doors/Door.ts"
import { toolPage } from "../../doors/Page.ts"
import { ListedProfile, ProfileInput } from "./Profile.ts"
import { described } from "../../doors/Fields.ts"

export const ProfileTools = [
  tool("svc_list_profiles", {
    title: "List profiles",
    input: describeArguments(ProfileInput, {
      workspaceId: "The id of a workspace: its profiles are listed beside the profiles of the whole pod.",
      profileKind: "The wanted profiles: entity kinds (`kind`), or roles that entities may play (`role`).",
      detail: "`digest` returns the most important fields of each profile, `full` returns all fields.",
      limit: "The largest number of profiles to list.",
      offset: "The number of profiles to skip.",
      cursor: "The `nextCursor` of the previous page, to get the next page."
    }),
    success: toolPage(Schema.Struct({ profiles: described("Profiles of this page.", Schema.Array(ListedProfile)) })),
    door: fullGrantInSpaces("mcp.read"),
    profiles: ["builder"],
    summary:
      "List the profiles: the entity kinds that you may create, and the roles that entities may play. If `detail` is `full`, the answer has all fields of each profile."
  })
] as const
