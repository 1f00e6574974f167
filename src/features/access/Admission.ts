/** Whether a principal passes a door: the one decision behind every surface, pure. */
import { type Door, type EveryKindDoor, permissionsOf, type WriteDoor } from "../../doors/Door.ts"
import { Forbidden } from "../../doors/Failure.ts"
import { unsupportedCode } from "../../doors/OpenTo.ts"
import type { Principal } from "../../doors/Principal.ts"
import { opensScope, type Scope } from "../../doors/Scope.ts"
import { isLimited, isUnrestricted } from "../grants/Grant.ts"
import { kindsCovered } from "../grants/GrantMatcher.ts"

/** The permissions a principal holds, as they are shown in a refusal. */
export const heldBy = (principal: Principal): ReadonlyArray<string> => principal.grant?.permissions ?? ["*"]

const unsupported = (principal: Principal, door: Door, why: string) =>
  new Forbidden({
    code: unsupportedCode,
    why: `${why} It takes a key with the permission * and no limits.`,
    required: permissionsOf(door),
    granted: heldBy(principal)
  })

const scopeRefusal = (principal: Principal, scope: Scope): Forbidden | null =>
  opensScope(principal.scopes, scope)
    ? null
    : new Forbidden({
        code: "SCOPE_MISSING",
        why: `This needs the scope ${scope}.`,
        required: [scope],
        granted: principal.scopes
      })

const sessionRefusal = ({ credential, scopes }: Principal): Forbidden | null =>
  credential.kind === "session"
    ? null
    : new Forbidden({
        code: "SESSION_ONLY",
        why: "Only a person's sign-in session passes here; keys never do.",
        required: ["session"],
        granted: scopes
      })

const everyKindRefusal = (principal: Principal, door: EveryKindDoor): Forbidden | null => {
  const readsAll = door.subjects.every((subject) => kindsCovered(principal.grant, subject, "read") === null)
  return readsAll && !isLimited(principal)
    ? null
    : unsupported(principal, door, "This door reads every kind of record and the grant does not.")
}

const writeRefusal = (principal: Principal, door: WriteDoor): Forbidden | null => {
  const missing = door.actions.filter((action) => {
    const kinds = kindsCovered(principal.grant, door.subject, action)
    return kinds !== null && (door.kind === undefined ? kinds.length === 0 : !kinds.includes(door.kind))
  })
  return missing.length === 0
    ? null
    : new Forbidden({
        code: "GRANT_DENIED",
        why: "The grant does not cover this write.",
        required: permissionsOf(door),
        granted: heldBy(principal)
      })
}

/**
 * Null when the door lets the principal in; else the refusal, said as data. Never undefined: that would be what a kind
 * of door comes to that is not handled here, and every caller would be let in.
 */
export const refusalAt = (principal: Principal, door: Door): Forbidden | null => {
  switch (door._tag) {
    case "Public":
      return null
    case "Session":
      return sessionRefusal(principal)
    case "Self":
    case "Rows":
      return scopeRefusal(principal, door.scope)
    case "EveryKind":
      return scopeRefusal(principal, door.scope) ?? everyKindRefusal(principal, door)
    case "FullGrant":
      return (
        scopeRefusal(principal, door.scope) ??
        (isUnrestricted(principal)
          ? null
          : unsupported(principal, door, "The grant cannot bound what this door reads."))
      )
    case "Write":
      return scopeRefusal(principal, door.scope) ?? writeRefusal(principal, door)
  }
}
