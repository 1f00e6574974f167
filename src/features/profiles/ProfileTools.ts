/** The MCP tools of profiles. */
import { Schema } from "effect"
import { tool } from "../../doors/Declare.ts"
import { fullGrant } from "../../doors/Door.ts"
import { continuing } from "../../doors/Page.ts"
import { ListedProfile, ProfileInput } from "./Profile.ts"
import { described } from "../../doors/Fields.ts"

export const ProfileTools = [
  tool("svc_list_profiles", {
    title: "List profiles",
    input: ProfileInput,
    success: continuing(
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
