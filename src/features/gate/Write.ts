/**
 * The form of a write. The gate decides on a write of this form, and a proposal stores it until a person approves it.
 */
import type { Action, Subject } from "../../doors/Door.ts"
import type { GrantObject } from "../grants/GrantMatcher.ts"

export type JsonRecord = Readonly<Record<string, unknown>>

/** The facts about a write that the rungs need to decide. */
export interface GatedWrite {
  readonly subject: Subject
  /** The kind (profile) of the entity. Null if the subject of the write has no kinds. */
  readonly kind: string | null
  readonly action: Exclude<Action, "read">
  readonly object: GrantObject
  /**
   * Further writes that belong to this write, such as a link. If one of them is refused, all are refused (specification
   * §5.2.4).
   */
  readonly also?: ReadonlyArray<GatedWrite> | undefined
  /**
   * Whether the answer to the write cannot be a proposal. The write of an agent is then applied at once and recorded,
   * unless an earlier rung decides otherwise.
   */
  readonly isDirect?: boolean
  /** Whether the write overwrites what a person wrote. An agent then always needs approval, whatever a rule says. */
  readonly isOverwriting?: boolean | undefined
  /**
   * Whether the write puts something new in a project. A grant that is limited to this project then covers the write
   * without a permission.
   */
  readonly isFiling?: boolean
  /** Whether the agent or service asks for the approval of a person, whatever the policy says. */
  readonly isForced?: boolean | undefined
  /** Whether a person asks for approval of the person's own write. Agents use `isForced`. */
  readonly isSuggestion?: boolean | undefined
  /** Whether only people may make the write. An agent may never make it, and no rule can allow it. */
  readonly isForPeople?: boolean
  /**
   * The subjects whose records in this space become public by this write. Only a caller who may read all of these
   * records may make the write.
   */
  readonly discloses?: ReadonlyArray<Subject> | undefined
  /**
   * Whether the answer shows the whole record, with fields that the caller did not send. Only a caller who may read the
   * record may make the write.
   */
  readonly showsRecord?: boolean | undefined
  /** Whether the write only ends the caller's own membership. Every role may do that. */
  readonly isLeaving?: boolean
}

/** The current state of a record: its fields in JSON, with the same names as in a change, and its version. */
export interface Snapshot {
  readonly version: number
  readonly fields: JsonRecord
}

/**
 * A record whose content a proposal shows. Access to an entity is checked by its id. Access to other records is checked
 * only by their type.
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
  /** The id of the record. For a create, the id is chosen before the write. */
  readonly targetId: string
  /** The space in which the record is or will be. If the record exists, its current space is used instead. */
  readonly spaceId: string
  /**
   * The fields in JSON: all fields for a create, the changed fields for an update, and no fields for a delete. The
   * content is a function if it depends on the current record, such as properties that are merged name by name.
   */
  readonly content: JsonRecord | ((before: JsonRecord) => JsonRecord)
}

/** Computes the requested content from the current record. */
export const requestedContent = ({ content }: Pick<RequestedWrite, "content">, base: Snapshot | null): JsonRecord =>
  typeof content === "function" ? content(base?.fields ?? {}) : content

/**
 * The properties that every write of one record type has, whatever the content and the record. The gate can judge these
 * properties before a write exists.
 */
export interface WriteTraits extends Pick<GatedWrite, "subject" | "isDirect" | "isForPeople"> {
  /**
   * The kind that all records of this type share. Null if the type has no kinds. Absent if each record has its own
   * kind.
   */
  readonly kind?: string | null
  /** The actions that the type supports. Absent if it supports all actions. */
  readonly actions?: ReadonlyArray<GatedWrite["action"]>
  /** Whether some writes of the type overwrite what a person wrote. Each such write sets `isOverwriting`. */
  readonly mayOverwrite?: boolean
}

/** The fields that the changer derives from the requested write and the current rows. No other code derives them. */
export interface DescribedWrite extends Pick<GatedWrite, "object" | "also" | "isOverwriting" | "discloses"> {
  /** The kind of this record. Set if each record of the type has its own kind. */
  readonly kind?: string | null
  readonly content: JsonRecord
  /** The record before an update or a delete. Null for a create. */
  readonly base: Snapshot | null
  /** Whether only the person to whom the record belongs may read it. Only that person then sees the proposal. */
  readonly isPrivate?: boolean | undefined
  /** Other records whose content the change shows. Only a caller who may read all of them may read the proposal. */
  readonly mentions?: ReadonlyArray<Mention> | undefined
  /**
   * Whether a repeated request gets the waiting proposal of an earlier request instead of a new one. `alike` requires
   * an equal content, and `whatever` accepts any content.
   */
  readonly isOnce?: "alike" | "whatever" | undefined
  /** One line for the person who decides. A caller must not control the whole text. */
  readonly summary: string
}

/** A write with its content in JSON, so that it can be stored, hashed, shown and applied later. */
export interface Change extends GatedWrite, Pick<RequestedWrite, "targetId">, Omit<DescribedWrite, "kind"> {
  /** The target type, whose changer applies the change. */
  readonly targetType: string
  readonly action: Exclude<Action, "read">
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
}

export const isChange = (write: GatedWrite | Change): write is Change => "content" in write

/** The permission that a write needs, in the form that grants use, such as `entity.note.update`. */
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
