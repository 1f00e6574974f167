/** Reach: what one call may touch, as a value. Stores require it; only Dispatch provides it. */
import { Context } from "effect"
import type { Action, Subject } from "./Door.ts"
import type { Principal } from "./Principal.ts"

/** The rows one action on one subject may touch. `null` on a finer axis: not narrowed; empty: nothing. */
export interface Bounds {
  readonly spaces: ReadonlyArray<string>
  readonly kinds: ReadonlyArray<string> | null
  readonly objects: ReadonlyArray<string> | null
  readonly projects: ReadonlyArray<string> | null
}

/** What a statement checks to be still true before it does anything. `system` names why no credential stands behind it. */
export type Authority =
  | {
      readonly kind: "key" | "session"
      readonly credentialId: string
      readonly personId: string
      readonly epoch: number
    }
  | { readonly kind: "system"; readonly reason: string; readonly personId: string }

/** The request a call belongs to, for its events and for what limits a client. */
export interface Origin {
  readonly operation: string
  readonly requestId: string
  readonly client: Client
}

/** Who is at the other end of the connection: its real address and what it calls itself. */
export interface Client {
  readonly address: string
  readonly userAgent: string | undefined
}

export const noClient: Client = { address: "", userAgent: undefined }

/** What the gate said of the write a call is about. Its id is that of the event which carries it. */
export interface Decision {
  readonly id: string
  readonly verdict: "allow" | "deny" | "propose"
  /** The rung of the ladder that decided. */
  readonly rung: string
  /** What the write needs, as it would stand in a grant. */
  readonly permission: string
}

/** The state of what bounds an agent in some spaces. */
export interface PolicyStamp {
  readonly agentId: string
  readonly spaces: ReadonlyArray<string>
  readonly value: number
}

export interface ReachShape {
  readonly principal: Principal
  readonly authority: Authority
  readonly origin: Origin
  /** Grant ∩ what the person sees and may do, for this action on this subject. */
  readonly bounds: (subject: Subject, action: Action) => Bounds
}

export class Reach extends Context.Tag("pod/Reach")<Reach, ReachShape>() {}

/** Bounds that touch nothing. */
export const nothing: Bounds = { spaces: [], kinds: null, objects: null, projects: null }

/** The same bounds in some of their spaces only. Never widens. */
export const inSpaces = (bounds: Bounds, spaces: ReadonlyArray<string>): Bounds => ({
  ...bounds,
  spaces: bounds.spaces.filter((space) => spaces.includes(space))
})

const none: Principal = {
  credential: { kind: "session", id: "" },
  holder: { id: "", kind: "person", capabilities: [] },
  personId: "00000000-0000-0000-0000-000000000000",
  isPodOwner: false,
  epoch: 0,
  memberships: [],
  scopes: [],
  grant: { permissions: [], workspaceIds: [], projectIds: [], entityIds: [] },
  workspaceId: null,
  expiresAt: null
}

/** The reach behind a public door: nobody, touching nothing. */
export const nobody = (origin: Origin): ReachShape => ({
  principal: none,
  authority: { kind: "system", reason: "public door", personId: none.personId },
  origin,
  bounds: () => nothing
})

/** A named reach for the pod's own work, with its reason. It touches the given spaces and no person's credential backs it. */
export const systemReach = (
  reason: string,
  personId: string,
  spaces: ReadonlyArray<string>,
  origin: Origin
): ReachShape => ({
  principal: { ...none, holder: { ...none.holder, id: personId }, personId },
  authority: { kind: "system", reason, personId },
  origin,
  bounds: () => ({ spaces, kinds: null, objects: null, projects: null })
})
