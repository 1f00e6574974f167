/**
 * Explains a decision: which axis (part of the access rules) decided, which permission the request needed, and the
 * smallest grant with which the pod would allow the request. The functions of this file are pure.
 */
import { Schema } from "effect"
import { described, Timestamp } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import type { Action } from "../../doors/Door.ts"
import type { Membership, Principal } from "../../doors/Principal.ts"
import { Verdict } from "../../doors/GateVerdict.ts"
import type { Event } from "../events/Event.ts"
import { roleAllows } from "../grants/GrantMatcher.ts"
import { rungAxis } from "../gate/Rungs.ts"

/** The part of the access rules that decided. */
export const Axis = Schema.Literal(
  "scope",
  "credential",
  "door",
  "grant",
  "workspace",
  "role",
  "capabilities",
  "identity",
  "policy",
  "none"
)

export const Explanation = Schema.Struct({
  decisionId: Id,
  verdict: Verdict,
  axis: described("Group of access rules to which the deciding rule belongs.", Axis),
  rung: described("Rung (rule of the gate) that decided; before the gate: code of the refusal.", Schema.String),
  why: described("Reason for the decision, in words.", Schema.String),
  operation: described("Name of the called operation.", Schema.NullOr(Schema.String)),
  permission: described("Permission that the request needed.", Schema.String),
  smallestGrant: described(
    "Smallest grant that would allow the refused request; null if no grant would.",
    Schema.NullOr(
      Schema.Struct({
        permissions: described(
          "Permissions, such as `entity.note.create`; `*` means every permission.",
          Schema.Array(Schema.String)
        ),
        workspaceIds: described(
          "Ids of the workspaces that the grant is limited to.",
          Schema.optional(Schema.Array(Id))
        ),
        entityIds: described("Ids of the entities that the grant is limited to.", Schema.optional(Schema.Array(Id)))
      })
    )
  ),
  proposalId: Schema.NullOr(Id),
  eventType: Schema.String,
  subjectId: described("Id of the object that the request was about.", Schema.NullOr(Id)),
  at: Timestamp
}).annotations({ identifier: "Decision" })
export type Explanation = typeof Explanation.Type

/**
 * If the pod refuses a call before the call runs, this table maps the error code to the axis (part of the access rules)
 * that decided. Refused writes are not in this table, because each rule of the gate defines its own axis.
 */
const axisByCode: Readonly<Record<string, typeof Axis.Type>> = {
  SCOPE_MISSING: "scope",
  SESSION_ONLY: "credential",
  OPERATOR_ONLY: "credential",
  KEY_ONLY: "credential",
  ORIGIN_FORBIDDEN: "credential",
  GRANT_DOOR_UNSUPPORTED: "door",
  GRANT_DENIED: "grant",
  GRANT_TOO_WIDE: "grant",
  WORKSPACE_FORBIDDEN: "workspace",
  IDENTITY_FORBIDDEN: "identity",
  AGENT_FORBIDDEN: "identity"
}

type SmallestGrant = Explanation["smallestGrant"]

interface About {
  readonly spaceId: string
  readonly objectId: string | null
}

const actions: ReadonlyArray<string> = ["read", "create", "update", "delete"] satisfies ReadonlyArray<Action>
const isAction = (text: string | undefined): text is Action => text !== undefined && actions.includes(text)

/** Returns true if the role allows the action that is the last word of the permission. */
const mayUse = (role: Membership["role"], permission: string): boolean => {
  const action = permission.split(".").at(-1)
  return isAction(action) && roleAllows(role, action)
}

/**
 * Returns the smallest grant with which the pod would allow the same request: the needed permissions, limited to the
 * workspace and the object of the request. The event of a refusal names the workspace only if the person is a member.
 * So the grant never allows more than the person is allowed to do.
 */
const smallestGrant = (principal: Principal, event: Event, axis: typeof Axis.Type): SmallestGrant => {
  // If a refusal has no `needs`, the field `required` has the needed permission. Such a refusal concerns only one
  // permission, or the pod recorded it before `needs` existed.
  const needed = event.data["needs"] ?? event.data["required"]
  const permissions = Array.isArray(needed) ? needed.map(String) : []
  if (axis === "door") return { permissions: ["*"] }
  if (axis !== "grant" || permissions.length === 0) return null
  // Only the pod writes events of refusals, and `about` then has this form.
  const about = event.data["about"] as About | undefined
  if (about === undefined) return { permissions }
  const membership = principal.memberships.find(({ spaceId }) => spaceId === about.spaceId)
  if (membership === undefined || !permissions.every((permission) => mayUse(membership.role, permission))) return null
  return {
    permissions,
    ...(about.spaceId === principal.personId ? {} : { workspaceIds: [about.spaceId] }),
    ...(about.objectId === null ? {} : { entityIds: [about.objectId] })
  }
}

/** Explains a decision to the caller who made the request. Null if the event records no decision. */
export const explain = (principal: Principal, event: Event): Explanation | null => {
  const { decision } = event
  if (decision === undefined) return null
  const text = (name: string) => {
    const value = event.data[name]
    return typeof value === "string" ? value : null
  }
  const code = text("code")
  const axis =
    rungAxis(decision.rung) ??
    axisByCode[decision.rung] ??
    axisByCode[code ?? ""] ??
    (decision.verdict === "allow" ? "none" : "policy")
  const isRefusal = decision.verdict === "deny"
  return {
    decisionId: event.id,
    verdict: decision.verdict,
    axis,
    rung: decision.rung,
    why: isRefusal
      ? (text("why") ?? "The pod refused the request.")
      : decision.verdict === "propose"
        ? "The request needed the approval of a person."
        : "The pod carried out the request.",
    operation: text("operation"),
    permission: decision.permission,
    smallestGrant: isRefusal ? smallestGrant(principal, event, axis) : null,
    proposalId: event.type === "proposal.create" ? (event.subjectId ?? null) : null,
    eventType: event.type,
    subjectId: isRefusal ? null : (event.subjectId ?? null),
    at: event.timestamp
  }
}
