/** The MCP tools of profiles. */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/Declare.ts"
import { fullGrant } from "../../doors/Door.ts"
import { pagedStruct } from "../../doors/Page.ts"
import { ListedProfile, ProfileInput } from "./Profile.ts"
import { described } from "../../doors/Fields.ts"

export const ProfileTools = [
  tool("svc_list_profiles", {
    title: "List profiles",
    input: describeArguments(ProfileInput, {
      workspaceId: "The workspace whose profiles are wanted besides those of the whole pod.",
      profileKind: "Only kinds of entity (kind), or only the roles that entities may play besides (role).",
      detail: "digest lists the essentials of each profile, full lists everything.",
      limit: "How many to list at most.",
      offset: "How many to skip.",
      cursor: "The nextCursor of the previous page."
    }),
    success: pagedStruct(
      Schema.Struct({
        profiles: described("The kinds it holds.", Schema.Array(ListedProfile)),
        nextCursor: described("Where the listing goes on; null: it ends.", Schema.optional(Schema.String))
      })
    ),
    door: fullGrant("mcp.read"),
    summary:
      "List the profiles there are: the kinds of entity you may create, and the roles they may play. detail full gives all of each."
  })
] as const
