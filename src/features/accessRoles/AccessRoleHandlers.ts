/**
 * The handlers of access roles. They convert the requests of the procedures to calls of the service, and the results to
 * answers.
 */
import { Effect } from "effect"
import { deleteResponse } from "../../doors/Fields.ts"
import { implementProcedures } from "../../doors/Implement.ts"
import { AccessRoleProcedures } from "./AccessRoleRpc.ts"
import { AccessRoles } from "./AccessRoles.ts"

export const layer = implementProcedures(
  AccessRoleProcedures,
  Effect.map(AccessRoles, (roles) => ({
    "roles.list": (page) => roles.list(page),
    "roles.create": (fields) => roles.create({ fields }),
    "roles.update": ({ roleId, ...fields }) => roles.update(roleId, fields),
    "roles.delete": ({ roleId }) => Effect.map(roles.remove(roleId), deleteResponse)
  }))
)
