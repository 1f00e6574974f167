/**
 * Makes the grant of a new key from a request: from the access role that the request names, or from the fields of the
 * request.
 */
import { Effect } from "effect"
import { Forbidden, Invalid } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"
import { isUuid } from "../../platform/Ids.ts"
import type { AccessRoles } from "../accessRoles/AccessRoles.ts"
import type { Grant, GrantRequest } from "../grants/Grant.ts"
import { actionFault, parsePermission, subjectFault } from "../grants/Permission.ts"
import type { Profiles } from "../profiles/Profiles.ts"
import { fieldsBeyondRole } from "./Key.ts"

/**
 * Copies the fields of a grant request. Leaves out `permissions` if the request has none, so that the copy does not
 * overwrite the permissions of the role.
 */
const definedIn = ({ permissions, ...rest }: GrantRequest) => ({ ...rest, ...(permissions && { permissions }) })

/**
 * Returns the function that completes and checks the grant of a request. The function fails with Forbidden if the grant
 * names a workspace of which the person is not a member. It fails with Invalid if another part of the grant is not
 * allowed.
 */
export const grantResolver = (profiles: typeof Profiles.Service, roles: typeof AccessRoles.Service) => {
  /** Checks that the person belongs to each workspace of a grant, and that each kind exists. */
  const checkGrant = Effect.fnUntraced(function* (grant: Grant | null, workspaceId: string | undefined) {
    const { principal } = yield* Reach
    const named = [...(grant?.workspaceIds ?? []), ...(workspaceId === undefined ? [] : [workspaceId])]
    const isMember = (spaceId: string) =>
      spaceId !== principal.personId && principal.memberships.some((membership) => membership.spaceId === spaceId)
    if (!named.every(isMember)) {
      return yield* new Forbidden({
        code: "GRANT_TOO_WIDE",
        why: "A grant may contain only workspaces in which the owner of the key is a member.",
        required: ["workspace"],
        granted: [],
        canBeStale: true
      })
    }
    const kinds = yield* profiles.kinds
    const faults = (grant?.permissions ?? []).flatMap((permission, at) => {
      const parsed = parsePermission(permission)
      const segments = parsed._tag === "Right" ? parsed.right : []
      const kind = segments[0] === "entity" ? segments[1] : undefined
      const message =
        subjectFault(segments[0] ?? "*") ??
        actionFault(segments) ??
        (kind === undefined || kind === "*" || kinds.has(kind)
          ? undefined
          : `The entity kind (profile slug) ${kind} does not exist.`)
      return message === undefined ? [] : [{ path: `grant.permissions.${at}`, message }]
    })
    if (faults.length > 0) return yield* new Invalid({ faults })
  })

  /**
   * Finds the access role with this id in its present state. The error is the same for a missing role and for another
   * person's role.
   */
  const roleOf = Effect.fnUntraced(function* (roleId: string | undefined) {
    if (roleId === undefined) return null
    const [role] = isUuid(roleId) ? yield* roles.listByIds([roleId.toLowerCase()]) : []
    if (role === undefined) {
      return yield* new Invalid({
        faults: [{ path: "grant.roleId", message: "You have no access role with this id." }]
      })
    }
    return { id: role.id, name: role.name, grant: role.grant }
  })

  /**
   * Completes the grant of a request. If the request names a role, returns the grant of the role. The request must then
   * not ask for a different grant.
   */
  return Effect.fnUntraced(function* (request: GrantRequest | null, workspaceId: string | undefined) {
    const role = yield* roleOf(request?.roleId)
    if (request !== null && role !== null) {
      const faults = fieldsBeyondRole(role.grant, request).map((axis) => ({
        path: `grant.${axis}`,
        message:
          "A key that is created from an access role gets the permissions and limits of the role. Leave out this field, or leave out `roleId`."
      }))
      if (faults.length > 0) return yield* new Invalid({ faults })
    }
    const grant: Grant | null =
      request === null ? null : { ...(role?.grant ?? { permissions: [] }), ...definedIn(request) }
    yield* checkGrant(grant, workspaceId)
    return { grant, role }
  })
}
