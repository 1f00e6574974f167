/** The layers of retrieval. */
import { Layer } from "effect"
import * as ProjectLayer from "../projects/ProjectLayer.ts"
import * as SearchLayer from "../search/SearchLayer.ts"
import * as WorkspaceLayer from "../workspaces/WorkspaceLayer.ts"
import { Pending } from "./Pending.ts"
import { Retrieval } from "./Retrieval.ts"
import * as RetrievalHandlers from "./RetrievalHandlers.ts"
import { Scope } from "./Scope.ts"

const services = Retrieval.layer.pipe(
  Layer.provide(Layer.merge(Scope.layer, Pending.layer)),
  Layer.provide(Layer.mergeAll(SearchLayer.services, ProjectLayer.services, WorkspaceLayer.services))
)

export const layer = RetrievalHandlers.layer.pipe(Layer.provideMerge(services))
