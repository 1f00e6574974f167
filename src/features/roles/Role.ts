/** An access role: a grant with a name, from which keys are made. A key keeps what it said then (specification §2.3). */
import { Schema } from "effect"
import { pageInput } from "../../doors/Fields.ts"
import { Grant, RoleGrant } from "../grants/Grant.ts"
import { recordType } from "../records/RecordType.ts"

const Name = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(120))
const Description = Schema.NullOr(Schema.String.pipe(Schema.maxLength(2000)))

export const Role = recordType("role", {
  identifier: "AccessRole",
  subject: "role",
  table: "access_roles",
  fields: { name: Name, description: Description, grant: Grant },
  visibility: "own",
  order: "created"
})
export type Role = typeof Role.schema.Type

export const RoleDraft = Schema.Struct({
  name: Name,
  description: Schema.optionalWith(Description, { default: () => null }),
  grant: RoleGrant
}).annotations({ identifier: "AccessRoleDraft" })
export type RoleDraft = typeof RoleDraft.Type

export const RoleChange = Schema.Struct({
  roleId: Schema.UUID,
  name: Schema.optional(Name),
  description: Schema.optional(Description),
  grant: Schema.optional(RoleGrant)
}).annotations({ identifier: "AccessRoleChange" })
export type RoleChange = typeof RoleChange.Type

export const RolePage = Schema.Struct(pageInput(50, 200))
