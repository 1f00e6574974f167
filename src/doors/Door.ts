/** Doors say what a caller needs to call an operation. Every operation declares one door, and there is no default. */
import type { Scope } from "./Scope.ts"

/**
 * The possible subjects of a permission. Only for the subject `entity`, a permission can also name a kind, which is the
 * slug of a profile.
 */
export const subjects = [
  "entity",
  "facet",
  "relation",
  "relation_def",
  "profile",
  "property_def",
  "document",
  "project",
  "view",
  "track",
  "channel",
  "messaging",
  "session",
  "command",
  "brand",
  "artifact",
  "rule",
  "automation",
  "proposal",
  "event",
  "memory",
  "workspace",
  "member",
  "agent",
  "apiKey",
  "role",
  "webhook",
  "notification",
  "vault",
  "connector",
  "provider",
  "calendar",
  "preference"
] as const
export type Subject = (typeof subjects)[number]

export type Action = "read" | "create" | "update" | "delete"

/**
 * Everybody is allowed to call the operation. The door states why, so that a reviewer sees the reason in the change
 * that adds the door.
 */
export interface PublicDoor {
  readonly _tag: "Public"
  readonly why: string
}

/** Only the sign-in session of a person passes this door. A key never passes it. */
export interface SessionDoor {
  readonly _tag: "Session"
}

/**
 * Only the operator of the data directory passes this door, over the socket of the pod. Keys and sessions never pass,
 * and the session of the owner does not pass either.
 */
export interface OperatorDoor {
  readonly _tag: "Operator"
  /** The action of the operation in the words of a refusal, such as "make a backup". */
  readonly what: string
  /** The command that calls the operation. */
  readonly command: string
}

/** The operation returns only facts about the caller itself, so no grant needs to limit the operation. */
export interface SelfDoor {
  readonly _tag: "Self"
  readonly scope: Scope
}

/** The operation reads rows of one subject, and the grant of the caller limits which rows. */
export interface RowsDoor {
  readonly _tag: "Rows"
  readonly scope: Scope
  readonly subject: Subject
}

/**
 * The operation reads rows of several subjects at once (specification §5.4, multi-kind doors). The door does not limit
 * which rows the operation reads.
 */
export interface EveryKindDoor {
  readonly _tag: "EveryKind"
  readonly scope: Scope
  readonly subjects: NonEmpty<Subject>
  /**
   * True if the operation itself applies the limits of the grant to each row that it reads. Then a key with the
   * permission `*` passes, even if the key is limited to one workspace. A setting of the pod can also let keys with
   * other limits pass.
   */
  readonly isRowBounded?: true
}

/**
 * The operation reads rows of several subjects, and the grant limits them row by row. A setting of the pod turns an
 * `EveryKindDoor` into this door.
 */
export interface SeveralRowsDoor {
  readonly _tag: "SeveralRows"
  readonly scope: Scope
  readonly subjects: NonEmpty<Subject>
}

/**
 * Only unlimited credentials pass. These are a session, a key without a grant, and a key with the permission `*` and no
 * limits.
 */
export interface FullGrantDoor {
  readonly _tag: "FullGrant"
  readonly scope: Scope
  /**
   * True if the operation reads only rows in the spaces that the key is allowed to use. Then a key with the permission
   * `*` passes, even if the key is limited to one workspace. With such a key, the operation reads only this workspace.
   */
  readonly isSpaceBounded?: true
}

/**
 * The operation changes something. The grant must cover every action that the door lists. The governance gate then
 * decides about the write.
 */
export interface WriteDoor {
  readonly _tag: "Write"
  readonly scope: Scope
  readonly subject: Subject
  readonly actions: NonEmpty<Action>
  /**
   * The kind of the object, if the operation always writes the same kind. Undefined if the input determines the kind.
   */
  readonly kind?: string
  /** The record type that the operation writes. Undefined if the record type has the same name as the subject. */
  readonly targetType?: string
  /** Set if the operation also reads rows of several subjects, as through an `EveryKindDoor`. */
  readonly reads?: EveryKindDoor
  /**
   * True if no grant can narrow what the operation does (specification §5.4). Only unlimited credentials pass, as at a
   * `FullGrantDoor`.
   */
  readonly isUnrestricted?: true
}

type NonEmpty<A> = readonly [A, ...ReadonlyArray<A>]

export type ReadDoor = SelfDoor | RowsDoor | SeveralRowsDoor | EveryKindDoor | FullGrantDoor
export type Door = PublicDoor | SessionDoor | OperatorDoor | ReadDoor | WriteDoor

export const everybody = (why: string): PublicDoor => ({ _tag: "Public", why })
export const signedIn: SessionDoor = { _tag: "Session" }
export const operator = (what: string, command: string): OperatorDoor => ({ _tag: "Operator", what, command })
export const self = (scope: Scope): SelfDoor => ({ _tag: "Self", scope })
export const rows = (scope: Scope, subject: Subject): RowsDoor => ({ _tag: "Rows", scope, subject })
export const everyKind = (
  scope: Scope,
  subjects: NonEmpty<Subject>,
  bounded: { readonly isRowBounded?: true } = {}
): EveryKindDoor => ({ _tag: "EveryKind", scope, subjects, ...bounded })
/**
 * Returns the door for a pod with the setting that opens more operations to keys with limited grants. If the operation
 * reads several kinds of records and applies the limits of the grant to each row, the returned door lets more keys
 * pass. Otherwise the function returns the same door.
 */
export const openedRowByRow = (door: Door): Door => {
  if (door._tag === "EveryKind" && door.isRowBounded === true)
    return { _tag: "SeveralRows", scope: door.scope, subjects: door.subjects }
  if (door._tag !== "Write" || door.reads?.isRowBounded !== true) return door
  const { reads: _open, ...writing } = door
  return writing
}
export const fullGrant = (scope: Scope): FullGrantDoor => ({ _tag: "FullGrant", scope })
/** Makes a `FullGrantDoor` for an operation that reads only rows in the spaces that the caller is allowed to use. */
export const fullGrantInSpaces = (scope: Scope): FullGrantDoor => ({ ...fullGrant(scope), isSpaceBounded: true })
export const writes = (
  scope: Scope,
  subject: Subject,
  actions: NonEmpty<Action>,
  kind?: string,
  targetType?: string
): WriteDoor => ({
  _tag: "Write",
  scope,
  subject,
  actions,
  ...(kind === undefined ? {} : { kind }),
  ...(targetType === undefined ? {} : { targetType })
})

/**
 * Makes the door of a write that also reads several subjects. An example is a chat, whose answers use the records that
 * the caller sees.
 */
export const writesAndReads = (
  door: WriteDoor,
  reads: EveryKindDoor
): WriteDoor & { readonly reads: EveryKindDoor } => ({ ...door, reads })

/** Makes the door of a write that acts on everything that the person owns. No grant can narrow such a write. */
export const unrestrictedWrites = (
  scope: Scope,
  subject: Subject,
  actions: NonEmpty<Action>,
  targetType?: string
): WriteDoor => ({
  ...writes(scope, subject, actions, undefined, targetType),
  isUnrestricted: true
})
