/**
 * The MCP tool `svc_orient`. A model calls this tool first, to learn who it is, where it may work and what is waiting.
 */
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/DeclareTool.ts"
import { everyKind } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { Orientation, OrientInput } from "./Orientation.ts"

export const OrientationTools = [
  tool("svc_orient", {
    title: "Orient",
    input: describeArguments(OrientInput, {
      detail: "`light` returns a short overview; `full` lists more and adds first steps.",
      scope: "The wanted lists, separated by commas: `workspaces`, `projects`, `profiles`, `news`, `waiting`.",
      workspaceId: "The id of a workspace: the answer is limited to this workspace.",
      projectId: "The id of a project: the answer is limited to this project and its latest changes.",
      budget: "The largest size of the answer in tokens of about four characters; the pod cuts lists to fit."
    }),
    success: Orientation,
    errors: [NotFound],
    door: everyKind("mcp.read", ["workspace", "project", "profile", "entity", "proposal"]),
    profiles: ["entry", "builder"],
    summary:
      "Read this first: who you are, the workspaces, projects and entity kinds that you may use, what changed last and which proposals wait for a person."
  })
] as const
