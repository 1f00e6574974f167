/** The Effect layers of keys: `services` for other features, and `layer`, which adds the handlers. */
import { Layer } from "effect"
import * as AccessRoleLayer from "../accessRoles/AccessRoleLayer.ts"
import * as PeopleLayer from "../people/PeopleLayer.ts"
import * as KeyHandlers from "./KeyHandlers.ts"
import { Keys } from "./Keys.ts"

export const services = Keys.layer.pipe(Layer.provide(Layer.mergeAll(PeopleLayer.services, AccessRoleLayer.services)))

export const layer = KeyHandlers.layer.pipe(
  Layer.provideMerge(services),
  Layer.provide(PeopleLayer.services),
  Layer.provide(AccessRoleLayer.services)
)
