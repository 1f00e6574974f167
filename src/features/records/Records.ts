/** The store of records of every type. Every method reads and writes only records that the call may touch. */
import { Context, Data, Effect, Layer, Struct } from "effect"
import { byId, byUpdate, pageOfAll, type PageOrder, type PagePlace } from "../../doors/PageOrder.ts"
import { countedMax, type Page } from "../../doors/Page.ts"
import { type Bounds, emptyBounds, type Reach, type ReachShape } from "../../doors/Reach.ts"
import { actorOf } from "../events/AppendEvent.ts"
import type { EventDraft } from "../events/Event.ts"
import { memoryStatements, type ReadContext, type WriteContext } from "../events/EventTable.ts"
import type { Passed } from "../gate/Passed.ts"
import { DuplicateRow } from "../../platform/Database.ts"
import { revisionTable } from "./MemoryRevisions.ts"
import { boundsOf, hasDuplicate, type StoredRecord, recordAt, recordsWithin, recordTable } from "./RecordTable.ts"
import { type Common, jsonOf, type OwnFields, recordedNames, type RecordType, applyStamps } from "./RecordType.ts"
import { headOf, type LocatedRecord, type NewRecord, type RecordEdit, type RecordHead } from "./RecordForms.ts"
import { contains, matchesFields, isNamed } from "./RecordFilter.ts"
import { workspaceIdOf } from "../../doors/OwnSpace.ts"

/**
 * The failure if the caller cannot find the record. The failure is the same for a missing record, an archived record
 * and a record that the caller may not read. So it does not tell the caller whether the record exists.
 */
export class RecordNotFound extends Data.TaggedError("RecordNotFound")<{ readonly id: string }> {}
/** The failure if the record does not have the expected version. `version` is the current version of the record. */
export class RecordChanged extends Data.TaggedError("RecordChanged")<{ readonly version: number }> {}

export type FilterValue = string | number | boolean | null

export interface Listing<A extends Common> extends PagePlace {
  /** Selects only records whose fields equal the given value, or one of the given values. */
  readonly where?: {
    readonly [K in (keyof OwnFields<A> & string) | "id" | "userId"]?: FilterValue | ReadonlyArray<string> | undefined
  }
  /**
   * Selects only records whose text field equals this name. The comparison ignores letter case, and blanks at the start
   * and at the end. Undefined selects all records.
   */
  readonly named?: { readonly field: keyof OwnFields<A> & string; readonly name: string } | undefined
  /**
   * Selects only records whose text field contains this text. The comparison distinguishes upper and lower case
   * letters. The list does not have to return this field. For example, a list of documents leaves out their content,
   * but can select by the content.
   */
  readonly containing?: { readonly field: string; readonly part: string } | undefined
  /**
   * Selects only records in these spaces. If this is null or absent, the list covers every space that the call may
   * read. Naming a space here never gives access to the space.
   */
  readonly spaces?: ReadonlyArray<string> | null | undefined
}

type RecordFilters<A extends Common> = Pick<Listing<A>, "containing" | "named" | "where" | "spaces">

export class Records extends Context.Tag("pod/Records")<
  Records,
  {
    /**
     * Lists records, latest first, by the time that the record type declares. Sorts records with the same time by id.
     */
    readonly list: <A extends Common>(type: RecordType<A>, listing: Listing<A>) => Effect.Effect<Page<A>, never, Reach>
    readonly count: <A extends Common>(
      type: RecordType<A>,
      narrowing: RecordFilters<A>
    ) => Effect.Effect<number, never, Reach>
    /**
     * Counts the records in each space that the call may read. The store stops counting a space at `countedMax`
     * records. Leaves out spaces without records of this type.
     */
    readonly countBySpace: <A extends Common>(
      type: RecordType<A>
    ) => Effect.Effect<ReadonlyArray<{ readonly spaceId: string; readonly count: number }>, never, Reach>
    readonly get: <A extends Common>(type: RecordType<A>, id: string) => Effect.Effect<A, RecordNotFound, Reach>
    /**
     * Reads some fields of the records with these ids in one statement, in no particular order. The result also has the
     * fields that every record has. Leaves out records that `get` would not find.
     */
    readonly among: <A extends Common, const K extends keyof OwnFields<A> & string>(
      type: RecordType<A>,
      ids: ReadonlyArray<string>,
      fields: ReadonlyArray<K>
    ) => Effect.Effect<ReadonlyArray<RecordHead<A, K>>, never, Reach>
    /**
     * Finds a record and its space, for the gate. Succeeds if the call may read the record, or is allowed to do the
     * given action on it.
     */
    readonly locate: <A extends Common>(
      type: RecordType<A>,
      id: string,
      action: "update" | "delete"
    ) => Effect.Effect<LocatedRecord<A>, RecordNotFound, Reach>
    /**
     * Adds a record. Dies with a defect if the call may not write in the space, because the gate should have refused
     * the write.
     */
    readonly add: <A extends Common>(
      type: RecordType<A>,
      newRecord: NewRecord<A>,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<A, never, Reach>
    /** Writes the given fields of a record. */
    readonly change: <A extends Common>(
      type: RecordType<A>,
      id: string,
      edit: RecordEdit<A>,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<A, RecordNotFound | RecordChanged, Reach>
    /** Archives a record. No reader sees the record any more, but the row and the history of the record stay. */
    readonly remove: <A extends Common>(
      type: RecordType<A>,
      id: string,
      expectedVersion: number | null,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<A, RecordNotFound | RecordChanged, Reach>
    /**
     * Returns the id of the person who owns an archived record that the call may restore. Returns null if there is no
     * such record.
     */
    readonly ownerOfArchived: <A extends Common>(
      type: RecordType<A>,
      id: string
    ) => Effect.Effect<string | null, never, Reach>
    readonly restore: <A extends Common>(
      type: RecordType<A>,
      id: string,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<A, RecordNotFound, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(memoryStatements, ({ read, write }) => {
      const listed = <A extends Common>(
        { reach, rows }: ReadContext,
        type: RecordType<A>,
        { containing, named, where = {}, spaces }: RecordFilters<A>
      ) =>
        recordsWithin(rows, reach, type, boundsOf(reach, type, spaces))
          .map(({ record }) => record)
          .filter(
            (record) =>
              matchesFields(record, where) &&
              (named === undefined || isNamed(record, named)) &&
              (containing === undefined || contains(record, containing))
          )

      /** Writes the record and appends its event. If the type has a history, also adds a revision. */
      const put = <A extends Common>(
        at: WriteContext,
        type: RecordType<A>,
        row: StoredRecord<A>,
        event: EventDraft,
        passed: Passed
      ) => {
        if (hasDuplicate(at.rows, type, row)) return Effect.die(new DuplicateRow({ table: type.table }))
        at.rows.put(recordTable(type), row)
        const { id: eventId } = at.append(row.spaceId, event, passed)
        const { id: recordId, updatedAt, version } = row.record
        if (type.history !== undefined) {
          const written = { recordId, version, actorId: actorOf(at.reach), eventId, at: updatedAt, fields: row.record }
          at.rows.put(revisionTable(type.history), written)
        }
        return Effect.succeed(row.record)
      }
      const changing =
        <A extends Common>(
          type: RecordType<A>,
          action: "update" | "delete",
          id: string,
          event: EventDraft,
          passed: Passed
        ) =>
        (
          changed: { readonly fields?: Partial<OwnFields<A>>; readonly from: boolean; readonly to: boolean },
          expected: number | null
        ) =>
          write((at) => {
            const { now, reach, rows } = at
            const found = recordAt(rows, reach, type, id, {
              bounds: reach.bounds(type.subject, action),
              isArchived: changed.from
            })
            if (found === undefined) return new RecordNotFound({ id })
            const { version } = found.record
            if (expected !== null && expected !== version) return new RecordChanged({ version })
            const changedRecord = { ...found.record, ...changed.fields, version: version + 1, updatedAt: now }
            const record = applyStamps(type, changedRecord, found.record)
            const recorded = recordedNames(type, changed.fields ?? {})
            const former = { before: Struct.pick(jsonOf<A>(type, found.record), ...recorded) }
            const data = { ...event.data, ...(recorded.length === 0 ? {} : former) }
            return put(at, type, { ...found, record, isArchived: changed.to }, { ...event, data }, passed)
          })

      return {
        list: (type, listing) =>
          read((at) => {
            return Effect.succeed(pageOfAll(orderOf(type), listed(at, type, listing), listing))
          }),
        count: (type, narrowing) =>
          read((at) => Effect.succeed(Math.min(listed(at, type, narrowing).length, countedMax))),
        countBySpace: (type) =>
          read(({ reach, rows }) => {
            const counts = new Map<string, number>()
            for (const { spaceId } of recordsWithin(rows, reach, type, boundsOf(reach, type, null))) {
              counts.set(spaceId, (counts.get(spaceId) ?? 0) + 1)
            }
            return Effect.succeed(
              [...counts].map(([spaceId, count]) => ({ spaceId, count: Math.min(count, countedMax) })).toSorted(bySpace)
            )
          }),
        get: (type, id) =>
          read(({ reach, rows }) => {
            const found = recordAt(rows, reach, type, id)
            return found === undefined ? new RecordNotFound({ id }) : Effect.succeed(found.record)
          }),
        among: <A extends Common, K extends keyof OwnFields<A> & string>(
          type: RecordType<A>,
          ids: ReadonlyArray<string>,
          fields: ReadonlyArray<K>
        ) =>
          read(({ reach, rows }) => {
            const found = [...new Set(ids)].flatMap((id) => recordAt(rows, reach, type, id)?.record ?? [])
            return Effect.succeed(found.map((record) => headOf(record, fields)))
          }),
        locate: (type, id, action) =>
          read(({ reach, rows }) => {
            const found =
              recordAt(rows, reach, type, id, { bounds: reach.bounds(type.subject, action) }) ??
              recordAt(rows, reach, type, id)
            return found === undefined
              ? new RecordNotFound({ id })
              : Effect.succeed({ record: found.record, spaceId: found.spaceId })
          }),
        add: (type, newRecord, event, passed) =>
          write((at) => {
            const { now, reach } = at
            if (!createBounds(reach, type).spaces.includes(newRecord.spaceId)) {
              return Effect.dieMessage(`a ${type.name} was added outside the reach of its call`)
            }
            const { personId } = reach.principal
            // The cast is correct, because the fields of the type and the common fields together are the whole record.
            const record = {
              ...newRecord.fields,
              id: newRecord.id,
              userId: personId,
              workspaceId: workspaceIdOf(newRecord.spaceId, personId),
              version: 1,
              createdAt: now,
              updatedAt: now
            } as never
            const row = {
              record: applyStamps(type, record, actorOf(reach)),
              spaceId: newRecord.spaceId,
              isArchived: false
            }
            return put(at, type, row, event, passed)
          }),
        change: (type, id, { expectedVersion = null, fields }, event, passed) =>
          changing(type, "update", id, event, passed)({ fields, from: false, to: false }, expectedVersion),
        remove: (type, id, expectedVersion, event, passed) =>
          changing(type, "delete", id, event, passed)({ from: false, to: true }, expectedVersion),
        ownerOfArchived: (type, id) =>
          read(({ reach, rows }) => {
            const found = recordAt(rows, reach, type, id, {
              bounds: reach.bounds(type.subject, "update"),
              isArchived: true
            })
            return Effect.succeed(found?.record.userId ?? null)
          }),
        restore: (type, id, event, passed) =>
          // `RecordChanged` cannot occur here, because null as the expected version accepts every version.
          Effect.catchTag(
            changing(type, "update", id, event, passed)({ from: true, to: false }, null),
            "RecordChanged",
            Effect.die
          )
      }
    })
  )
}

/**
 * Returns the limits for a new record: the spaces in which the call is allowed to create a record. Ignores a limit of
 * the grant to single objects, because the record does not exist yet. The gate checks this limit.
 */
export const createBounds = <A extends Common>(reach: ReachShape, type: RecordType<A>): Bounds => ({
  ...emptyBounds,
  spaces: reach.bounds(type.subject, "create").spaces
})

/** The order of the list of a record type. */
export const orderOf = ({ order }: Pick<RecordType<Common>, "order">): PageOrder<Pick<Common, "id" | "updatedAt">> =>
  order === "updated" ? byUpdate : byId

const bySpace = (one: { readonly spaceId: string }, other: { readonly spaceId: string }) =>
  one.spaceId < other.spaceId ? -1 : 1
