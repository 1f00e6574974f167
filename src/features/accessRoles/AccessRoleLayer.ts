/**
 * The Effect layers of access roles: `services` has the service that other features use, and `layer` also has the
 * handlers.
 */
import { Layer } from "effect"
import * as AccessRoleHandlers from "./AccessRoleHandlers.ts"
import { AccessRoles } from "./AccessRoles.ts"

export const services = AccessRoles.layer

export const layer = AccessRoleHandlers.layer.pipe(Layer.provideMerge(services))
