/**
 * An access role: a named grant that a person uses to create keys. A new key copies the grant; later changes of the
 * role do not change the key (specification §2.3).
 */
import { Schema } from "effect"
import { described } from "../../doors/Fields.ts"
import { pageInput } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { Grant, RoleGrant } from "../grants/Grant.ts"
import { recordType } from "../records/RecordType.ts"

const Name = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(120))
const Description = Schema.NullOr(Schema.String.pipe(Schema.maxLength(2000)))

export const AccessRole = recordType("role", {
  identifier: "AccessRole",
  subject: "role",
  table: "access_roles",
  fields: {
    name: Name,
    description: Description,
    grant: described("Limits of the credential. A grant only narrows what the person may do.", Grant)
  },
  visibility: "own",
  order: "created"
})
export type AccessRole = typeof AccessRole.schema.Type

export const AccessRoleDraft = Schema.Struct({
  name: Name,
  description: Schema.optionalWith(Description, { default: () => null }),
  grant: described("Limits of the credential. A grant only narrows what the person may do.", RoleGrant)
}).annotations({ identifier: "AccessRoleDraft" })
export type AccessRoleDraft = typeof AccessRoleDraft.Type

export const AccessRoleChange = Schema.Struct({
  roleId: described("Id of the access role.", Id),
  name: Schema.optional(Name),
  description: Schema.optional(Description),
  grant: described("Limits of the credential. A grant only narrows what the person may do.", Schema.optional(RoleGrant))
}).annotations({ identifier: "AccessRoleChange" })
export type AccessRoleChange = typeof AccessRoleChange.Type

export const AccessRolePage = Schema.Struct(pageInput(50, 200))
