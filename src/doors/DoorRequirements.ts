/**
 * What a door requires of a caller: the scope, the permissions, and whether a limited grant is refused. No `switch`
 * over doors has a default case. So the compiler reports all code that does not handle a new kind of door.
 */
import type { Scope } from "./Scope.ts"
import type { Action, Door, Subject, WriteDoor } from "./Door.ts"

/**
 * Returns the scope that a key needs for a call through this door. Returns null if the door is public, for sessions
 * only, or for the operator only.
 */
export const scopeOf = (door: Door): Scope | null => {
  switch (door._tag) {
    case "Public":
    case "Session":
    case "Operator":
      return null
    case "Self":
    case "Rows":
    case "SeveralRows":
    case "EveryKind":
    case "FullGrant":
    case "Write":
      return door.scope
  }
}

/**
 * The subjects whose writes can change the access rights of somebody. For example, a command or a skill has a field
 * that says who may see this command or skill.
 */
const authoritative: ReadonlySet<Subject> = new Set([
  "workspace",
  "member",
  "agent",
  "apiKey",
  "role",
  "rule",
  "proposal",
  "webhook",
  "vault",
  "connector",
  "provider",
  "calendar",
  "command"
])

/**
 * Returns true if an operation with this door can change the rights of somebody. Such an operation never ignores
 * unknown fields, even if the client asks for it. Operations for sessions and for one-time links are included, because
 * they create keys, agents, roles, rules and owners.
 */
export const givesAuthority = (door: Door, kind: "query" | "mutation"): boolean => {
  switch (door._tag) {
    case "Session":
    case "Operator":
      return true
    case "Public":
      return kind === "mutation"
    case "Write":
      return authoritative.has(door.subject)
    case "Self":
    case "Rows":
    case "SeveralRows":
    case "EveryKind":
    case "FullGrant":
      return false
  }
}

/**
 * Returns true if some grants cannot limit what the operation reads. A key with such a grant is refused with
 * `GrantDoorUnsupported`.
 */
export const refusesGrants = (door: Door): boolean => {
  switch (door._tag) {
    case "EveryKind":
    case "FullGrant":
      return true
    case "Write":
      return door.reads !== undefined
    case "Public":
    case "Session":
    case "Operator":
    case "Self":
    case "Rows":
    case "SeveralRows":
      return false
  }
}

/**
 * Returns the actions that the grant must cover for a write. An update also needs the action `read`, because its answer
 * is the whole record.
 */
export const actionsNeeded = ({ actions }: Pick<WriteDoor, "actions">): ReadonlyArray<Action> =>
  actions.includes("update") ? [...actions, "read"] : actions

/** Returns the permissions that a grant needs for this door, in the form that refusals and the API references show. */
export const permissionsOf = (door: Door): ReadonlyArray<string> => {
  switch (door._tag) {
    case "Public":
    case "Session":
    case "Operator":
    case "Self":
      return []
    case "Rows":
      return [`${door.subject}.read`]
    case "SeveralRows":
    case "EveryKind":
      return door.subjects.map((subject) => `${subject}.read`)
    case "FullGrant":
      return ["*"]
    case "Write":
      if (door.isUnrestricted === true) return ["*"]
      return [
        ...actionsNeeded(door).map((action) =>
          door.kind === undefined ? `${door.subject}.${action}` : `${door.subject}.${door.kind}.${action}`
        ),
        ...(door.reads === undefined ? [] : permissionsOf(door.reads))
      ]
  }
}

/** Describes the door in one line for the manifest, the API reference and refusals. */
export const describeDoor = (door: Door): string => {
  switch (door._tag) {
    case "Public":
      return `public: ${door.why}`
    case "Session":
      return "sign-in session"
    case "Operator":
      return "only the operator of the pod, over the socket admin.sock in the data directory"
    case "Self":
      return `${door.scope}; any grant, because the operation concerns only the caller`
    case "Rows":
      return `${door.scope}; returns the records that the grant covers (${door.subject})`
    case "SeveralRows":
      return `${door.scope}; returns the records that the grant covers (${door.subjects.join(", ")})`
    case "EveryKind":
      return `${door.scope}; a grant without limits that covers reading every ${door.subjects.join(", ")}`
    case "FullGrant":
      return `${door.scope}; a grant with the permission \`*\` and without limits`
    case "Write":
      return `${door.scope}; ${permissionsOf(door).join(" + ")}`
  }
}
