/** Decides what a grant covers. The functions are pure, so the same question always has the same answer. */
import { Context, Either, Layer } from "effect"
import type { Action, Subject } from "../../doors/Door.ts"
import type { GrantBounds, Membership, Principal } from "../../doors/Principal.ts"
import { type Bounds, emptyBounds } from "../../doors/Reach.ts"
import { parsePermission, type PermissionRequest, requestSegments, segmentsCover } from "./Permission.ts"

/**
 * The object of a write. A new object has no id yet, so a grant that is limited to certain objects does not cover a new
 * object.
 */
export interface GrantObject {
  readonly spaceId: string
  /** Whether the space of the object is the personal space of a person and not a workspace. */
  readonly isPersonal: boolean
  readonly objectId: string | null
  readonly projectIds: ReadonlyArray<string>
}

const writers: ReadonlySet<string> = new Set(["owner", "admin", "editor"])
const managers: ReadonlySet<string> = new Set(["owner", "admin"])

/**
 * Returns true if a role allows the action in its workspace. Viewers read, editors also write, and owners and admins
 * also delete.
 */
export const roleAllows = (role: Membership["role"], action: Action): boolean =>
  action === "read" || (action === "delete" ? managers.has(role) : writers.has(role))

type Segments = ReadonlyArray<string>
// caches parsed permissions, because a cached credential needs them at every call
const readable = new WeakMap<ReadonlyArray<string>, ReadonlyArray<Segments>>()

/** Returns the parsed form of stored permissions. A permission that the pod can no longer parse covers nothing. */
const permissionsOf = ({ permissions }: GrantBounds): ReadonlyArray<Segments> => {
  const known = readable.get(permissions)
  if (known !== undefined) return known
  const parsed = permissions.flatMap((text) =>
    Either.match(parsePermission(text), { onLeft: () => [], onRight: (segments) => [segments] })
  )
  readable.set(permissions, parsed)
  return parsed
}

/** Returns true if the permissions of a grant cover a request. Does not check the other limits of the grant. */
export const covers = (grant: GrantBounds | null, request: PermissionRequest): boolean => {
  if (grant === null) return true
  const segments = requestSegments(request)
  return permissionsOf(grant).some((permission) => segmentsCover(permission, segments))
}

/**
 * Returns the kinds of a subject for which a grant covers an action. `null` means every kind, and an empty list means
 * no kind. Only entities have kinds. A grant covers any other subject completely or not at all.
 */
export const kindsCovered = (
  grant: GrantBounds | null,
  subject: Subject,
  action: Action
): ReadonlyArray<string> | null => {
  if (covers(grant, { subject, kind: null, action })) return null
  if (subject !== "entity" || grant === null) return []
  const kinds = permissionsOf(grant).flatMap(([first, kind, verb]) =>
    first === "entity" && kind !== undefined && kind !== "*" && (verb === undefined || verb === "*" || verb === action)
      ? [kind]
      : []
  )
  return [...new Set(kinds)].sort()
}

/** Returns true if the limits of a grant allow an object. The object must be within each limit of the grant. */
export const allowsObject = (grant: GrantBounds | null, object: GrantObject): boolean => {
  if (grant === null) return true
  const { entityIds, projectIds, workspaceIds } = grant
  return (
    (workspaceIds === null || (!object.isPersonal && workspaceIds.includes(object.spaceId))) &&
    (entityIds === null || (object.objectId !== null && entityIds.includes(object.objectId))) &&
    (projectIds === null || object.projectIds.some((project) => projectIds.includes(project)))
  )
}

/** Returns the spaces in which the role of the person allows the action, limited to the workspaces of the key. */
const spacesFor = (principal: Principal, action: Action): ReadonlyArray<string> =>
  principal.memberships
    .filter(({ spaceId, role }) => {
      if (!roleAllows(role, action)) return false
      if (principal.workspaceId !== null && principal.workspaceId !== spaceId) return false
      const within = principal.grant?.workspaceIds ?? null
      return within === null || (spaceId !== principal.personId && within.includes(spaceId))
    })
    .map(({ spaceId }) => spaceId)

/** Subjects whose records can be in projects. A grant that is limited to projects covers no other subject. */
const subjectsInProjects: ReadonlySet<Subject> = new Set(["entity", "proposal"])
/** Subjects whose records a grant cannot name one by one. A grant that is limited to objects does not cover them. */
const objectless: ReadonlySet<Subject> = new Set(["event", "messaging", "notification", "preference"])

/**
 * Returns the limits for one action on records of one subject: which rows the principal may read or change in this way.
 * The rows are within both the grant and the person's own access (specification §5.2).
 */
export const boundsFor = (principal: Principal, subject: Subject, action: Action): Bounds => {
  const kinds = kindsCovered(principal.grant, subject, action)
  if (kinds !== null && kinds.length === 0) return emptyBounds
  const objects = principal.grant?.entityIds ?? null
  const projects = principal.grant?.projectIds ?? null
  if (projects !== null && !subjectsInProjects.has(subject)) return emptyBounds
  if (objects !== null && objectless.has(subject)) return emptyBounds
  return { spaces: spacesFor(principal, action), kinds, objects, projects }
}

export class GrantMatcher extends Context.Tag("pod/GrantMatcher")<
  GrantMatcher,
  {
    readonly covers: typeof covers
    readonly kindsCovered: typeof kindsCovered
    readonly allowsObject: typeof allowsObject
    readonly boundsFor: typeof boundsFor
  }
>() {
  static readonly layer = Layer.succeed(this, { covers, kindsCovered, allowsObject, boundsFor })
  /** The matcher uses no store, so the layer for the store in memory is the same. */
  static readonly layerMemory = this.layer
}
