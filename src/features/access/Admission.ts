/** Whether a principal passes a door: the one decision behind every surface, pure. */
import { type Door, permissionsOf } from "../../doors/Door.ts"
import { Forbidden } from "../../doors/Failure.ts"
import type { Principal } from "../../doors/Principal.ts"
import { opensScope } from "../../doors/Scope.ts"
import { isLimited, isUnrestricted } from "../grants/Grant.ts"
import { kindsCovered } from "../grants/GrantMatcher.ts"

/** The permissions a principal holds, as they are shown in a refusal. */
export const heldBy = (principal: Principal): ReadonlyArray<string> => principal.grant?.permissions ?? ["*"]

const unsupported = (principal: Principal, door: Door, why: string) =>
  new Forbidden({
    code: "GRANT_DOOR_UNSUPPORTED",
    why: `${why} Use a door that lists rows, or a key with the permission * and no limits.`,
    required: permissionsOf(door),
    granted: heldBy(principal)
  })

/** Nothing when the door lets the principal in; else the refusal, said as data. */
export const refusalAt = (principal: Principal, door: Door): Forbidden | undefined => {
  if ("public" in door) return undefined
  if ("session" in door) {
    return principal.credential.kind === "session"
      ? undefined
      : new Forbidden({
          code: "SESSION_ONLY",
          why: "Only a person's sign-in session passes here; keys never do.",
          required: ["session"],
          granted: principal.scopes
        })
  }
  if (!opensScope(principal.scopes, door.scope)) {
    return new Forbidden({
      code: "SCOPE_MISSING",
      why: `This needs the scope ${door.scope}.`,
      required: [door.scope],
      granted: principal.scopes
    })
  }
  const { grant } = principal
  if ("self" in door || "rows" in door) return undefined
  const isOpen = isUnrestricted(principal)
  if ("fullGrant" in door) {
    return isOpen ? undefined : unsupported(principal, door, "The grant cannot bound what this door reads.")
  }
  if ("everyKind" in door) {
    const readsAll = door.everyKind.every((subject) => kindsCovered(grant, subject, "read") === null)
    return readsAll && !isLimited(principal)
      ? undefined
      : unsupported(principal, door, "This door reads every kind of record and the grant does not.")
  }
  const missing = door.actions.filter((action) => {
    const kinds = kindsCovered(grant, door.write, action)
    return kinds !== null && (door.kind === undefined ? kinds.length === 0 : !kinds.includes(door.kind))
  })
  return missing.length === 0
    ? undefined
    : new Forbidden({
        code: "GRANT_DENIED",
        why: "The grant does not cover this write.",
        required: permissionsOf(door),
        granted: heldBy(principal)
      })
}
