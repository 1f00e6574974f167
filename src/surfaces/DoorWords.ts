/** Describes in words, for the API documentation, who passes a door, and with which credentials. */
import type { Door } from "../doors/Door.ts"
import { permissionsOf } from "../doors/DoorRequirements.ts"
import { opensScope, type Scope, sessionScopes } from "../doors/Scope.ts"

/**
 * The accepted credentials in the form of OpenAPI: a list of alternatives. A caller needs all credentials of one
 * alternative.
 */
export type Security = ReadonlyArray<Readonly<Record<string, ReadonlyArray<never>>>>

/**
 * Returns the title of a group. For example, the group `focusSessions` has the title "Focus sessions". A group can
 * declare another title.
 */
export const titleOf = (name: string): string =>
  (name.charAt(0).toUpperCase() + name.slice(1))
    .replace(/([a-z])([A-Z])/g, (_, last: string, first: string) => `${last} ${first.toLowerCase()}`)
    .replace(/^Api\b/, "API")

const needs = ({ scope }: { readonly scope: Scope }) => `Needs \`${scope}\``

/** Returns one sentence that says who is allowed to call an operation with this door. */
export const doorSentence = (door: Door): string => {
  switch (door._tag) {
    case "Public":
      return `Needs no key or session: ${door.why}.`
    case "Session":
      return "Needs a sign-in session, not a key."
    case "Operator":
      return `Only the operator may call this operation, with \`${door.command}\`; keys and sessions are refused.`
    case "Self":
      return `${needs(door)}. The operation concerns only the caller, so any grant is enough.`
    case "Rows":
      return `${needs(door)}. Returns only \`${door.subject}\` records that the grant covers.`
    case "SeveralRows":
      return `${needs(door)}. Returns only records that the grant covers: ${door.subjects.join(", ")}.`
    case "EveryKind":
      return `${needs(door)}, and a grant without limits that covers reading every kind of ${door.subjects.join(", ")}.`
    case "FullGrant":
      return `${needs(door)}, and an unrestricted grant (\`*\` without limits).`
    case "Write": {
      if (door.isUnrestricted === true) return `${needs(door)}, and an unrestricted grant (\`*\` without limits).`
      const permissions = permissionsOf(door).map((permission) => `\`${permission}\``)
      return `${needs(door)}, and a grant that covers ${permissions.join(" and ")} for the written record.`
    }
  }
}

/** The credentials that most operations accept. */
export const usualSecurity: Security = [{ bearer: [] }, { session: [] }]

export const securityOf = (door: Door): Security => {
  switch (door._tag) {
    case "Public":
      return []
    case "Session":
      return [{ session: [] }]
    case "Operator":
      return [{ operator: [] }]
    case "Self":
    case "Rows":
    case "SeveralRows":
    case "EveryKind":
    case "FullGrant":
    case "Write":
      return opensScope(sessionScopes, door.scope) ? usualSecurity : [{ bearer: [] }]
  }
}

/**
 * Returns a short sentence that says who is allowed to call an operation with this door. The description of the
 * operation lists the scope and the permissions separately. Returns undefined for reads of rows, for most writes, and if
 * the permission is `*`, because the introduction of the document explains these.
 */
export const shortDoorSentence = (door: Door): string | undefined => {
  switch (door._tag) {
    case "Public":
    case "Session":
    case "Operator":
      return doorSentence(door)
    case "Self":
      return "Any grant is enough."
    case "Rows":
    case "SeveralRows":
    case "FullGrant":
      return undefined
    case "Write":
      return door.isUnrestricted === true ? "Needs the grant `*`." : undefined
    case "EveryKind":
      return "Needs a grant without limits."
  }
}
