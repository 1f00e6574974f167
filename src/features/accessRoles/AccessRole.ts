/**
 * An access role: a named grant with which a person creates keys. A new key copies the grant. Later changes of the role
 * do not change the key (specification §2.3).
 */
import { Schema } from "effect"
import { described } from "../../doors/Fields.ts"
import { pageInput } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { Grant, RoleGrant } from "../grants/Grant.ts"
import { writable } from "../records/RecordFields.ts"
import { inputOf } from "../records/RecordInputs.ts"
import { recordType } from "../records/RecordType.ts"

export const AccessRole = recordType("role", {
  identifier: "AccessRole",
  subject: "role",
  table: "access_roles",
  fields: {
    name: writable(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(120))),
    description: writable(Schema.NullOr(Schema.String.pipe(Schema.maxLength(2000))), { default: null }),
    grant: writable(Grant, {
      meaning: "Permissions and limits. A grant only narrows what the person may do.",
      input: RoleGrant
    })
  },
  visibility: "own",
  recordedValues: ["name", "description", "grant"],
  order: "created"
})
export type AccessRole = typeof AccessRole.schema.Type

export const AccessRoleDraft = inputOf("AccessRoleDraft", AccessRole.draft)
export type AccessRoleDraft = typeof AccessRoleDraft.Type

export const AccessRoleChange = inputOf("AccessRoleChange", {
  roleId: described("Id of the access role.", Id),
  ...AccessRole.change
})
export type AccessRoleChange = typeof AccessRoleChange.Type

export const AccessRolePage = Schema.Struct(pageInput("accessRoles", 50, 200))
