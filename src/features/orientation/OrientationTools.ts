/** The MCP tool that answers the map. */
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/Declare.ts"
import { everyKind } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { Orientation, OrientInput } from "./Orientation.ts"

export const OrientationTools = [
  tool("svc_orient", {
    title: "Orient",
    input: describeArguments(OrientInput, {
      detail: "light gives a short map, full lists more and gives first steps.",
      scope: "Only these lists, separated by commas: workspaces, projects, profiles, news, waiting.",
      workspaceId: "Only this workspace.",
      projectId: "Only this project and its latest changes.",
      budget: "How many tokens the answer may have, of about four characters; lists are cut to fit."
    }),
    success: Orientation,
    errors: [NotFound],
    door: everyKind("mcp.read", ["workspace", "project", "profile", "entity", "proposal"]),
    summary:
      "Read this first: who you are, the workspaces, projects and kinds of entity that you reach, what changed last and which proposals wait for a person."
  })
] as const
