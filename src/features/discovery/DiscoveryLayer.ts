/**
 * The Effect layers of discovery: `services` has what other features use, and `layer` also has the handlers. Discovery
 * lists the kinds of entity.
 */
import { Layer } from "effect"
import * as EntityLayer from "../entities/EntityLayer.ts"
import * as ProfileLayer from "../profiles/ProfileLayer.ts"
import * as RelationLayer from "../relations/RelationLayer.ts"
import { Discoveries } from "./Discoveries.ts"
import * as DiscoveryHandlers from "./DiscoveryHandlers.ts"

export const services = Discoveries.layer.pipe(
  Layer.provide(Layer.mergeAll(EntityLayer.services, ProfileLayer.services, RelationLayer.services))
)

export const layer = DiscoveryHandlers.layer.pipe(Layer.provideMerge(services))
