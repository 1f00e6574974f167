/** The Effect layer of the endpoints for workflows of n8n. */
import { Layer } from "effect"
import * as EntityLayer from "../entities/EntityLayer.ts"
import * as ProjectLayer from "../projects/ProjectLayer.ts"
import * as RetrievalLayer from "../retrieval/RetrievalLayer.ts"
import { TextAnalysis } from "./TextAnalysis.ts"
import * as WorkflowHandlers from "./WorkflowHandlers.ts"

export const layer = WorkflowHandlers.layer.pipe(
  Layer.provide(
    Layer.mergeAll(EntityLayer.services, ProjectLayer.services, RetrievalLayer.services, TextAnalysis.layer)
  )
)
