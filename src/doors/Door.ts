/** Doors: what a caller needs in order to pass, stated by every operation. There is no default. */
import type { Scope } from "./Scope.ts"

/** What a permission is about. Only `entity` is qualified by a kind (its profile slug). */
export const subjects = [
  "entity",
  "facet",
  "relation",
  "relation_def",
  "profile",
  "property_def",
  "document",
  "project",
  "view",
  "track",
  "channel",
  "messaging",
  "session",
  "command",
  "brand",
  "artifact",
  "rule",
  "automation",
  "proposal",
  "event",
  "memory",
  "workspace",
  "member",
  "agent",
  "apiKey",
  "role",
  "webhook"
] as const
export type Subject = (typeof subjects)[number]

export type Action = "read" | "create" | "update" | "delete"

/** Open to everybody, with the reason: a public door is a sentence in a diff. */
export interface PublicDoor {
  readonly public: string
}

/** Only a person's sign-in session passes; keys never do. */
export interface SessionDoor {
  readonly session: true
}

/** Tells the caller about itself and nothing else, so no grant needs to bound it. */
export interface SelfDoor {
  readonly scope: Scope
  readonly self: true
}

/** Reads rows of one subject; the grant bounds them row by row. */
export interface RowsDoor {
  readonly scope: Scope
  readonly rows: Subject
}

/** Reads rows of several subjects at once and cannot filter row by row (specification §5.4, multi-kind doors). */
export interface EveryKindDoor {
  readonly scope: Scope
  readonly everyKind: readonly [Subject, ...ReadonlyArray<Subject>]
}

/** Open only to unrestricted credentials: a session, a key without a grant, or `*` without limits. */
export interface FullGrantDoor {
  readonly scope: Scope
  readonly fullGrant: true
}

/** Changes something: the grant must cover each of the actions, and the gate decides on the object itself. */
export interface WriteDoor {
  readonly scope: Scope
  readonly write: Subject
  readonly actions: readonly [Action, ...ReadonlyArray<Action>]
  /** The kind, where the operation knows it before its input does. */
  readonly kind?: string
}

export type ReadDoor = SelfDoor | RowsDoor | EveryKindDoor | FullGrantDoor
export type Door = PublicDoor | SessionDoor | ReadDoor | WriteDoor

/** Subjects whose writes give somebody authority, narrow it or take it away. */
const authoritative: ReadonlySet<Subject> = new Set([
  "workspace",
  "member",
  "agent",
  "apiKey",
  "role",
  "rule",
  "proposal",
  "webhook"
])

/**
 * Whether what passes here says who may do what: what a client says there is understood as a whole or refused. Sessions
 * and one-time links make keys, agents, roles, rules and owners; an approval carries out what was asked for.
 */
export const givesAuthority = (door: Door, kind: "query" | "mutation"): boolean =>
  "session" in door || ("public" in door ? kind === "mutation" : "write" in door && authoritative.has(door.write))

/** The permission keys a door asks of a grant, as they are shown to people and written into references. */
export const permissionsOf = (door: Door): ReadonlyArray<string> =>
  "rows" in door
    ? [`${door.rows}.read`]
    : "everyKind" in door
      ? door.everyKind.map((subject) => `${subject}.read`)
      : "write" in door
        ? door.actions.map((action) =>
            door.kind === undefined ? `${door.write}.${action}` : `${door.write}.${door.kind}.${action}`
          )
        : "fullGrant" in door
          ? ["*"]
          : []

/** One line for the manifest, the API reference and refusals. */
export const describeDoor = (door: Door): string =>
  "public" in door
    ? `public: ${door.public}`
    : "session" in door
      ? "sign-in session"
      : "self" in door
        ? `${door.scope}; about the caller itself`
        : "rows" in door
          ? `${door.scope}; rows the grant reads (${door.rows})`
          : "everyKind" in door
            ? `${door.scope}; grants that read every ${door.everyKind.join(", ")} without limits`
            : "write" in door
              ? `${door.scope}; ${permissionsOf(door).join(" + ")}`
              : `${door.scope}; unrestricted grants (*)`
