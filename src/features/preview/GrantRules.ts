/**
 * Explains which part of a grant decides about a record: the permission that lets a key read the record, or the limit
 * that hides the record. These functions do not protect the records. For a real call, other code decides what the key
 * may read.
 */
import type { Action, Door, Subject } from "../../doors/Door.ts"
import { permissionsOf } from "../../doors/DoorRequirements.ts"
import type { GrantBounds, Principal } from "../../doors/Principal.ts"
import { boundsFor, covers } from "../grants/GrantMatcher.ts"
import type { PermissionRequest } from "../grants/Permission.ts"
import { permissionFor } from "../gate/Write.ts"

// The maximum number of near misses (permissions that almost fit) in the answer. A longer list would not help a person
// to find the mistake.
const nearMax = 5

export interface RuledRecord {
  readonly subject: Subject
  readonly kind: string | null
  readonly spaceId: string
  readonly id: string
}

const coveringPermissions = ({ permissions }: GrantBounds, request: PermissionRequest): ReadonlyArray<string> =>
  permissions.filter((permission) =>
    covers({ permissions: [permission], workspaceIds: null, projectIds: null, entityIds: null }, request)
  )

const withoutLimits = (grant: GrantBounds, limits: Partial<GrantBounds>): GrantBounds => ({
  permissions: grant.permissions,
  workspaceIds: null,
  projectIds: null,
  entityIds: null,
  ...limits
})

const nameOf = ({ kind, subject }: RuledRecord) => (kind === null ? subject : `${subject}.${kind}`)

/** Returns the permission that lets a key read the record. */
export const readingRule = ({ grant }: Principal, { kind, subject }: RuledRecord): string =>
  grant === null ? "*" : (coveringPermissions(grant, { subject, kind, action: "read" })[0] ?? "*")

/**
 * Returns a sentence that names the limit by which the grant hides a record. If no limit hides the record, returns
 * `closedBy`: the reason why the key is allowed to call none of the operations that read records of this type.
 */
export const hidingRule = (key: Principal, record: RuledRecord, closedBy: string | null): string => {
  const { grant } = key
  const { id, kind, spaceId, subject } = record
  if (grant !== null) {
    const open = boundsFor({ ...key, grant: withoutLimits(grant, {}), workspaceId: null }, subject, "read")
    if (open.spaces.length === 0 || (open.kinds !== null && !open.kinds.includes(kind ?? ""))) {
      return `The grant has no permission that covers ${nameOf(record)}.read.`
    }
    const { entityIds, projectIds, workspaceIds } = grant
    const within = boundsFor({ ...key, grant: withoutLimits(grant, { workspaceIds }) }, subject, "read")
    if (!within.spaces.includes(spaceId)) return "The record is in none of the workspaces of the grant."
    if (entityIds !== null && !entityIds.includes(id)) return "The record is not one of the entities of the grant."
    if (projectIds !== null) return "The record is in none of the projects of the grant."
    if (entityIds !== null) return "The grant is limited to certain entities, so it covers no record of this type."
  }
  return closedBy ?? "The key cannot read the record."
}

/**
 * Returns the permissions that an operation requires. `door` is what the operation declares about its callers. `kind`
 * is the kind of the entity, if the caller of this function knows it.
 */
const requestsOf = (door: Door, kind: string | null): ReadonlyArray<PermissionRequest> => {
  const requestFor = (subject: Subject, action: Action) => ({
    subject,
    kind: subject === "entity" ? kind : null,
    action
  })
  switch (door._tag) {
    case "Rows":
      return [requestFor(door.subject, "read")]
    case "SeveralRows":
    case "EveryKind":
      return door.subjects.map((subject) => requestFor(subject, "read"))
    case "Write":
      return door.actions.map((action) => ({
        ...requestFor(door.subject, action),
        ...(door.kind && { kind: door.kind })
      }))
    case "Public":
    case "Session":
    case "Operator":
    case "Self":
    case "FullGrant":
      return []
  }
}

/**
 * Compares the permissions of the grant with an operation. `required` has the permissions that the operation needs.
 * `matched` has the permissions of the grant that cover a required permission. `nearMisses` has the other permissions
 * of the grant for the same subject, because a permission that is spelled wrong can be among them.
 */
export const permissionRules = (grant: GrantBounds | null, door: Door, kind: string | null) => {
  const requests = requestsOf(door, kind)
  const permissions = grant?.permissions ?? ["*"]
  const matched = new Set(
    requests.length === 0
      ? permissions.filter((permission) => permission.trim() === "*")
      : requests.flatMap((request) => coveringPermissions({ ...withoutLimits(grant ?? fullBounds, {}) }, request))
  )
  const subjects = new Set<string>(requests.map(({ subject }) => subject))
  return {
    required: requests.length === 0 ? permissionsOf(door) : requests.map(permissionFor),
    matched: [...matched],
    nearMisses: permissions
      .filter((permission) => !matched.has(permission) && subjects.has(permission.trim().split(".")[0] ?? ""))
      .slice(0, nearMax)
  }
}

const fullBounds: GrantBounds = { permissions: ["*"], workspaceIds: null, projectIds: null, entityIds: null }
