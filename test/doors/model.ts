/**
 * A second, independent model of who may do what: written from the specification only, simple and slow, without code
 * of src.
 */
import type { Door } from "../../src/doors/Door.ts"

/**
 * Where a call arrives: Hub REST, the procedures for keys below the Hub (`bridge`), the procedures for sessions at
 * `/trpc` (`session`), or MCP.
 */
export type Place = "rest" | "bridge" | "session" | "mcp"
export type Verb = "read" | "create" | "update" | "delete"
export type MembershipRole = "owner" | "admin" | "editor" | "viewer"

/** A grant as a person writes it. A limit that the person leaves out is null (specification §2.2). */
export interface ModelGrant {
  readonly permissions: ReadonlyArray<string>
  readonly workspaceIds: ReadonlyArray<string> | null
  readonly projectIds: ReadonlyArray<string> | null
  readonly entityIds: ReadonlyArray<string> | null
}

export interface ModelKey {
  readonly kind: "key"
  readonly scopes: ReadonlyArray<string>
  /** Null for a key from a time before keys had grants. */
  readonly grant: ModelGrant | null
  /** The one workspace that the key was made for. */
  readonly workspaceId: string | null
  /** Null if the person holds the key. Otherwise an agent holds the key, with these capabilities. */
  readonly capabilities: ReadonlyArray<string> | null
}

export type Credential =
  | { readonly kind: "none" | "malformed" | "mistyped" | "unknown" | "expired" | "revoked" | "session" | "operator" }
  | ModelKey

export type DoorAnswer =
  | { readonly passes: true }
  | { readonly passes: false; readonly status: 401 | 403; readonly reason: string }

export interface Person {
  readonly id: string
  /**
   * The role of the person in each space, by the id of the space. The personal space is included. Its id is the id of
   * the person.
   */
  readonly roles: ReadonlyMap<string, MembershipRole>
}

export interface Row {
  readonly id: string
  readonly spaceId: string
  readonly kind: string
  readonly projectIds: ReadonlyArray<string>
}

/** The row that a write is about: an existing row, or a new row, whose id is null. */
export type Target = Omit<Row, "id"> & { readonly id: string | null }

const word = "(?:\\*|[a-z0-9][a-z0-9_-]*)"
const grammar = new RegExp(`^(?:\\*|entity(?:\\.${word}){0,2}|(?!entity(?:\\.|$))[a-z0-9][a-z0-9_-]*(?:\\.${word})?)$`)

/** True if a text has the form of a permission (compatibility reference §3.3). */
export const isPermission = (text: string): boolean => text.trim().length <= 120 && grammar.test(text.trim())

/**
 * Returns a regular expression for the requests that a permission allows. A request has the form
 * `<subject>[.<kind>].<action>`.
 */
const allowing = (permission: string): RegExp => {
  const known = patterns.get(permission) ?? patternOf(permission)
  patterns.set(permission, known)
  return known
}
const patterns = new Map<string, RegExp>()

const patternOf = (permission: string): RegExp => {
  if (!isPermission(permission)) return /(?!)/
  const full = permission.trim().replace(/^entity\.(read|create|update|delete)$/, "entity.*.$1")
  const pattern = full.replaceAll(".", "\\.").replaceAll("*", "[^.]+")
  return new RegExp(`^${pattern}(?:\\.[^.]+)*$`)
}

/**
 * A kind that no permission can name, because the grammar of permissions does not allow this character. Only wildcards
 * match the kind.
 */
export const unnamedKind = "?"

/**
 * True if a list of permissions allows an action on a kind of a subject. Subjects other than entities have no kinds.
 */
export const permits = (permissions: ReadonlyArray<string>, subject: string, kind: string, action: string): boolean => {
  const request = subject === "entity" ? `entity.${kind}.${action}` : `${subject}.${action}`
  return permissions.some((permission) => allowing(permission).test(request))
}

const grantPermits = (grant: ModelGrant | null, subject: string, kind: string, action: string) =>
  grant === null || permits(grant.permissions, subject, kind, action)

const hasLimits = (key: ModelKey) =>
  key.workspaceId !== null ||
  (key.grant !== null &&
    [key.grant.workspaceIds, key.grant.projectIds, key.grant.entityIds].some((ids) => ids !== null))

const isFullAccess = (key: ModelKey) =>
  !hasLimits(key) && (key.grant === null || key.grant.permissions.some((permission) => /^\s*\*\s*$/.test(permission)))

/**
 * True if a key has full access in the one workspace for which it was made. The grant of such a key has no limits, so
 * the key is not narrower than `*` (§5.4), but the key is confined to the workspace (§5.1).
 */
const isFullInItsWorkspace = (key: ModelKey) => isFullAccess({ ...key, workspaceId: null })

/**
 * True if a place accepts this credential: `/trpc` accepts only sessions, the bridge and MCP accept only keys, and REST
 * accepts both (§1, §5.1). The operator of the data directory is accepted where sessions are accepted.
 */
const isTakenAt = (place: Place, credential: Credential) => {
  if (credential.kind === "none") return false
  if (credential.kind === "operator") return place === "rest" || place === "session"
  return place === "rest" || (credential.kind === "session") === (place === "session")
}

const sessionScopes = new Set([
  "hub-protocol.read",
  "hub-protocol.write",
  "chat.stream",
  "skills.invoke",
  "read:entities",
  "write:entities",
  "ai:analyze",
  "providers.write"
])

/**
 * Section 5.3 of the specification as a table: for each scope that an operation requires, the scopes that a key may
 * have instead.
 */
const openers: Readonly<Record<string, ReadonlyArray<string>>> = {
  "hub-protocol.read": ["hub-protocol.read"],
  "hub-protocol.write": ["hub-protocol.write", "hub-protocol.admin"],
  "realtime:observe": ["realtime:observe", "hub-protocol.read"],
  "mcp.read": ["mcp.read", "data.read"],
  "mcp.write": ["mcp.write", "data.write"]
}

const unauthorized = (reason: string): DoorAnswer => ({ passes: false, status: 401, reason })
const forbidden = (reason: string): DoorAnswer => ({ passes: false, status: 403, reason })
const passes: DoorAnswer = { passes: true }

/**
 * Returns every kind that can give a different result for a grant: all words in the permissions of the grant, and one
 * kind that no permission names.
 */
const kindsToTry = (permissions: ReadonlyArray<string>) => [
  unnamedKind,
  ...permissions.flatMap((permission) => permission.match(/[a-z0-9_-]+/g) ?? [])
]

type ScopedDoor = Exclude<Door, { readonly _tag: "Public" | "Session" | "Operator" }>

/** Returns the answer that a valid key gets from the access check (door) of an operation that requires a scope. */
const keyAtDoor = (key: ModelKey, door: ScopedDoor): DoorAnswer => {
  switch (door._tag) {
    case "Self":
    case "Rows":
    case "SeveralRows":
      return passes
    case "FullGrant":
      return isFullAccess(key) || (door.isSpaceBounded === true && isFullInItsWorkspace(key))
        ? passes
        : forbidden("GRANT_DOOR_UNSUPPORTED")
    case "EveryKind": {
      if (door.isRowBounded === true && isFullInItsWorkspace(key)) return passes
      const readsAll = door.subjects.every((subject) => grantPermits(key.grant, subject, unnamedKind, "read"))
      return readsAll && !hasLimits(key) ? passes : forbidden("GRANT_DOOR_UNSUPPORTED")
    }
    case "Write": {
      if (door.isUnrestricted === true && !isFullAccess(key)) return forbidden("GRANT_DENIED")
      const kinds = door.kind === undefined ? kindsToTry(key.grant?.permissions ?? []) : [door.kind]
      // The answer to an update shows the whole record, so a key for an update also needs the permission to read.
      const needed: ReadonlyArray<Verb> = door.actions.includes("update") ? [...door.actions, "read"] : door.actions
      const isPossible = needed.every((action) =>
        kinds.some((kind) => grantPermits(key.grant, door.subject, kind, action))
      )
      if (!isPossible) return forbidden("GRANT_DENIED")
      return door.reads === undefined ? passes : keyAtDoor(key, door.reads)
    }
  }
}

/**
 * Returns the expected answer of an operation's access check (door). The pod does this check before it reads the input.
 */
export const doorAnswer = (place: Place, door: Door, credential: Credential): DoorAnswer => {
  if (door._tag === "Public") return passes
  if (!isTakenAt(place, credential)) return unauthorized("no_auth")
  switch (credential.kind) {
    case "none":
      return unauthorized("no_auth")
    case "malformed":
      return unauthorized("invalid_format")
    case "mistyped":
    case "unknown":
    case "revoked":
      return unauthorized("key_revoked")
    case "expired":
      return unauthorized("expired")
    case "session":
    case "operator":
      if (door._tag === "Operator") return credential.kind === "operator" ? passes : forbidden("OPERATOR_ONLY")
      if (door._tag === "Session") return passes
      return (openers[door.scope] ?? [door.scope]).some((scope) => sessionScopes.has(scope))
        ? passes
        : forbidden("SCOPE_MISSING")
    case "key": {
      if (door._tag === "Session") return forbidden("SESSION_ONLY")
      if (door._tag === "Operator") return forbidden("OPERATOR_ONLY")
      const opening = openers[door.scope] ?? [door.scope]
      return opening.some((scope) => credential.scopes.includes(scope))
        ? keyAtDoor(credential, door)
        : forbidden("SCOPE_MISSING")
    }
  }
}

/** True if the credential can be used in this space of the person at all (§5.1 rule 7, §2.2 workspaceIds). */
export const reachesSpace = (credential: Credential, person: Person, spaceId: string): boolean => {
  const key = keyOf(credential)
  const within = key?.grant?.workspaceIds ?? null
  return (
    person.roles.has(spaceId) &&
    (key === undefined || key.workspaceId === null || key.workspaceId === spaceId) &&
    (within === null || (spaceId !== person.id && within.includes(spaceId)))
  )
}

export const mayInRole = (role: MembershipRole | undefined, action: Verb) =>
  ({
    read: role !== undefined,
    create: role === "owner" || role === "admin" || role === "editor",
    update: role === "owner" || role === "admin" || role === "editor",
    delete: role === "owner" || role === "admin"
  })[action]

/**
 * True if the permissions and limits of a grant allow this action on this object. The person's roles are not checked
 * here.
 */
export const grantAllows = (
  grant: ModelGrant | null,
  person: Person,
  subject: string,
  action: Verb,
  target: Target
): boolean => {
  if (grant === null) return true
  if (!permits(grant.permissions, subject, target.kind, action)) return false
  const { workspaceIds, entityIds, projectIds } = grant
  if (workspaceIds !== null && (target.spaceId === person.id || !workspaceIds.includes(target.spaceId))) return false
  if (entityIds !== null && (target.id === null || !entityIds.includes(target.id))) return false
  return projectIds === null || target.projectIds.some((project) => projectIds.includes(project))
}

export const keyOf = (credential: Credential): ModelKey | undefined =>
  credential.kind === "key" ? credential : undefined

const notObjects = new Set(["event", "messaging", "notification", "preference"])

/**
 * True if both the grant and the person's access allow an action on a row. An agent's capabilities are ignored, because
 * they do not limit reads.
 */
export const mayTouch = (
  credential: Credential,
  person: Person,
  action: Verb,
  row: Target,
  subject = "entity"
): boolean => {
  const grant = keyOf(credential)?.grant ?? null
  // Events, messages, notifications and preferences are not objects, and only entities and their proposals have
  // projects (§3.5).
  if (grant !== null && grant.entityIds !== null && notObjects.has(subject)) return false
  if (grant !== null && grant.projectIds !== null && subject !== "entity" && subject !== "proposal") return false
  return (
    reachesSpace(credential, person, row.spaceId) &&
    mayInRole(person.roles.get(row.spaceId), action) &&
    grantAllows(grant, person, subject, action, row)
  )
}

/** True if the caller sees an entity, by list or by id. */
export const canSee = (credential: Credential, person: Person, row: Row): boolean =>
  mayTouch(credential, person, "read", row)

/**
 * True if the caller may ask which rows of a space are in a project. The caller must read the project, or the grant is
 * limited to projects and names this one.
 */
const mayAskForProject = (credential: Credential, person: Person, spaceId: string, projectId: string): boolean =>
  keyOf(credential)?.grant?.projectIds?.includes(projectId) ??
  mayTouch(credential, person, "read", { id: projectId, spaceId, kind: unnamedKind, projectIds: [] }, "project")

/** The query of a listing, in the form that a client sends. */
export interface ListingQuery {
  readonly profileSlug?: string
  readonly workspaceId?: string
  readonly projectId?: string
  readonly scope?: "pod" | "workspace" | "all"
  readonly includePodWide?: "true" | "false"
}

/** Returns the ids that a listing must return, or the code of its refusal. */
export const expectedListing = (
  credential: Credential,
  person: Person,
  rows: ReadonlyArray<Row>,
  asked: ListingQuery = {}
): ReadonlyArray<string> | { readonly refused: string } => {
  const { profileSlug, workspaceId, projectId, scope, includePodWide } = asked
  if (workspaceId !== undefined && !reachesSpace(credential, person, workspaceId)) {
    return { refused: "WORKSPACE_FORBIDDEN" }
  }
  const isPodWideAsked = includePodWide !== "false" && scope !== "workspace"
  const isAsked = (row: Row) => {
    if (profileSlug !== undefined && row.kind !== profileSlug) return false
    if (projectId !== undefined) {
      if (!row.projectIds.includes(projectId)) return false
      if (!mayAskForProject(credential, person, row.spaceId, projectId)) return false
    }
    if (row.spaceId === person.id) return isPodWideAsked || scope === "pod"
    return scope !== "pod" && (workspaceId === undefined || row.spaceId === workspaceId)
  }
  return rows.filter((row) => isAsked(row) && canSee(credential, person, row)).map(({ id }) => id)
}
