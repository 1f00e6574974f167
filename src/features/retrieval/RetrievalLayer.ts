/** The layers of retrieval. */
import { Layer } from "effect"
import * as KnowledgeLayer from "../knowledge/KnowledgeLayer.ts"
import * as ProjectLayer from "../projects/ProjectLayer.ts"
import * as SearchLayer from "../search/SearchLayer.ts"
import * as WorkspaceLayer from "../workspaces/WorkspaceLayer.ts"
import { Answers } from "./Answers.ts"
import { KnowledgeListing } from "./KnowledgeListing.ts"
import { Pending } from "./Pending.ts"
import { Retrieval } from "./Retrieval.ts"
import * as RetrievalHandlers from "./RetrievalHandlers.ts"
import { Scope } from "./Scope.ts"

const services = Layer.merge(Answers.layer, KnowledgeListing.layer).pipe(
  Layer.provideMerge(Retrieval.layer),
  Layer.provide(Layer.merge(Scope.layer, Pending.layer)),
  Layer.provide(
    Layer.mergeAll(SearchLayer.services, KnowledgeLayer.services, ProjectLayer.services, WorkspaceLayer.services)
  )
)

export const layer = RetrievalHandlers.layer.pipe(Layer.provideMerge(services))
