/** The Effect layers of projects and their entities: `services` for other features, and `layer` with the handlers. */
import { Layer } from "effect"
import * as DigestLayer from "../digest/DigestLayer.ts"
import * as EntityLayer from "../entities/EntityLayer.ts"
import * as ProjectHandlers from "./ProjectHandlers.ts"
import { ProjectMembers } from "./ProjectMembers.ts"
import { Projects } from "./Projects.ts"

export const services = Layer.mergeAll(ProjectMembers.layer, Projects.layer).pipe(
  Layer.provide(Layer.mergeAll(DigestLayer.services, EntityLayer.services))
)

export const layer = ProjectHandlers.layer.pipe(Layer.provideMerge(services))
