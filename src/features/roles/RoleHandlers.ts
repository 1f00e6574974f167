/** Translates between the procedures of access roles and the service. */
import { Effect } from "effect"
import { removed } from "../../doors/Fields.ts"
import { implementProcedures } from "../../doors/Implement.ts"
import { RoleProcedures } from "./RoleRpc.ts"
import { Roles } from "./Roles.ts"

export const layer = implementProcedures(
  RoleProcedures,
  Effect.map(Roles, (roles) => ({
    "roles.list": (page) => roles.list(page),
    "roles.create": (fields) => roles.create({ fields }),
    "roles.update": ({ roleId, ...fields }) => roles.update(roleId, fields),
    "roles.delete": ({ roleId }) => Effect.map(roles.remove(roleId), removed)
  }))
)
