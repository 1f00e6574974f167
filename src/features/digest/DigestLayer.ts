/**
 * The Effect layers of digests of projects and workspaces: `services` has what other features use, and `layer` also has
 * the handlers.
 */
import { Layer } from "effect"
import * as EntityLayer from "../entities/EntityLayer.ts"
import * as WorkspaceLayer from "../workspaces/WorkspaceLayer.ts"
import { Digests } from "./Digests.ts"
import * as WorkspaceDigestHandlers from "./WorkspaceDigestHandlers.ts"

export const services = Digests.layer.pipe(Layer.provide(Layer.mergeAll(EntityLayer.services, WorkspaceLayer.services)))

export const layer = WorkspaceDigestHandlers.layer.pipe(
  Layer.provideMerge(services),
  Layer.provide(WorkspaceLayer.services)
)
