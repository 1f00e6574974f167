/**
 * Decides whether a principal is allowed to call an operation. The door of the operation is the rule that decides.
 * HTTP, MCP and the procedures all use these pure functions.
 */
import type { OperationProperties } from "../../doors/Declaration.ts"
import type { Door, EveryKindDoor, OperatorDoor, WriteDoor } from "../../doors/Door.ts"
import { actionsNeeded, permissionsOf } from "../../doors/DoorRequirements.ts"
import { Forbidden, GrantDoorUnsupported, type Refused } from "../../doors/Failure.ts"
import { isLocalOperator, localOperator, type Principal } from "../../doors/Principal.ts"
import { opensScope, type Scope } from "../../doors/Scope.ts"
import { hasFullGrant, isLimited, isUnrestricted } from "../grants/Grant.ts"
import { kindsCovered } from "../grants/GrantMatcher.ts"

/** Returns the permissions of a principal in the form that a refusal shows. */
export const grantedPermissions = (principal: Principal): ReadonlyArray<string> => principal.grant?.permissions ?? ["*"]

const doorUnsupported = (principal: Principal, door: Door, why: string) => {
  const required = permissionsOf(door)
  const named = required.map((permission) => `\`${permission}\``).join(", ")
  return new GrantDoorUnsupported({
    why: `${why} Use a key with the permission${required.length === 1 ? "" : "s"} ${named} and without limits.`,
    required,
    granted: grantedPermissions(principal)
  })
}

const scopeRefusal = (principal: Principal, scope: Scope): Forbidden | null =>
  opensScope(principal.scopes, scope)
    ? null
    : new Forbidden({
        code: "SCOPE_MISSING",
        why: `This operation needs the scope ${scope}.`,
        required: [scope],
        granted: principal.scopes
      })

const sessionRefusal = ({ credential, scopes }: Principal): Forbidden | null =>
  credential.kind === "session"
    ? null
    : new Forbidden({
        code: "SESSION_ONLY",
        why: "This operation needs the sign-in session of a person; a key cannot call it.",
        required: ["session"],
        granted: scopes
      })

const operatorRefusal = (principal: Principal, { command, what }: OperatorDoor): Forbidden | null =>
  isLocalOperator(principal)
    ? null
    : new Forbidden({
        code: "OPERATOR_ONLY",
        why: `Only the operator of the pod may ${what}. Run \`${command}\` on the machine of the pod.`,
        required: [localOperator],
        granted: [principal.credential.kind]
      })

const everyKindRefusal = (principal: Principal, door: EveryKindDoor): GrantDoorUnsupported | null => {
  const readsAll = door.subjects.every((subject) => kindsCovered(principal.grant, subject, "read") === null)
  const isWithin = door.isRowBounded === true && hasFullGrant(principal)
  return isWithin || (readsAll && !isLimited(principal))
    ? null
    : doorUnsupported(
        principal,
        door,
        "This operation reads every kind of record, but the grant of the key does not allow that."
      )
}

const writeRefusal = (principal: Principal, door: WriteDoor): Forbidden | null => {
  if (door.isUnrestricted === true && !isUnrestricted(principal)) {
    return new Forbidden({
      code: "GRANT_DENIED",
      why: "The pod cannot limit this write to the records of a grant. Use a key with the permission `*` and without limits.",
      required: permissionsOf(door),
      granted: grantedPermissions(principal)
    })
  }
  const missing = actionsNeeded(door).filter((action) => {
    const kinds = kindsCovered(principal.grant, door.subject, action)
    return kinds !== null && (door.kind === undefined ? kinds.length === 0 : !kinds.includes(door.kind))
  })
  return missing.length === 0
    ? null
    : new Forbidden({
        code: "GRANT_DENIED",
        why: "The grant of the key does not cover this write.",
        required: permissionsOf(door),
        granted: grantedPermissions(principal)
      })
}

/**
 * Returns the refusal if a principal is not allowed to call an operation, and null otherwise. Also refuses a tool that
 * the tool profile of the key does not contain.
 */
export const operationRefusal = (
  principal: Principal,
  { door, name, profiles }: Pick<OperationProperties, "name" | "door" | "profiles">
): Refused | null => doorRefusal(principal, door) ?? profileRefusal(principal, name, profiles)

const profileRefusal = (
  { toolProfile }: Principal,
  name: string,
  profiles: OperationProperties["profiles"]
): Forbidden | null =>
  profiles === undefined || toolProfile === null || profiles.includes(toolProfile)
    ? null
    : new Forbidden({
        code: "TOOL_PROFILE",
        why: `The tool profile ${toolProfile} of this key does not contain the tool ${name}.`,
        required: [name],
        granted: [`the tool profile ${toolProfile}`]
      })

/**
 * Checks a principal against the door of an operation. Returns null if the principal may pass, and otherwise the
 * refusal. The type of the result excludes undefined. So if this function leaves out a kind of door, the compiler
 * reports an error. Otherwise such a door could let everybody pass.
 */
export const doorRefusal = (principal: Principal, door: Door): Refused | null => {
  switch (door._tag) {
    case "Public":
      return null
    case "Session":
      return sessionRefusal(principal)
    case "Operator":
      return operatorRefusal(principal, door)
    case "Self":
    case "Rows":
    case "SeveralRows":
      return scopeRefusal(principal, door.scope)
    case "EveryKind":
      return scopeRefusal(principal, door.scope) ?? everyKindRefusal(principal, door)
    case "FullGrant":
      return (
        scopeRefusal(principal, door.scope) ??
        (isUnrestricted(principal) || (door.isSpaceBounded === true && hasFullGrant(principal))
          ? null
          : doorUnsupported(
              principal,
              door,
              "The pod cannot limit this operation to what the grant of the key allows."
            ))
      )
    case "Write":
      return (
        scopeRefusal(principal, door.scope) ??
        writeRefusal(principal, door) ??
        (door.reads === undefined ? null : everyKindRefusal(principal, door.reads))
      )
  }
}
