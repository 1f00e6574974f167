/**
 * The Effect layers of discovery: `services` for other features, and `layer`, which adds the handlers. Discovery lists
 * the kinds of entity.
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
