/**
 * Reach is a value that says what one call is allowed to touch. Stores require a reach, and only Dispatch provides it.
 */
import { Context } from "effect"
import type { Action, Subject } from "./Door.ts"
import type { Principal } from "./Principal.ts"

/**
 * The rows that one action on one subject is allowed to touch. If `kinds`, `objects` or `projects` is null, this field
 * sets no limit. An empty list allows no row.
 */
export interface Bounds {
  readonly spaces: ReadonlyArray<string>
  readonly kinds: ReadonlyArray<string> | null
  readonly objects: ReadonlyArray<string> | null
  readonly projects: ReadonlyArray<string> | null
}

/**
 * What every statement checks before its work. `key` and `session`: the credential of the caller. `person`: the person
 * in whose name the pod works later, such as in an automation. `system`: the pod's own work. `person` and `system` have
 * a reason instead of a credential. `personId` is the person in whose name the statement reads and writes. This can be
 * another person than the caller, such as the person of an agent whose proposal the caller approves.
 */
export type Authority =
  | {
      readonly kind: "key" | "session"
      readonly credentialId: string
      readonly personId: string
      readonly epoch: number
    }
  | {
      readonly kind: "person"
      readonly reason: string
      readonly personId: string
      /** The person whose access the statement checks. It never changes during a call, and `epoch` belongs to it. */
      readonly callerId: string
      readonly epoch: number
    }
  | { readonly kind: "system"; readonly reason: string; readonly personId: string }

/**
 * Returns the id of the key or sign-in session of an authority. Returns null for the kinds `person` and `system`, which
 * have neither.
 */
export const credentialIdOf = (authority: Authority): string | null =>
  authority.kind === "key" || authority.kind === "session" ? authority.credentialId : null

/** The HTTP request of a call. Events store it, and limits for each client use it. */
export interface Origin {
  readonly operation: string
  readonly requestId: string
  readonly client: Client
  /** The run of an automation in which the pod makes the call. A client cannot set this field. */
  readonly run?: RunOrigin | undefined
  /** Set if the operator of the data directory makes the call. Dispatch sets it. */
  readonly isOperator?: true
  /**
   * Whether the call is a probe. A probe sees the records of probes, and the pod marks its writes. `Dispatch` sets this
   * field.
   */
  readonly isProbe?: boolean
}

/** The run of an automation, as the origin of the writes in this run. */
export interface RunOrigin {
  readonly ruleId: string
  readonly runId: string
  /** The number of earlier runs in the chain. In a chain, each run causes the event that starts the next run. */
  readonly depth: number
  /** The id of the event that started the run; null if a schedule started it. */
  readonly eventId: string | null
}

/** The client that sent the request: its real address and its user agent. */
export interface Client {
  readonly address: string
  readonly userAgent: string | undefined
}

export const noClient: Client = { address: "", userAgent: undefined }

/** The decision of the governance gate about a write. The id of the decision is the id of the event that records it. */
export interface Decision {
  readonly id: string
  readonly verdict: "allow" | "deny" | "propose"
  readonly rung: string
  /** The permission that this write needs, in the form used in grants, such as `entity.note.create`. */
  readonly permission: string
}

/** The version of the policies that limit an agent in some spaces. */
export interface PolicyStamp {
  readonly agentId: string
  readonly spaces: ReadonlyArray<string>
  readonly value: number
}

export interface ReachShape {
  readonly principal: Principal
  readonly authority: Authority
  readonly origin: Origin
  /**
   * Returns the rows that this action on this subject is allowed to touch. These rows are always within the grant of
   * the credential and within the access of the person.
   */
  readonly bounds: (subject: Subject, action: Action) => Bounds
}

export class Reach extends Context.Tag("pod/Reach")<Reach, ReachShape>() {}

export const emptyBounds: Bounds = { spaces: [], kinds: null, objects: null, projects: null }

/** Limits the rows of `bounds` to these spaces. The result never allows a row that `bounds` does not allow. */
export const inSpaces = (bounds: Bounds, spaces: ReadonlyArray<string>): Bounds => ({
  ...bounds,
  spaces: bounds.spaces.filter((space) => spaces.includes(space))
})

const anonymous: Principal = {
  credential: { kind: "session", id: "" },
  holder: { id: "", kind: "person", capabilities: [] },
  personId: "00000000-0000-0000-0000-000000000000",
  podRole: "member",
  epoch: 0,
  memberships: [],
  scopes: [],
  grant: { permissions: [], workspaceIds: [], projectIds: [], entityIds: [] },
  workspaceId: null,
  toolProfile: null,
  expiresAt: null
}

/** Returns true if the call came through a public door, so the call has no caller. */
export const isPublic = ({ principal }: ReachShape): boolean => principal === anonymous

/** Makes the reach of a call through a public door. This reach has no credential and allows no rows. */
export const publicReach = (origin: Origin): ReachShape => ({
  principal: anonymous,
  authority: { kind: "system", reason: "public door", personId: anonymous.personId },
  origin,
  bounds: () => emptyBounds
})

/**
 * Makes the reach for the pod's own work: the spaces that the work is allowed to touch, and the reason of the work.
 * This reach has no credential.
 */
export const systemReach = (
  reason: string,
  personId: string,
  spaces: ReadonlyArray<string>,
  origin: Origin
): ReachShape => ({
  principal: { ...anonymous, holder: { ...anonymous.holder, id: personId }, personId },
  authority: { kind: "system", reason, personId },
  origin,
  bounds: () => ({ spaces, kinds: null, objects: null, projects: null })
})
