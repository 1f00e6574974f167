/** The operations on records of one type, their inputs, and the rules that a record type can add. */
import { Effect, Schema } from "effect"
import { type WriteRefusal, type Forbidden, NotFound } from "../../doors/Failure.ts"
import type { Page } from "../../doors/Page.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import type { CheckStage, Deleted, WriteDetails } from "../gate/Changers.ts"
import type { Change, GatedWrite, JsonRecord, Mention } from "../gate/Write.ts"
import type { Listing } from "./Records.ts"
import type { Common, OwnFields, Patch } from "./RecordType.ts"

export type WriteFailure = WriteRefusal | Proposed

/** The input of a create: the fields of the new record, its workspace, and the details of the write. */
export interface RecordDraft<A extends Common> extends WriteDetails {
  /** The id of the new record. It is set if something else must refer to the record before the record exists. */
  readonly id?: string
  readonly workspaceId?: string | null | undefined
  readonly fields: OwnFields<A>
  /**
   * Input that only the rules of the record type read. The record does not store this input.
   * `GovernedOptions.ruleFields` declares the fields of this input.
   */
  readonly ruleInput?: JsonRecord
}

export interface RecordOperations<A extends Common> {
  readonly list: (
    listing: Omit<Listing<A>, "spaces"> & { readonly workspaceId?: string | undefined }
  ) => Effect.Effect<Page<A>, Forbidden, Reach>
  readonly get: (id: string) => Effect.Effect<A, NotFound, Reach>
  readonly create: (draft: RecordDraft<A>) => Effect.Effect<A, WriteFailure, Reach>
  /**
   * Checks that the caller is allowed to create a record in this workspace. Fails with Forbidden otherwise. A service
   * calls this first if it must read other records before the create.
   */
  readonly mayCreate: (workspaceId: string | null | undefined) => Effect.Effect<void, Forbidden, Reach>
  readonly update: (id: string, fields: Patch<A>, details?: WriteDetails) => Effect.Effect<A, WriteFailure, Reach>
  readonly remove: (id: string, details?: WriteDetails) => Effect.Effect<Deleted, WriteFailure, Reach>
}

/** A change of a record, as `GovernedOptions.check` receives it. */
export type RecordChange = Pick<Change, "action" | "targetId" | "object"> & {
  readonly moment: CheckStage
  /** The input that only the rules of the record type read, from `RecordDraft.ruleInput`. */
  readonly ruleInput: JsonRecord
}

/**
 * The further effects of a change: other writes that belong to the change (`also`), and other objects whose content the
 * change reveals (`mentions`). `showsRecord` is true if the answer to a create depends on a record that exists already,
 * so that only a caller who may read such records may ask for it.
 */
export interface AdditionalEffects extends Pick<GatedWrite, "showsRecord"> {
  readonly also?: ReadonlyArray<GatedWrite>
  readonly mentions?: ReadonlyArray<Mention>
}

/** A change of a record, as `Comparison` receives it. A restore is a create with all fields of the record. */
export type ComparedChange = Pick<RecordChange, "action" | "targetId" | "object" | "ruleInput">

/** A rule that compares a record with other records, such as “a space has only one default brand”. */
export interface Comparison<A extends Common> {
  /**
   * A name for the group of records that the rule compares. Writes with the same name run one after another, because
   * two simultaneous writes could overlook each other. Undefined if the rule does not apply to this write.
   */
  readonly comparedGroup: (fields: Partial<OwnFields<A>>, change: ComparedChange) => string | undefined
  /** Fails if another record forbids the write. The pod calls it after `check`, and again just before the write. */
  readonly check: (fields: Partial<OwnFields<A>>, change: ComparedChange) => Effect.Effect<void, WriteRefusal, Reach>
}

export interface GovernedOptions<A extends Common> {
  /** Checks the fields before a direct write or a proposal. Can return additional fields to write. */
  readonly check?: (
    fields: Partial<OwnFields<A>>,
    change: RecordChange
  ) => Effect.Effect<Partial<OwnFields<A>> | void, WriteRefusal, Reach>
  /**
   * A rule about other records. Do not put such a rule into `check`, because simultaneous writes could then break the
   * rule.
   */
  readonly comparison?: Comparison<A>
  /**
   * Returns the other records that the change writes or reveals. `fields` are the fields of the record after the
   * change. The fields are not checked yet, because the gate judges a change before `check` runs.
   */
  readonly otherRecords?: (
    fields: JsonRecord,
    change: Pick<Change, "action" | "targetId" | "object">
  ) => Effect.Effect<AdditionalEffects, WriteRefusal, Reach>
  /**
   * Fields of a create that only the rules of the record type read. A proposal stores these fields, but the record does
   * not.
   */
  readonly ruleFields?: Schema.Struct.Fields
  /** Fields that `check` sets for every create, so the caller does not have to send them. */
  readonly filled?: ReadonlyArray<keyof OwnFields<A> & string>
  /**
   * Runs after each update, delete and restore. It is for work that must end before the answer, such as a wait for the
   * transactions that use the former record.
   */
  readonly whenChanged?: Effect.Effect<void, never, Reach>
  /** Whether only people are allowed to write records of this type. */
  readonly isForPeople?: boolean
  /**
   * True if a write of an agent usually needs no proposal. A delete always needs a proposal. Any other write needs a
   * proposal if a policy requires approval.
   */
  readonly isDirect?: boolean
}
