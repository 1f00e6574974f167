/** A write as the gate sees it, and as a proposal keeps it until a person approved it. */
import type { Action, Subject } from "../../doors/Door.ts"
import type { GrantObject } from "../grants/GrantMatcher.ts"

export type Json = Readonly<Record<string, unknown>>

/** What a write is about: enough for every rung to decide. */
export interface GatedWrite {
  readonly subject: Subject
  /** The profile of an entity; null for subjects without kinds. */
  readonly kind: string | null
  readonly action: Exclude<Action, "read">
  readonly object: GrantObject
  /** What it writes besides, such as a link: refused as a whole when one of them is (specification §5.2.4). */
  readonly also?: ReadonlyArray<GatedWrite>
  /** Its answer has no room for a proposal: an agent's is carried out and recorded, unless it destroys. */
  readonly isDirect?: boolean
  /** An agent, or the service, wants a person to see it whatever the policy says. */
  readonly isForced?: boolean
  /** A person asks that somebody looks at it first. An agent's is `isForced`. */
  readonly isSuggestion?: boolean
  /** For people alone: no agent ever does it, and no rule lets one. */
  readonly isForPeople?: boolean
}

/** A record as it stands: its fields as a change names them, in JSON, and the version they belong to. */
export interface Snapshot {
  readonly version: number
  readonly fields: Json
}

/**
 * A write with what it would write. `content` names fields: all of them for a create, those that change for an update,
 * none for a delete. It is JSON, so that it can be kept, hashed, shown and applied later.
 */
export interface Change extends GatedWrite {
  /** The changer that applies it; the subject where nothing else is said. */
  readonly targetType: string
  /** The record's id, which a create has already. */
  readonly targetId: string
  readonly content: Json
  /** What an update or a delete was made from. */
  readonly base: Snapshot | null
  /** What it is about is read by its person alone: nobody else sees the proposal. */
  readonly isPrivate?: boolean
  /** Asked for again while it waits, it is the same wish: when it says the same, or whatever it says. */
  readonly isOnce?: "alike" | "whatever"
  /** One line for the person who decides. */
  readonly summary: string
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
}

export const isChange = (write: GatedWrite | Change): write is Change => "content" in write

/** The permission a write needs, as it would stand in a grant. */
export const permissionFor = ({ subject, kind, action }: Pick<GatedWrite, "subject" | "kind" | "action">): string =>
  kind === null ? `${subject}.${action}` : `${subject}.${kind}.${action}`
