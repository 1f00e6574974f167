/**
 * The form of a write. The gate decides on a write of this form, and a proposal stores it until a person approves it.
 */
import type { Action, Subject } from "../../doors/Door.ts"
import type { GrantObject } from "../grants/GrantMatcher.ts"

export type JsonRecord = Readonly<Record<string, unknown>>

/** The properties of a write that the gate needs for its decision. */
export interface GatedWrite {
  readonly subject: Subject
  /** The kind (profile) of the entity. Null if the subject of the write has no kinds. */
  readonly kind: string | null
  readonly action: Exclude<Action, "read">
  readonly object: GrantObject
  /**
   * Further writes that belong to this write, such as a link. If the gate refuses one of them, it refuses all of them
   * (specification §5.2.4).
   */
  readonly also?: ReadonlyArray<GatedWrite> | undefined
  /**
   * True if the specification says that the answer to this write is the stored record, and mentions no proposal. The
   * gate then allows an agent's write without approval, unless a rung before `direct` decides otherwise.
   */
  readonly isDirect?: boolean
  /**
   * Whether the write overwrites what a person wrote. An agent then always needs approval, whatever the governance
   * rules say.
   */
  readonly isOverwriting?: boolean | undefined
  /**
   * Whether the write puts something new in a project. If a grant is limited to this project, the grant then allows the
   * write, even without a permission for it.
   */
  readonly isFiling?: boolean
  /** Whether the agent or service asks for the approval of a person, even if the policy does not require approval. */
  readonly isForced?: boolean | undefined
  /** Whether a person asks for approval of the person's own write. Agents use `isForced` instead. */
  readonly isSuggestion?: boolean | undefined
  /** Whether only people are allowed to make the write. No governance rule can then allow the write of an agent. */
  readonly isForPeople?: boolean
  /**
   * The subjects of the records in this space that this write makes public. The caller must be allowed to read all of
   * these records.
   */
  readonly discloses?: ReadonlyArray<Subject> | undefined
  /**
   * Whether the answer shows the whole record, with fields that the caller did not send. The caller must then be
   * allowed to read the record.
   */
  readonly showsRecord?: boolean | undefined
  /** Whether the write only ends the caller's own membership. Every role is allowed to do that. */
  readonly isLeaving?: boolean
}

/** The current state of a record: its fields in JSON, with the same names as in a change, and its version. */
export interface Snapshot {
  readonly version: number
  readonly fields: JsonRecord
}

/**
 * A record whose content a proposal shows. The pod checks access to an entity by the id of the entity. It checks access
 * to any other record only by the type of the record.
 */
export interface Mention {
  readonly subject: Subject
  readonly kind: string | null
  readonly objectId: string | null
}

/**
 * The write that a caller asks for on one record. It comes from a direct write, a proposal that the caller sends, an
 * edit or an approval.
 */
export interface RequestedWrite {
  readonly action: Exclude<Action, "read">
  /** The id of the record. The id of a new record is chosen before the write. */
  readonly targetId: string
  /** The space of the record. The pod ignores this value if the record exists, and uses the record's current space. */
  readonly spaceId: string
  /**
   * The fields in JSON. A create has all fields, an update has the changed fields, and a delete has no fields. The
   * content is a function if it depends on the current record, such as properties that are merged by name.
   */
  readonly content: JsonRecord | ((before: JsonRecord) => JsonRecord)
}

/** Computes the requested content from the current record. */
export const requestedContent = ({ content }: Pick<RequestedWrite, "content">, base: Snapshot | null): JsonRecord =>
  typeof content === "function" ? content(base?.fields ?? {}) : content

/**
 * The properties that every write of one record type shares, whatever the content and the record. The gate can judge
 * these properties before a write exists.
 */
export interface WriteTraits extends Pick<GatedWrite, "subject" | "isDirect" | "isForPeople"> {
  /**
   * The kind that all records of this type share. Null if the type has no kinds. Absent if each record has its own
   * kind.
   */
  readonly kind?: string | null
  /** The actions that the type supports. Absent if it supports all actions. */
  readonly actions?: ReadonlyArray<GatedWrite["action"]>
  /** Whether some writes of the type overwrite what a person wrote. Each such write then sets `isOverwriting`. */
  readonly mayOverwrite?: boolean
}

/**
 * The fields of a write that the changer derives from the requested write and the current rows. No other code derives
 * them.
 */
export interface DescribedWrite extends Pick<
  GatedWrite,
  "object" | "also" | "isOverwriting" | "discloses" | "showsRecord"
> {
  /** The kind of this record. Set if each record of the type has its own kind. */
  readonly kind?: string | null
  readonly content: JsonRecord
  /** The record before an update or a delete. Null for a create. */
  readonly base: Snapshot | null
  /**
   * Whether only the person who owns the record is allowed to read the record. Only that person then sees the proposal.
   */
  readonly isPrivate?: boolean | undefined
  /** Other records whose content the change shows. Only a caller who may read all of them may read the proposal. */
  readonly mentions?: ReadonlyArray<Mention> | undefined
  /**
   * Set if a repeated request returns the proposal of the earlier request, as long as this proposal waits for a
   * decision. `alike` requires an equal content, and `whatever` accepts any content. If this is absent, each request
   * makes a new proposal.
   */
  readonly isOnce?: "alike" | "whatever" | undefined
  /**
   * One line that says what the write does, for the person who decides on the write. The caller must not control the
   * whole text.
   */
  readonly summary: string
}

/** A write with its content in JSON. The pod can store, hash, show and later apply such a write. */
export interface Change extends GatedWrite, Pick<RequestedWrite, "targetId">, Omit<DescribedWrite, "kind"> {
  /** The type of the record that changes. The changer of this type applies the change. */
  readonly targetType: string
  readonly action: Exclude<Action, "read">
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
}

export const isChange = (write: GatedWrite | Change): write is Change => "content" in write

/** Returns the permission that a write needs, in the form that grants use, such as `entity.note.update`. */
export const permissionFor = ({
  action,
  kind,
  subject
}: Pick<GatedWrite, "subject" | "kind"> & { readonly action: Action }): string =>
  kind === null ? `${subject}.${action}` : `${subject}.${kind}.${action}`

/** Describes where a record is, as the input for the check of a grant. */
export const objectIn = (
  personId: string,
  spaceId: string,
  objectId: string | null,
  projectIds: ReadonlyArray<string> = []
): GrantObject => ({ spaceId, isPersonal: spaceId === personId, objectId, projectIds })
