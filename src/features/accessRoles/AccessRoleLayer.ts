/** Access roles: grants with a name. */
import { Layer } from "effect"
import * as AccessRoleHandlers from "./AccessRoleHandlers.ts"
import { AccessRoles } from "./AccessRoles.ts"

/** What other features ask. */
export const services = AccessRoles.layer

export const layer = AccessRoleHandlers.layer.pipe(Layer.provideMerge(services))
