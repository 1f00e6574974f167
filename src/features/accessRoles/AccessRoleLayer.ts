/** The Effect layers of access roles: `services` for other features, and `layer`, which adds the handlers. */
import { Layer } from "effect"
import * as AccessRoleHandlers from "./AccessRoleHandlers.ts"
import { AccessRoles } from "./AccessRoles.ts"

export const services = AccessRoles.layer

export const layer = AccessRoleHandlers.layer.pipe(Layer.provideMerge(services))
