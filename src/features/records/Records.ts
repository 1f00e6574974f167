/** Where records of every type are kept. Every method is bounded by the call's Reach; nothing outside it exists. */
import { Context, Data, DateTime, Effect, Layer, Ref } from "effect"
import type { Cursor } from "../../doors/Fields.ts"
import { cutPage, type Page } from "../../doors/Page.ts"
import { type Bounds, inSpaces, nothing, Reach, type ReachShape } from "../../doors/Reach.ts"
import { actorOf } from "../events/AppendEvent.ts"
import type { EventDraft } from "../events/Event.ts"
import type { Passed } from "../gate/Passed.ts"
import { MemoryEvents } from "../events/EventLog.ts"
import { MemoryRevisions } from "./MemoryRevisions.ts"
import { type Common, fieldOf, type Own, type RecordType, stamped } from "./RecordType.ts"

/** There is no such record for this caller: missing, archived and out of reach are one answer. */
export class RecordNotFound extends Data.TaggedError("RecordNotFound")<{ readonly id: string }> {}
/** Somebody changed it since the version the change was made from. */
export class RecordChanged extends Data.TaggedError("RecordChanged")<{ readonly version: number }> {}

export type Value = string | number | boolean | null

export interface Listing<A extends Common> {
  /** Equal to the value, or to one of the values. */
  readonly where?: {
    readonly [K in (keyof Own<A> & string) | "id" | "userId"]?: Value | ReadonlyArray<string> | undefined
  }
  /** Null or left out: every space the call reads. It narrows and never widens. */
  readonly spaces?: ReadonlyArray<string> | null | undefined
  readonly limit: number
  readonly offset?: number | undefined
  readonly cursor?: Cursor | undefined
}

/** A record with what the gate asks about. */
export interface Placed<A> {
  readonly record: A
  readonly spaceId: string
}

export interface NewRecord<A extends Common> {
  readonly id: string
  readonly spaceId: string
  readonly fields: Own<A>
}

export class Records extends Context.Tag("pod/Records")<
  Records,
  {
    /** Latest first, then by id. */
    readonly list: <A extends Common>(type: RecordType<A>, listing: Listing<A>) => Effect.Effect<Page<A>, never, Reach>
    readonly count: <A extends Common>(
      type: RecordType<A>,
      listing: Pick<Listing<A>, "where" | "spaces">
    ) => Effect.Effect<number, never, Reach>
    /** How many there are in each space that the call reads; spaces without any are left out. */
    readonly tally: <A extends Common>(
      type: RecordType<A>
    ) => Effect.Effect<ReadonlyArray<{ readonly spaceId: string; readonly count: number }>, never, Reach>
    readonly get: <A extends Common>(type: RecordType<A>, id: string) => Effect.Effect<A, RecordNotFound, Reach>
    /** Where it lives, for the gate: found when the call reads it or may touch it with the action. */
    readonly place: <A extends Common>(
      type: RecordType<A>,
      id: string,
      action: "update" | "delete"
    ) => Effect.Effect<Placed<A>, RecordNotFound, Reach>
    /** Outside the reach, where the gate lets nobody come to, it is a defect. */
    readonly add: <A extends Common>(
      type: RecordType<A>,
      made: NewRecord<A>,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<A, never, Reach>
    /** Writes the given fields. `expectedVersion` null: over whatever is there. */
    readonly change: <A extends Common>(
      type: RecordType<A>,
      id: string,
      fields: Partial<Own<A>>,
      expectedVersion: number | null,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<A, RecordNotFound | RecordChanged, Reach>
    /** Archives it: gone for every reader, kept for its history. */
    readonly remove: <A extends Common>(
      type: RecordType<A>,
      id: string,
      expectedVersion: number | null,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<A, RecordNotFound | RecordChanged, Reach>
    /** Takes an archiving back. */
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
    Effect.gen(function* () {
      const { append } = yield* MemoryEvents
      const revisions = yield* MemoryRevisions
      const tables = yield* Ref.make<ReadonlyMap<string, ReadonlyArray<Kept>>>(new Map())

      const all = <A extends Common>(type: RecordType<A>) =>
        Effect.map(Ref.get(tables), (kept) => (kept.get(type.table) ?? []) as ReadonlyArray<Kept<A>>)
      const put = <A extends Common>(type: RecordType<A>, made: Kept<A>) =>
        Ref.update(tables, (kept) => {
          const others = (kept.get(type.table) ?? []).filter(({ record }) => record.id !== made.record.id)
          return new Map(kept).set(type.table, [...others, made])
        })
      const find = <A extends Common>(type: RecordType<A>, id: string, bounds: Bounds, isArchived = false) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const found = (yield* all(type)).find(
            (kept) => kept.record.id === id && kept.isArchived === isArchived && isWithin(type, bounds, reach)(kept)
          )
          return found ?? (yield* new RecordNotFound({ id }))
        })
      const listed = <A extends Common>(type: RecordType<A>, { where = {}, spaces }: Listing<A>) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const fits = isWithin(type, boundsOf(reach, type, spaces), reach)
          return (yield* all(type))
            .filter((kept) => !kept.isArchived && fits(kept) && hasAll(kept.record, where))
            .map(({ record }) => record)
            .toSorted(latestFirst(type))
        })
      /** Puts it there with its event, and with its revision where the type keeps them. */
      const write = <A extends Common>(type: RecordType<A>, made: Kept<A>, event: EventDraft, passed: Passed) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          yield* put(type, made)
          const { id: eventId } = yield* append(reach, made.spaceId, event, passed)
          const { id: recordId, updatedAt: at, version } = made.record
          const actorId = actorOf(reach)
          const kept = { table: type.history ?? "", recordId, version, actorId, eventId, at, fields: made.record }
          if (type.history !== undefined) yield* Ref.update(revisions, (all) => [...all, kept])
          return made.record
        })
      const replaced = <A extends Common>(
        type: RecordType<A>,
        placed: Kept<A>,
        changed: Partial<Own<A>>,
        isArchived: boolean,
        event: EventDraft,
        passed: Passed
      ) =>
        Effect.gen(function* () {
          const { record: before } = placed
          const made = { ...before, ...changed, version: before.version + 1, updatedAt: yield* DateTime.now }
          return yield* write(type, { ...placed, record: stamped(type, made, before), isArchived }, event, passed)
        })

      return {
        list: (type, listing) =>
          Effect.gen(function* () {
            const { cursor, limit, offset = 0 } = listing
            const past = (yield* listed(type, listing)).filter((record) => isPast(type, record, cursor))
            return pageByOrder(type, past.slice(offset, offset + limit + 1), limit)
          }),
        count: (type, listing) => Effect.map(listed(type, { ...listing, limit: 0 }), (found) => found.length),
        tally: (type) =>
          Effect.gen(function* () {
            const reach = yield* Reach
            const fits = isWithin(type, boundsOf(reach, type, null), reach)
            const counts = new Map<string, number>()
            for (const kept of yield* all(type)) {
              if (!kept.isArchived && fits(kept)) counts.set(kept.spaceId, (counts.get(kept.spaceId) ?? 0) + 1)
            }
            return [...counts].map(([spaceId, count]) => ({ spaceId, count })).toSorted(bySpace)
          }),
        get: (type, id) =>
          Effect.flatMap(Reach, (reach) =>
            Effect.map(find(type, id, reach.bounds(type.subject, "read")), ({ record }) => record)
          ),
        place: (type, id, action) =>
          Effect.flatMap(Reach, (reach) =>
            Effect.map(
              Effect.orElse(find(type, id, reach.bounds(type.subject, action)), () =>
                find(type, id, reach.bounds(type.subject, "read"))
              ),
              ({ record, spaceId }) => ({ record, spaceId })
            )
          ),
        add: (type, made, event, passed) =>
          Effect.gen(function* () {
            const reach = yield* Reach
            if (!addingBounds(reach, type).spaces.includes(made.spaceId)) {
              return yield* Effect.dieMessage(`a ${type.name} was added outside the reach of its call`)
            }
            const now = yield* DateTime.now
            const { personId } = reach.principal
            // A type's own fields and those that every record has are all of it.
            const record = {
              ...made.fields,
              id: made.id,
              userId: personId,
              workspaceId: made.spaceId === personId ? null : made.spaceId,
              version: 1,
              createdAt: now,
              updatedAt: now
            } as never
            const kept = { record: stamped(type, record, actorOf(reach)), spaceId: made.spaceId, isArchived: false }
            return yield* write(type, kept, event, passed)
          }),
        change: (type, id, fields, expectedVersion, event, passed) =>
          Effect.gen(function* () {
            const reach = yield* Reach
            const placed = yield* find(type, id, reach.bounds(type.subject, "update"))
            const { version } = placed.record
            if (expectedVersion !== null && expectedVersion !== version) return yield* new RecordChanged({ version })
            return yield* replaced(type, placed, fields, false, event, passed)
          }),
        remove: (type, id, expectedVersion, event, passed) =>
          Effect.gen(function* () {
            const reach = yield* Reach
            const placed = yield* find(type, id, reach.bounds(type.subject, "delete"))
            const { version } = placed.record
            if (expectedVersion !== null && expectedVersion !== version) return yield* new RecordChanged({ version })
            return yield* replaced(type, placed, {}, true, event, passed)
          }),
        restore: (type, id, event, passed) =>
          Effect.gen(function* () {
            const reach = yield* Reach
            const placed = yield* find(type, id, reach.bounds(type.subject, "update"), true)
            return yield* replaced(type, placed, {}, false, event, passed)
          })
      }
    })
  )
}

/** A record as the twin keeps it. */
interface Kept<A extends Common = Common> extends Placed<A> {
  readonly isArchived: boolean
}

/** The bounds of a listing within the spaces it was narrowed to. */
export const boundsOf = <A extends Common>(
  reach: ReachShape,
  type: RecordType<A>,
  spaces: ReadonlyArray<string> | null | undefined
): Bounds => {
  const bounds = reach.bounds(type.subject, "read")
  return spaces === null || spaces === undefined ? bounds : inSpaces(bounds, spaces)
}

/** Where one may be added. The objects of a grant are the gate's to decide: it is none yet. */
export const addingBounds = <A extends Common>(reach: ReachShape, type: RecordType<A>): Bounds => ({
  ...nothing,
  spaces: reach.bounds(type.subject, "create").spaces
})

/** The page of what was found in the order of the type, of which one more than the limit was asked for. */
export const pageByOrder = <A extends Pick<Common, "id" | "updatedAt">>(
  { order }: Pick<RecordType<Common>, "order">,
  found: ReadonlyArray<A>,
  limit: number
): Page<A> =>
  cutPage(found, limit, ({ id, updatedAt }) => ({ at: order === "updated" ? DateTime.formatIso(updatedAt) : null, id }))

const isWithin =
  <A extends Common>({ visibility }: RecordType<A>, bounds: Bounds, { principal }: ReachShape) =>
  ({ record, spaceId }: Kept<A>) =>
    bounds.spaces.includes(spaceId) &&
    (bounds.objects === null || bounds.objects.includes(record.id)) &&
    bounds.projects === null &&
    (visibility === "space" ||
      record.userId === principal.personId ||
      (visibility !== "own" && fieldOf(record, visibility.field) !== visibility.own))

const bySpace = (one: { readonly spaceId: string }, other: { readonly spaceId: string }) =>
  one.spaceId < other.spaceId ? -1 : 1

const hasAll = (record: object, where: object) =>
  Object.entries(where).every(
    ([name, wanted]) =>
      wanted === undefined ||
      (Array.isArray(wanted) ? wanted.includes(fieldOf(record, name)) : fieldOf(record, name) === wanted)
  )

const compared = (one: string, other: string) => (one < other ? 1 : one > other ? -1 : 0)

const latestFirst =
  ({ order }: Pick<RecordType<Common>, "order">) =>
  (one: Common, other: Common) =>
    (order === "updated" ? DateTime.distance(one.updatedAt, other.updatedAt) : 0) || compared(one.id, other.id)

const isPast = ({ order }: Pick<RecordType<Common>, "order">, record: Common, cursor: Cursor | undefined) =>
  cursor === undefined ||
  latestFirst({ order })(
    { ...record, id: cursor.id, updatedAt: cursor.at === null ? record.updatedAt : DateTime.unsafeMake(cursor.at) },
    record
  ) < 0
