/**
 * A grant says what a key is allowed to reach. A grant never exceeds what the person who owns the key is allowed to see
 * and do (specification §2.2).
 */
import { Either, Schema } from "effect"
import { Id } from "../../doors/Id.ts"
import type { GrantBounds, Principal } from "../../doors/Principal.ts"
import { actionFault, parsePermission, subjectFault } from "./Permission.ts"
import { described } from "../../doors/Fields.ts"

const permissionsMax = 64
const idsMax = 64 // the maximum number of workspaces or projects that a grant can name
const objectsMax = 256

/** The permission for everything that the person who owns the key is allowed to do. */
export const everyPermission = "*"

/** The text of a permission that follows the grammar. The pod stores the text as the caller wrote it. */
export const Permission = Schema.String.pipe(
  Schema.filter((text) =>
    Either.match(parsePermission(text), {
      onLeft: ({ why }) => `The permission ${why}.`,
      onRight: () => undefined
    })
  )
).annotations({ identifier: "Permission", jsonSchema: { type: "string", minLength: 1, maxLength: 120 } })

/**
 * A permission in a new grant. It has no blanks, its subject exists, and its action is not mistyped. The pod reads stored
 * permissions without these checks, because later versions of the pod can add and remove subjects, and because former
 * versions stored blanks at the ends of a permission.
 */
export const NewPermission = Permission.pipe(
  Schema.filter((text) => {
    if (text !== text.trim()) return "The permission begins or ends with a blank. A permission has no blanks."
    const segments = text.split(".")
    return subjectFault(segments[0]) ?? actionFault(segments)
  })
).annotations({
  identifier: "NewPermission",
  jsonSchema: { type: "string", minLength: 1, maxLength: 120 },
  // Tests generate examples from this list, because random text would almost never be the name of a subject.
  arbitrary: () => (fc) => fc.constantFrom(everyPermission, "entity.read", "document.read", "track")
})

const ids = (max: number) => Schema.Array(Id).pipe(Schema.maxItems(max))

/**
 * The grant that a caller creates. If a limit is absent, it limits nothing. If a limit is an empty list, the grant
 * allows nothing.
 */
export const Grant = Schema.Struct({
  permissions: described(
    "Permissions, such as `entity.note.create`; `*` means every permission.",
    Schema.Array(Permission).pipe(Schema.minItems(1), Schema.maxItems(permissionsMax))
  ),
  workspaceIds: described("Ids of the workspaces that the grant is limited to.", Schema.optional(ids(idsMax))),
  projectIds: described("Ids of the projects that the grant is limited to.", Schema.optional(ids(idsMax))),
  entityIds: described("Ids of the entities that the grant is limited to.", Schema.optional(ids(objectsMax))),
  label: described("Your own name for the grant.", Schema.optional(Schema.String.pipe(Schema.maxLength(120)))),
  roleId: described("Id of the access role.", Schema.optional(Schema.String.pipe(Schema.maxLength(120))))
}).annotations({ identifier: "Grant" })
export type Grant = typeof Grant.Type

const KeptIds = Schema.NullOr(Schema.Array(Schema.String))

/** The form in which a key stores a grant. A row that does not match this schema allows nothing. */
export const StoredGrant = Schema.Struct({
  permissions: described(
    "Permissions, such as `entity.note.create`; `*` means every permission.",
    Schema.Array(Schema.String)
  ),
  workspaceIds: described("Ids of the workspaces that the grant is limited to.", KeptIds),
  projectIds: described("Ids of the projects that the grant is limited to.", KeptIds),
  entityIds: described("Ids of the entities that the grant is limited to.", KeptIds),
  label: Schema.NullOr(Schema.String)
})
export type StoredGrant = typeof StoredGrant.Type

const NewPermissions = Schema.Array(NewPermission).pipe(Schema.minItems(1), Schema.maxItems(permissionsMax))

export const RoleGrant = Schema.Struct({
  ...Grant.fields,
  permissions: described("Permissions, such as `entity.note.create`; `*` means every permission.", NewPermissions)
}).annotations({
  identifier: "RoleGrant"
})

/**
 * The grant that a caller asks for. If the request names a role, there are two possible forms. Either the request
 * repeats the grant of the role, or it omits the permissions and limits. In the second case, the role gives the omitted
 * parts.
 */
export const GrantRequest = Schema.Struct({
  ...Grant.fields,
  permissions: described(
    "Permissions, such as `entity.note.create`; `*` means every permission.",
    Schema.optional(NewPermissions)
  )
})
  .pipe(
    Schema.filter(
      ({ permissions, roleId }) =>
        permissions !== undefined ||
        roleId !== undefined || {
          path: ["permissions"],
          message: "Send `permissions`, or the id of an access role of yours in `roleId`."
        }
    )
  )
  .annotations({ identifier: "GrantRequest", description: "The permissions and limits of the key." })
export type GrantRequest = typeof GrantRequest.Type

/** Returns the parts of a grant that decide which calls are allowed. An absent limit becomes null. */
export const boundsOf = (grant: Grant): GrantBounds => ({
  permissions: grant.permissions,
  workspaceIds: grant.workspaceIds ?? null,
  projectIds: grant.projectIds ?? null,
  entityIds: grant.entityIds ?? null
})

/**
 * Returns true if a credential is limited to certain workspaces, projects or objects. Ignores the permissions of the
 * credential.
 */
export const isLimited = ({ grant, workspaceId }: Pick<Principal, "grant" | "workspaceId">): boolean =>
  workspaceId !== null ||
  (grant !== null && (grant.workspaceIds !== null || grant.projectIds !== null || grant.entityIds !== null))

/**
 * Returns true if the grant limits nothing: it has the permission `*` and no limits, or there is no grant. Sessions
 * have no grant. Keys that were made before grants existed have no grant either. The key itself can still be limited to
 * one workspace.
 */
export const hasFullGrant = ({ grant }: Pick<Principal, "grant">): boolean =>
  grant === null ||
  (!isLimited({ grant, workspaceId: null }) &&
    grant.permissions.some((permission) => permission.trim() === everyPermission))

/**
 * Returns true if a credential is allowed to do everything that the person who owns it is allowed to do, in every space
 * of the person.
 */
export const isUnrestricted = (principal: Pick<Principal, "grant" | "workspaceId">): boolean =>
  principal.workspaceId === null && hasFullGrant(principal)
