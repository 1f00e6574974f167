/** The Effect layers of relations between entities, and of the definitions of relation types. */
import { Layer } from "effect"
import * as EntityLayer from "../entities/EntityLayer.ts"
import * as ProjectLayer from "../projects/ProjectLayer.ts"
import { RelationDefs } from "./RelationDefs.ts"
import * as RelationHandlers from "./RelationHandlers.ts"
import { RelationWrites } from "./RelationWrites.ts"
import { Relations } from "./Relations.ts"

export const services = Relations.layer.pipe(
  Layer.provideMerge(RelationWrites.layer),
  Layer.provideMerge(RelationDefs.layer),
  Layer.provide(Layer.mergeAll(EntityLayer.services, ProjectLayer.services))
)

export const layer = RelationHandlers.layer.pipe(Layer.provideMerge(services))
