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
  /** Its usual answer has no room for a proposal: an agent's is carried out and recorded where nobody said otherwise. */
  readonly isDirect?: boolean
  /** It writes over what a person wrote: an agent never does that unasked, whatever a rule says. */
  readonly isOverwriting?: boolean
  /** It files something new in a project: a grant that is limited to this very project covers it without saying so. */
  readonly isFiling?: boolean
  /** An agent, or the service, wants a person to see it whatever the policy says. */
  readonly isForced?: boolean | undefined
  /** A person asks that somebody looks at it first. An agent's is `isForced`. */
  readonly isSuggestion?: boolean | undefined
  /** For people alone: no agent ever does it, and no rule lets one. */
  readonly isForPeople?: boolean
}

/** A record as it stands: its fields as a change names them, in JSON, and the version they belong to. */
export interface Snapshot {
  readonly version: number
  readonly fields: Json
}

/** Something that a proposal tells of. Only entities are looked at one by one. */
export interface Mention {
  readonly subject: Subject
  readonly kind: string | null
  readonly objectId: string | null
}

/** What is asked of one record, however it is asked: directly, filed by hand, by an edit or at an approval. */
export interface Asked {
  readonly action: Exclude<Action, "read">
  /** The record's id, which a create has already. */
  readonly targetId: string
  /** The space it lives in or will live in. A record that is there says itself where it lives. */
  readonly spaceId: string
  /**
   * Names fields in JSON: all of them for a create, those that change for an update, none for a delete. A function where the
   * content rests on the record as it stands, such as properties that are merged key by key.
   */
  readonly content: Json | ((before: Json) => Json)
}

/** The content that is asked for, over a record as it stands. */
export const contentOver = ({ content }: Pick<Asked, "content">, base: Snapshot | null): Json =>
  typeof content === "function" ? content(base?.fields ?? {}) : content

/** What holds of every write of one type, whatever it says and of whichever record: the gate can be asked about it beforehand. */
export interface Traits extends Pick<GatedWrite, "subject" | "isDirect" | "isForPeople"> {
  /** The one kind that all of them have; null for subjects without kinds, left out where each has its own. */
  readonly kind?: string | null
  /** What is done with them; left out where everything is. */
  readonly actions?: ReadonlyArray<GatedWrite["action"]>
  /** Each says itself whether it writes over what a person wrote. */
  readonly mayOverwrite?: boolean
}

/** All that follows from what is asked and from the rows as they stand. Its changer says it, and nobody else. */
export interface Described extends Pick<GatedWrite, "object" | "also" | "isOverwriting"> {
  /** Where each has its own. */
  readonly kind?: string | null
  readonly content: Json
  /** What an update or a delete is made from. */
  readonly base: Snapshot | null
  /** What it is about is read by its person alone: nobody else sees the proposal. */
  readonly isPrivate?: boolean
  /** What it tells of besides its own subject: a proposal is read only by whoever reads all of them. */
  readonly mentions?: ReadonlyArray<Mention>
  /** Asked for again while it waits, it is the same wish: when it says the same, or whatever it says. */
  readonly isOnce?: "alike" | "whatever"
  /** One line for the person who decides. Never a text that the asker chose alone. */
  readonly summary: string
}

/** A write with what it would write: JSON, so that it can be kept, hashed, shown and applied later. */
export interface Change extends GatedWrite, Pick<Asked, "targetId">, Omit<Described, "kind"> {
  /** The changer that applies it. */
  readonly targetType: string
  readonly action: Exclude<Action, "read">
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
}

export const isChange = (write: GatedWrite | Change): write is Change => "content" in write

/** The permission a write needs, as it would stand in a grant. */
export const permissionFor = ({ subject, kind, action }: Pick<GatedWrite, "subject" | "kind" | "action">): string =>
  kind === null ? `${subject}.${action}` : `${subject}.${kind}.${action}`

/** Where something lives, as a grant asks about it. */
export const objectIn = (
  personId: string,
  spaceId: string,
  objectId: string | null,
  projectIds: ReadonlyArray<string> = []
): GrantObject => ({ spaceId, isPersonal: spaceId === personId, objectId, projectIds })
