/** The MCP tool that says which workspaces still have all parts of the templates that they use. */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/DeclareTool.ts"
import { fullGrantInSpaces } from "../../doors/Door.ts"
import { described } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"

export const TemplateHealthInput = Schema.Struct({
  workspaceId: Schema.optional(Id),
  driftedOnly: Schema.optionalWith(Schema.Boolean, { default: () => false })
})
export type TemplateHealthInput = typeof TemplateHealthInput.Type

export const TemplateHealth = Schema.Struct({
  workspaces: Schema.Array(
    Schema.Struct({
      workspaceId: Id,
      workspaceName: Schema.String,
      templateSlug: Schema.String,
      installedVersion: described(
        "Version of the template, if the workspace has every part of this version; null if parts are missing.",
        Schema.NullOr(Schema.Number)
      ),
      latestVersion: described("Version of the template in this pod.", Schema.Number),
      drifted: described("Whether parts of the latest version are missing.", Schema.Boolean),
      missing: described("Missing parts, such as `property meeting.agenda`.", Schema.Array(Schema.String))
    })
  ),
  leftOut: described("Number of workspaces that the pod did not examine.", Schema.Number)
})
export type TemplateHealth = typeof TemplateHealth.Type

export const TemplateTools = [
  tool("svc_template_health", {
    title: "Template health",
    input: describeArguments(TemplateHealthInput, {
      workspaceId: "The id of a workspace: only this workspace is examined.",
      driftedOnly: "`true`: list only templates with missing parts."
    }),
    success: TemplateHealth,
    door: fullGrantInSpaces("mcp.read"),
    profiles: ["builder"],
    summary:
      "Show which templates your workspaces use, and which parts of the latest version of a template a workspace lacks. A part is missing if somebody removed it, or if the latest version added it. A person adds missing parts by adopting the template again."
  })
] as const
