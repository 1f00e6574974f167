/** The MCP tools of projects: `svc_list_projects` and `svc_get_project`. */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/DeclareTool.ts"
import { rows } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { Id } from "../../doors/Id.ts"
import { toolPage } from "../../doors/Page.ts"
import { ProjectDigest } from "../digest/Digest.ts"
import { Project, ProjectInput } from "./Project.ts"

const readDoor = rows("mcp.read", "project")

export const ProjectTools = [
  tool("svc_list_projects", {
    title: "List projects",
    input: describeArguments(ProjectInput, {
      workspaceId: "The id of a workspace: only its projects are listed.",
      status: "The state of the wanted projects.",
      limit: "The largest number of projects to list.",
      offset: "The number of projects to skip.",
      cursor: "The `nextCursor` of the previous page. Send either `cursor` or `offset`."
    }),
    success: toolPage(Schema.Struct({ projects: Schema.Array(Project.schema) })),
    door: readDoor,
    profiles: ["builder"],
    summary: "List the projects that you may read, newest first. Limit the list with `status` or `workspaceId`."
  }),
  tool("svc_get_project", {
    title: "Get project",
    input: describeArguments(Schema.Struct({ projectId: Id }), {
      projectId: "The id of the project to read."
    }),
    success: Schema.Struct({ project: Project.schema, digest: ProjectDigest }),
    door: readDoor,
    errors: [NotFound],
    profiles: ["builder"],
    summary:
      "Read one project with a digest of the entities that the project contains: counts, the latest entities and a one-line summary."
  })
] as const
