/**
 * The Effect layers of entities: `services` has what other features use, and `layer` also has the handlers. Both
 * include facets and the search for duplicates, because these need the store of entities.
 */
import { Layer } from "effect"
import * as PeopleLayer from "../people/PeopleLayer.ts"
import { Entities } from "./Entities.ts"
import { EntityChanger } from "./EntityChanger.ts"
import * as EntityHandlers from "./EntityHandlers.ts"
import * as EntityFacets from "./EntityFacets.ts"
import { EntityRules } from "./EntityRules.ts"
import { EntityWrites } from "./EntityWrites.ts"
import { Facets } from "../facets/Facets.ts"
import { IdentityResolver } from "../identity/IdentityResolver.ts"

export const services = Entities.layer.pipe(
  Layer.provideMerge(EntityWrites.layer),
  Layer.provideMerge(EntityChanger.layer),
  Layer.provideMerge(Layer.provide(Facets.layer, EntityFacets.layer)),
  Layer.provideMerge(Layer.merge(EntityRules.layer, IdentityResolver.layer)),
  Layer.provide(PeopleLayer.services)
)

export const layer = EntityHandlers.layer.pipe(Layer.provideMerge(services))
