/** The endpoints for workflows of n8n, an automation tool. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read, write } from "../../doors/DeclareRest.ts"
import { everyKind, self, writes } from "../../doors/Door.ts"
import { NoProvider, UpstreamFailed, UpstreamTimedOut } from "../../doors/Failure.ts"
import { n8nMount } from "../../doors/Mounts.ts"
import {
  Analysis,
  AnalysisRequest,
  WorkflowEntity,
  WorkflowEntityDraft,
  WorkflowQuestion,
  WorkflowResults
} from "./Workflow.ts"

export const WorkflowApi = HttpApiGroup.make("n8n")
  .annotate(OpenApi.Description, "Routes for n8n workflows; each route needs its own scope.")
  .annotate(OpenApi.Override, { "x-displayName": "n8n" })
  .add(
    write("n8n.createEntity", {
      method: "POST",
      path: `${n8nMount}/entities`,
      payload: WorkflowEntityDraft,
      success: WorkflowEntity,
      door: writes("write:entities", "entity", ["create"]),
      summary: "Add a note, a task or a project."
    })
  )
  .add(
    read("n8n.search", {
      method: "POST",
      path: `${n8nMount}/search`,
      payload: WorkflowQuestion,
      success: WorkflowResults,
      door: everyKind("read:entities", ["entity", "facet", "document", "memory", "proposal"], { isRowBounded: true }),
      summary: "Find entities by a question."
    })
  )
  .add(
    read("n8n.analyze", {
      method: "POST",
      path: `${n8nMount}/analyze`,
      payload: AnalysisRequest,
      success: Analysis,
      errors: [NoProvider, UpstreamFailed, UpstreamTimedOut],
      door: self("ai:analyze"),
      summary: "Analyse a text with the pod's language model. The pod stores nothing."
    })
  )
