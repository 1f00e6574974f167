/** The MCP tools of projects. */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/Declare.ts"
import { rows } from "../../doors/Door.ts"
import { pagedStruct } from "../../doors/Page.ts"
import { ProjectDigest } from "../digest/Digest.ts"
import { Project, ProjectInput } from "./Project.ts"

const reading = rows("mcp.read", "project")

export const ProjectTools = [
  tool("svc_list_projects", {
    title: "List projects",
    input: describeArguments(ProjectInput, {
      workspaceId: "Only projects of this workspace.",
      status: "Only projects in this state.",
      limit: "How many to list at most.",
      offset: "How many to skip.",
      cursor: "The cursor from the previous page. Use either cursor or offset."
    }),
    success: pagedStruct(Schema.Struct({ projects: Schema.Array(Project.schema) })),
    door: reading,
    summary: "List the projects that you may read, the newest first. Narrow with status or workspaceId."
  }),
  tool("svc_get_project", {
    title: "Get project",
    input: describeArguments(Schema.Struct({ projectId: Schema.UUID }), { projectId: "The project to read." }),
    success: Schema.Struct({ project: Project.schema, digest: ProjectDigest }),
    door: reading,
    summary: "Read one project with a digest of what is filed in it: figures, the latest entities and one line."
  })
] as const
