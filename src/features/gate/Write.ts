/** A write as the gate sees it, and as a proposal stores it until a person approves it. */
import type { Action, Subject } from "../../doors/Door.ts"
import type { GrantObject } from "../grants/GrantMatcher.ts"

export type JsonRecord = Readonly<Record<string, unknown>>

/** What a write is about: enough for every rung to decide. */
export interface GatedWrite {
  readonly subject: Subject
  /** The profile of an entity; null for subjects without kinds. */
  readonly kind: string | null
  readonly action: Exclude<Action, "read">
  readonly object: GrantObject
  /** Further writes that belong to it, such as a link. If one is refused, all are refused (specification §5.2.4). */
  readonly also?: ReadonlyArray<GatedWrite>
  /** Its answer cannot carry a proposal: an agent's write is carried out and recorded, unless an earlier rung decides. */
  readonly isDirect?: boolean
  /** It overwrites what a person wrote: an agent always needs approval for that, whatever a rule says. */
  readonly isOverwriting?: boolean
  /** It files something new in a project: a grant that is limited to this project covers it without a permission. */
  readonly isFiling?: boolean
  /** The agent, or the service, asks for a person's approval whatever the policy says. */
  readonly isForced?: boolean | undefined
  /** A person asks for approval of their own write. Agents use `isForced`. */
  readonly isSuggestion?: boolean | undefined
  /** For people only: an agent never does it, and no rule can allow it. */
  readonly isForPeople?: boolean
}

/** The current state of a record: its fields in JSON, named as in a change, and their version. */
export interface Snapshot {
  readonly version: number
  readonly fields: JsonRecord
}

/** A record whose content a proposal shows. Only entities are checked one by one. */
export interface Mention {
  readonly subject: Subject
  readonly kind: string | null
  readonly objectId: string | null
}

/** The write that a caller asks for on one record: directly, in a proposal by hand, in an edit or at an approval. */
export interface RequestedWrite {
  readonly action: Exclude<Action, "read">
  /** The record's id; a create chooses it beforehand. */
  readonly targetId: string
  /** The space it lives in or will live in. For an existing record, the space of its row counts. */
  readonly spaceId: string
  /**
   * The fields in JSON: all of them for a create, those that change for an update, none for a delete. A function when the
   * content depends on the current record, such as properties that are merged key by key.
   */
  readonly content: JsonRecord | ((before: JsonRecord) => JsonRecord)
}

/** The content that is asked for, computed from the current record. */
export const requestedContent = ({ content }: Pick<RequestedWrite, "content">, base: Snapshot | null): JsonRecord =>
  typeof content === "function" ? content(base?.fields ?? {}) : content

/** What is true of every write of one type, whatever the content and the record: the gate can judge it beforehand. */
export interface WriteTraits extends Pick<GatedWrite, "subject" | "isDirect" | "isForPeople"> {
  /** The kind of all its records; null for subjects without kinds, left out where each record has its own. */
  readonly kind?: string | null
  /** The actions it supports; left out for all. */
  readonly actions?: ReadonlyArray<GatedWrite["action"]>
  /** Some of its writes overwrite what a person wrote; each one states `isOverwriting`. */
  readonly mayOverwrite?: boolean
}

/** What the changer derives from the write that is asked for and from the current rows. Only the changer does that. */
export interface DescribedWrite extends Pick<GatedWrite, "object" | "also" | "isOverwriting"> {
  /** Given where each record has its own. */
  readonly kind?: string | null
  readonly content: JsonRecord
  /** The record before an update or a delete. */
  readonly base: Snapshot | null
  /** Only its person reads the record, so only that person sees the proposal. */
  readonly isPrivate?: boolean
  /** Other records whose content it shows: only a caller who may read all of them may read the proposal. */
  readonly mentions?: ReadonlyArray<Mention>
  /** A repeated request joins the waiting proposal: only with an equal content, or with any content. */
  readonly isOnce?: "alike" | "whatever"
  /** One line for the person who decides. The caller must not control the whole text. */
  readonly summary: string
}

/** A write with its content in JSON, so that it can be stored, hashed, shown and applied later. */
export interface Change extends GatedWrite, Pick<RequestedWrite, "targetId">, Omit<DescribedWrite, "kind"> {
  /** The changer that applies it. */
  readonly targetType: string
  readonly action: Exclude<Action, "read">
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
}

export const isChange = (write: GatedWrite | Change): write is Change => "content" in write

/** The permission a write needs, as a grant writes it. */
export const permissionFor = ({ subject, kind, action }: Pick<GatedWrite, "subject" | "kind" | "action">): string =>
  kind === null ? `${subject}.${action}` : `${subject}.${kind}.${action}`

/** The location of a record, as a grant checks it. */
export const objectIn = (
  personId: string,
  spaceId: string,
  objectId: string | null,
  projectIds: ReadonlyArray<string> = []
): GrantObject => ({ spaceId, isPersonal: spaceId === personId, objectId, projectIds })
