/** Assembles entities and their facets: the services for other features, and the handlers. */
import { Layer } from "effect"
import * as PeopleLayer from "../people/PeopleLayer.ts"
import { Entities } from "./Entities.ts"
import { EntityChanger } from "./EntityChanger.ts"
import * as EntityHandlers from "./EntityHandlers.ts"
import { EntityRules } from "./EntityRules.ts"
import { EntityWrites } from "./EntityWrites.ts"
import * as FacetHandlers from "./facets/FacetHandlers.ts"
import { Facets } from "./facets/Facets.ts"
import { IdentityResolver } from "./identity/IdentityResolver.ts"

/** The services that other features use. */
export const services = Entities.layer.pipe(
  Layer.provideMerge(EntityWrites.layer),
  Layer.provideMerge(EntityChanger.layer),
  Layer.provideMerge(Facets.layer),
  Layer.provideMerge(Layer.merge(EntityRules.layer, IdentityResolver.layer)),
  Layer.provide(PeopleLayer.services)
)

export const layer = Layer.mergeAll(EntityHandlers.layer, FacetHandlers.layer).pipe(Layer.provideMerge(services))
