/**
 * The registry of changers. Each feature defines once how its records are described, checked and written. Direct
 * writes, proposals that a caller sends, edits, approvals and reverts all use that definition.
 */
import { isDeepStrictEqual } from "node:util"
import { Context, Effect, Layer, Predicate } from "effect"
import { type ChangeRefusal, Conflict, type WriteRefusal } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { readsWhereItWrites } from "../../doors/Scope.ts"
import { RecordReaders } from "../../doors/ShownRecords.ts"
import { GovernanceGate } from "./GovernanceGate.ts"
import type { Overview } from "./Overview.ts"
import type { Passed } from "./Passed.ts"
import type { RecordTitles } from "./RecordTitles.ts"
import type { RequestedWrite, Change, DescribedWrite, JsonRecord, Snapshot, WriteTraits } from "./Write.ts"

/**
 * The moment at which the pod checks the content of a change.
 * - `asked`: the caller must be able to read every record that the content names.
 * - `proposed`, `approved`: the pod reads the current schemas from the database and does not use cached schemas. Later
 * statements do not always check the version of the schema.
 * - `approved`: the call reaches only the space of the change. The pod checked the named records at the request.
 * - `reverted`: a person reverts an approved change, and so makes this write. If the write deletes a record, the
 * content to check is the content with which the record was created.
 * - `restored`: a person reverts an approved delete. The content to check has the fields that the record had before the
 * delete.
 */
export type CheckStage = "asked" | "proposed" | "approved" | "reverted" | "restored"

/** Returns true if the pod checks the content because a person reverts an approved change. */
export const isUndone = (stage: CheckStage): boolean => stage === "reverted" || stage === "restored"

/**
 * A content that the pod can write. It has its default values, and the stamp (the version) of the schema that validated
 * it.
 */
export interface CheckedContent {
  readonly content: JsonRecord
  readonly schemaStamp?: number | null | undefined
  /**
   * The ids of the records that the write creates. Set only for types that are listed by time. Such a record gets its
   * id when it is written, so that the order of the ids is the order of time.
   */
  readonly createdIds?: ReadonlyArray<string> | undefined
}

/** A change that the gate has allowed. The action `restore` undoes a delete. */
export type AppliedChange = Omit<Change, "action"> &
  CheckedContent & {
    readonly action: Change["action"] | "restore"
    /** The version that the record must still have. If this is null, the write replaces any version. */
    readonly expectedVersion: number | null
  }

/** Describes, checks and writes the changes of the records of one type. `A` is the answer of a write. */
export interface Changer<A = unknown> {
  /** The properties that every write of this record type has. */
  readonly traits: WriteTraits
  /** A summary of the records that the caller may read. Absent for types that are not part of the overview. */
  readonly overview?: {
    /** The number of records by kind and workspace. Counting takes longer than reading the latest records. */
    readonly counts: Effect.Effect<Overview["counts"], never, Reach>
    /** Reads at most `limit` of the latest records. */
    readonly samples: (limit: number) => Effect.Effect<Overview["samples"], never, Reach>
  }
  /**
   * The names of the operations that read records of this type. Set only if the access rules of these operations
   * require more than a permission for the records. A credential that may call none of these operations reads no record
   * of this type.
   */
  readonly readBy?: ReadonlyArray<string>
  /**
   * Reads the current record in the given space, or in any space if `spaceId` is null. Returns null if the caller
   * cannot reach the record there.
   */
  readonly current: (targetId: string, spaceId: string | null) => Effect.Effect<Snapshot | null, never, Reach>
  /**
   * Reads the titles of the records with these ids in one statement. Leaves out each record for which `current` would
   * return null. The title is null if the record has none. Absent for types that few records refer to.
   */
  readonly titles?: (ids: ReadonlyArray<string>, spaceId: string | null) => Effect.Effect<RecordTitles, never, Reach>
  /**
   * Describes a change for the gate. Derives the kind, object, projects, privacy, summary, further writes and base of
   * the change from its content and from the current rows. No other function derives these fields. Fails with NotFound
   * if the caller cannot reach the record.
   */
  readonly describe: (request: RequestedWrite) => Effect.Effect<DescribedWrite, WriteRefusal, Reach>
  /** Checks the content of a change by the rules of its record type. */
  readonly check: (change: Change, moment: CheckStage) => Effect.Effect<CheckedContent, ChangeRefusal, Reach>
  /**
   * Writes the change with its event. Fails with Conflict if the record has a newer version, and with NotFound if the
   * record no longer exists.
   */
  readonly apply: (change: AppliedChange, passed: Passed) => Effect.Effect<A, ChangeRefusal, Reach>
  /**
   * Reads the record of a requested update that changes nothing. If the caller may read the record, the writer then
   * writes nothing and returns this record. Absent for types without updates.
   */
  readonly unchanged?: (change: Change) => Effect.Effect<A, WriteRefusal, Reach>
  /** The reason why the pod cannot revert changes of this type. Absent if the pod can revert them. */
  readonly irreversible?: string
}

/** The details that a caller sends with a write, in addition to its content. */
export interface WriteDetails {
  /** The caller's reason for the write. If the write needs a decision, the person who decides reads this reason. */
  readonly reasoning?: string | null | undefined
  readonly sessionId?: string | null | undefined
  /** The version that the caller expects. If the record has any other version, the write fails with a conflict. */
  readonly expectedVersion?: number | undefined
  readonly isForced?: boolean | undefined
  readonly isSuggestion?: boolean | undefined
}

/** The record that a delete has removed. It has no other field, because the caller might not be allowed to read it. */
export interface Deleted {
  readonly id: string
}

/**
 * Carries out a write request for a record. Describes the write, and refuses the write if no policy could allow it.
 * Then checks the content, asks the gate, and writes the row. Every write request goes this way.
 *
 * Only a caller who may read a record gets a field of it that this caller has not sent. A create returns what the
 * caller sent, and the gate refuses an update to a caller who may not read the record. A delete returns only the id: an
 * answer that shows more must read it within the reach of the caller.
 */
export interface Writer<A> {
  (
    request: RequestedWrite & { readonly action: "delete" },
    details?: WriteDetails
  ): Effect.Effect<Deleted, WriteRefusal | Proposed, Reach>
  (
    request: RequestedWrite & { readonly action: "create" | "update" },
    details?: WriteDetails,
    /**
     * The writer calls this function when the write is valid. If the function returns a value, such as an existing
     * record, the writer writes nothing and returns this value.
     */
    found?: ExistingRecord<A>
  ): Effect.Effect<A, WriteRefusal | Proposed, Reach>
}

type ExistingRecord<A> = (checked: CheckedContent) => Effect.Effect<A | undefined, WriteRefusal | Proposed, Reach>

export class Changers extends Context.Tag("pod/Changers")<
  Changers,
  {
    /**
     * Registers the changer of a record type: the code that describes, checks and writes changes of its records. Dies
     * with a defect at the start of the pod if the type already has a changer.
     */
    readonly register: (targetType: string, changer: Changer) => Effect.Effect<void>
    readonly of: (targetType: string) => Changer | undefined
    readonly all: () => ReadonlyArray<readonly [targetType: string, changer: Changer]>
    /**
     * Registers the traits (fixed properties) of the writes of a type, and returns the traits. Only for types without a
     * changer. The writes of such a type never become proposals.
     */
    readonly declare: <T extends WriteTraits>(targetType: string, traits: T) => Effect.Effect<T>
    /** Returns the traits (fixed properties of the writes) of every registered type. */
    readonly traits: () => ReadonlyMap<string, WriteTraits>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.map(RecordReaders, (readers) => {
      const changers = new Map<string, Changer>()
      const known = new Map<string, WriteTraits>()
      const declare = <T extends WriteTraits>(targetType: string, traits: T) =>
        known.has(targetType)
          ? Effect.dieMessage(`${targetType} has two changers`)
          : Effect.as(
              Effect.sync(() => void known.set(targetType, traits)),
              traits
            )
      return {
        register: (targetType: string, changer: Changer) =>
          Effect.map(declare(targetType, changer.traits), () => {
            changers.set(targetType, changer)
            readers.register(targetType, (id) => Effect.map(changer.current(id, null), Predicate.isNotNull))
          }),
        of: (targetType: string) => changers.get(targetType),
        all: () => [...changers],
        declare,
        traits: () => known
      }
    })
  )
}

/**
 * Registers a changer, and returns the function with which a feature writes the records of this type. The function asks
 * the governance gate before each write.
 */
export const writerOf = <A>(
  targetType: string,
  changer: Changer<A>
): Effect.Effect<Writer<A>, never, Changers | GovernanceGate> =>
  Effect.gen(function* () {
    const changers = yield* Changers
    const gate = yield* GovernanceGate
    yield* changers.register(targetType, changer)
    return writeWith(gate, targetType, changer)
  })

const noDetails: WriteDetails = {}

/** Returns true if an update has no field, or only fields that already have these values. */
const changesNothing = (action: Change["action"], content: JsonRecord, base: Snapshot | null): boolean =>
  action === "update" &&
  base !== null &&
  Object.entries(content).every(([name, value]) => isDeepStrictEqual(value, base.fields[name]))

/** Makes the function that `writerOf` returns. Call this only after the changer of the type is registered. */
export const writeWith = <A>(gate: typeof GovernanceGate.Service, targetType: string, changer: Changer<A>): Writer<A> =>
  // A delete returns a value of `Deleted`, and every other write a value of `A`. So the function fits both forms of the
  // type, but the compiler does not find this out.
  Effect.fnUntraced(
    function* (
      request: RequestedWrite,
      details: WriteDetails = noDetails,
      found?: ExistingRecord<A>
    ): Effect.fn.Return<A | Deleted, WriteRefusal | ChangeRefusal | Proposed, Reach> {
      const { expectedVersion, isForced, isSuggestion, reasoning, sessionId } = details
      const described = yield* changeOf(targetType, changer, request)
      // Here and below, the code spreads the many existing fields after the few new fields. The other order is seven
      // times as slow (measured).
      const change: Change =
        details === noDetails ? described : { reasoning, sessionId, isForced, isSuggestion, ...described }
      const { verdict } = yield* gate.forecast(change)
      const checked = yield* changer.check(change, verdict === "propose" ? "proposed" : "asked")
      const known = found === undefined ? undefined : yield* found(checked)
      if (known !== undefined) return known
      const { base } = change
      // If the record does not exist any more, `base` is null. So a caller that names an expected version then gets a
      // conflict.
      if (expectedVersion !== undefined && base?.version !== expectedVersion) {
        const record = targetType.replaceAll("_", " ")
        return yield* new Conflict({
          code: "VERSION_CONFLICT",
          why:
            base === null
              ? `This ${record} does not exist, so it has no version ${expectedVersion}. To create the ${record}, leave out \`expectedVersion\`.`
              : `The ${record} has changed: it is now at version ${base.version}. Read it again before you change it.`
        })
      }
      const { content, createdIds, schemaStamp } = checked
      // An update that changes nothing becomes a read, which leaves no event. There are two exceptions. If the verdict
      // is `deny`, the gate refuses the update below, so that it counts the refusal. If the credential has no scope for
      // reads, the pod writes the update, because the credential must not read.
      if (
        changer.unchanged !== undefined &&
        verdict !== "deny" &&
        changesNothing(change.action, content, base) &&
        readsWhereItWrites((yield* Reach).principal.scopes)
      ) {
        return yield* changer.unchanged(change)
      }
      const ready = { expectedVersion: expectedVersion ?? null, schemaStamp, createdIds, ...change, content }
      const passed = yield* gate.pass(ready)
      const written = yield* changer.apply(ready, passed)
      return request.action === "delete" ? { id: request.targetId } : written
    },
    // Here the action comes from an endpoint. So if the record type does not support the action, this is a defect.
    Effect.catchTag("NotImplemented", ({ why }) => Effect.dieMessage(why))
  ) as Writer<A>

/** Makes the complete change from the request of a caller. The changer adds what the caller does not send. */
export const changeOf = (
  targetType: string,
  {
    describe,
    traits: { isDirect = false, isForPeople = false, kind = null, subject }
  }: Pick<Changer, "describe" | "traits">,
  request: RequestedWrite
): Effect.Effect<Change, WriteRefusal, Reach> =>
  Effect.map(describe(request), (described) => ({
    // The code copies the fields one by one. Every write makes such an object, and a spread is several times as slow.
    subject,
    kind: described.kind === undefined ? kind : described.kind,
    action: request.action,
    object: described.object,
    also: described.also,
    discloses: described.discloses,
    showsRecord: request.action === "update" || described.showsRecord === true,
    isDirect,
    isOverwriting: described.isOverwriting,
    isForPeople,
    content: described.content,
    base: described.base,
    isPrivate: described.isPrivate,
    mentions: described.mentions,
    isOnce: described.isOnce,
    summary: described.summary,
    targetId: request.targetId,
    targetType
  }))
