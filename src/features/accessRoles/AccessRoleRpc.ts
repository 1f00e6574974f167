/** The procedures of access roles. */
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { mutation, query } from "../../doors/DeclareProcedure.ts"
import { rows, signedIn } from "../../doors/Door.ts"
import { described, DeleteResponse } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { pageOf } from "../../doors/Page.ts"
import { AccessRole, AccessRoleChange, AccessRoleDraft, AccessRolePage } from "./AccessRole.ts"

const door = signedIn

export const AccessRoleProcedures = RpcGroup.make(
  query("roles.list", {
    input: AccessRolePage,
    success: pageOf(AccessRole.schema),
    door: rows("hub-protocol.read", "role"),
    summary: "List your access roles, newest first."
  }),
  mutation("roles.create", {
    input: AccessRoleDraft,
    success: AccessRole.schema,
    door,
    summary: "Create an access role: a named grant from which keys are created."
  }),
  mutation("roles.update", {
    input: AccessRoleChange,
    success: AccessRole.schema,
    door,
    summary: "Change an access role; keys that were created from the role keep their grant."
  }),
  mutation("roles.delete", {
    input: Schema.Struct({ roleId: described("Id of the access role.", Id) }),
    success: DeleteResponse,
    door,
    summary: "Delete an access role; keys that were created from the role stay valid."
  })
)
