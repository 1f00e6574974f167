/** The MCP tools of projects. */
import { Schema } from "effect"
import { tool } from "../../doors/Declare.ts"
import { rows } from "../../doors/Door.ts"
import { continuing } from "../../doors/Page.ts"
import { ProjectDigest } from "../digest/Digest.ts"
import { Project, ProjectInput } from "./Project.ts"
import { ProjectId, described } from "../../doors/Fields.ts"

const reading = rows("mcp.read", "project")

export const ProjectTools = [
  tool("svc_list_projects", {
    title: "List projects",
    input: ProjectInput,
    success: continuing(Schema.Struct({ projects: described("The projects.", Schema.Array(Project.schema)) })),
    door: reading,
    summary: "List the projects that you may read, the newest first. Narrow with status or workspaceId."
  }),
  tool("svc_get_project", {
    title: "Get project",
    input: Schema.Struct({ projectId: ProjectId }),
    success: Schema.Struct({
      project: described("The project.", Project.schema),
      digest: described("What it holds, in figures.", ProjectDigest)
    }),
    door: reading,
    summary: "Read one project with a digest of what is filed in it: figures, the latest entities and one line."
  })
] as const
