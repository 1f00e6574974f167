/** The store of memory facts. Every method reads or writes only facts of the caller's person. */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { byCreation, pageOfAll, type PageOrder, type PagePlace } from "../../doors/PageOrder.ts"
import type { Action } from "../../doors/Door.ts"
import { countedMax, mapPage, type Page, singlePage } from "../../doors/Page.ts"
import { type Bounds, emptyBounds, type Reach, type ReachShape } from "../../doors/Reach.ts"
import { MemoryDatabase, memoryTable, type Rows } from "../../platform/MemoryDatabase.ts"
import { actorOf } from "../events/AppendEvent.ts"
import type { EventDraft } from "../events/Event.ts"
import { memoryStatements } from "../events/EventTable.ts"
import type { Passed } from "../gate/Passed.ts"
import { unreadSpaces } from "../search/Vectors.ts"
import { factTable, keyOf, memoryBounds } from "./FactTable.ts"
import { holdsAt, isForgotten, isNarrowed } from "./FactTimes.ts"
import type { FactRevision, KeptFact } from "./MemoryFact.ts"
import type { FactFilters } from "./MemoryQuery.ts"
import type { PackedVector, VectorOf } from "../search/vectors/PackedVector.ts"
import type { FactWrite } from "./FactWrite.ts"

export interface FactFilter extends FactFilters, PagePlace {
  /** If true, only forgotten facts are listed. Default: only valid facts. */
  readonly forgotten?: boolean
}

/**
 * The place of a row in the order of the last writes. The pod sorts rows by `seq`, the number of the last write of the
 * row, and then by id.
 */
export interface FactPosition {
  readonly seq: number
  readonly id: string
}

/**
 * Returns the limits for the statements that read rows into the index of this process. These statements read all facts
 * of the person, even if the caller's grant allows fewer. This is safe, because no caller sees the index.
 */
export const indexBounds = (reach: ReachShape): Bounds => ({ ...emptyBounds, spaces: [reach.principal.personId] })

export class MemoryStore extends Context.Tag("pod/MemoryStore")<
  MemoryStore,
  {
    /** Lists facts by the time of recording, newest first. Facts with an equal time are sorted by id. */
    readonly list: (filter: FactFilter) => Effect.Effect<Page<KeptFact>, never, Reach>
    /** The number of facts that are valid now and that the call may read. The count stops at `countedMax`. */
    readonly count: Effect.Effect<number, never, Reach>
    /**
     * Returns the facts with these ids, including ended facts, in no particular order. Leaves out a fact if the caller
     * is not allowed to do this action on the fact.
     */
    readonly byIds: (ids: ReadonlyArray<string>, action: Action) => Effect.Effect<ReadonlyArray<KeptFact>, never, Reach>
    /**
     * Returns at most `limit` facts after the given place, in the order of their last write. Only the pod itself reads
     * these facts, for the index of this process and for the embedding of facts.
     */
    readonly since: (place: FactPosition, limit: number) => Effect.Effect<ReadonlyArray<KeptFact>, never, Reach>
    /**
     * Returns at most `limit` packed vectors after the given place, in the order of their last write. Only the pod
     * itself reads these vectors, for the index of this process.
     */
    readonly vectorsSince: (
      place: FactPosition,
      limit: number
    ) => Effect.Effect<ReadonlyArray<VectorOf & FactPosition>, never, Reach>
    /** Returns the embedding vectors that clients sent with these facts. */
    readonly vectors: (
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<{ readonly id: string; readonly floats: Float32Array }>, never, Reach>
    /**
     * Returns the ids of at most `limit` persons who have facts without vectors from the embedding model. `model` is
     * the name under which the vectors of this model are stored.
     */
    readonly withoutVectors: (model: string, limit: number) => Effect.Effect<ReadonlyArray<string>>
    /**
     * Returns the changes of the fact and of all facts in its chain of replacements, latest first. The result is empty
     * if no fact has this id.
     */
    readonly history: (id: string, page: PagePlace) => Effect.Effect<Page<FactRevision>, never, Reach>
    /**
     * Finds the stored facts that a client sent again. If a client sends a fact that the store already has, the pod
     * stores only the id of the sent fact (`writtenAs`). With these ids, an undo finds the stored facts and lowers
     * their counts.
     */
    readonly findRepeated: (
      writtenAs: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<{ readonly id: string; readonly writtenAs: string }>, never, Reach>
    /**
     * Writes the rows and their event in one statement, and returns the changed facts. Writes nothing and returns None
     * if the database has a write with a higher number than `known`, or if the caller is not allowed to write.
     */
    readonly write: (
      action: Exclude<Action, "read">,
      rows: FactWrite,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<Option.Option<ReadonlyArray<KeptFact>>, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(Effect.all([memoryStatements, MemoryDatabase]), ([{ read, write }, { rows: current }]) => {
      const within = (rows: Rows, { spaces }: Bounds) =>
        rows.all(factTable).filter(({ userId }) => spaces.includes(userId))

      return {
        list: (listing) =>
          read(({ reach, rows, now }) => {
            const all = within(rows, memoryBounds(reach, "read")).filter(
              (fact) =>
                (listing.forgotten === true ? isForgotten(fact) : holdsAt(fact, listing.asOf, now)) &&
                isNarrowed(fact, listing)
            )
            return Effect.succeed(pageOfAll(byCreation, all, listing))
          }),
        count: read(({ reach, rows, now }) => {
          const validFacts = within(rows, memoryBounds(reach, "read")).filter((fact) => holdsAt(fact, undefined, now))
          return Effect.succeed(Math.min(validFacts.length, countedMax))
        }),
        byIds: (ids, action) =>
          read(({ reach, rows }) => {
            const { spaces } = memoryBounds(reach, action)
            return Effect.succeed(
              spaces.flatMap((space) => ids.flatMap((id) => rows.find(factTable, keyOf(space, id)) ?? []))
            )
          }),
        since: (place, limit) =>
          read(({ reach, rows }) =>
            Effect.succeed(
              within(rows, indexBounds(reach))
                .filter((fact) => isAfter(fact, place))
                .toSorted(inOrder)
                .slice(0, limit)
            )
          ),
        vectorsSince: (place, limit) =>
          read(({ reach, rows }) =>
            Effect.succeed(
              rows
                .all(vectorTable)
                .filter((row) => row.userId === reach.principal.personId && isAfter(row, place))
                .toSorted(inOrder)
                .slice(0, limit)
                .map(({ id, packed, seq }) => ({ id, seq, ...packed }))
            )
          ),
        vectors: (ids) =>
          read(({ reach, rows }) => {
            const { spaces } = memoryBounds(reach, "read")
            return Effect.succeed(
              spaces.flatMap((space) =>
                ids.flatMap((id) => {
                  const found = rows.find(vectorTable, keyOf(space, id))
                  return found === undefined ? [] : [{ id, floats: found.packed.floats }]
                })
              )
            )
          }),
        withoutVectors: (model, limit) =>
          Effect.map(current, (rows) => unreadSpaces(rows, rows.all(headTable), model, limit)),
        history: (id, page) =>
          read(({ reach, rows }) => {
            const [space] = memoryBounds(reach, "read").spaces
            const fact = space === undefined ? undefined : rows.find(factTable, keyOf(space, id))
            if (fact === undefined) return Effect.succeed(singlePage<FactRevision>([]))
            const all = rows
              .all(revisionTable)
              .filter(({ lineage, userId }) => lineage === fact.lineage && userId === fact.userId)
            return Effect.succeed(mapPage(pageOfAll(byPlace, all, page), ({ revision }) => revision))
          }),
        findRepeated: (writtenAs) =>
          read(({ reach, rows }) =>
            Effect.succeed(
              rows
                .all(revisionTable)
                .filter(({ userId, what }) => userId === reach.principal.personId && what === "fold")
                .flatMap((row) =>
                  row.writtenAs !== null && writtenAs.includes(row.writtenAs)
                    ? [{ id: row.revision.factId, writtenAs: row.writtenAs }]
                    : []
                )
            )
          ),
        write: (action, planned, event, passed) =>
          write(({ append, now, reach, rows }) => {
            const [spaceId] = memoryBounds(reach, action).spaces
            const known = spaceId === undefined ? undefined : (rows.find(headTable, spaceId)?.seq ?? 0)
            if (spaceId === undefined || known !== planned.known) return Effect.succeedNone
            const seq = known + 1
            rows.put(headTable, { spaceId, seq })
            const { id: eventId } = append(spaceId, event, passed)
            const writtenFacts = planned.facts.map(({ endsAt, isEnded, isNew, validFrom, ...row }): KeptFact => {
              const before = rows.find(factTable, keyOf(spaceId, row.id))
              const newFields = { actorId: actorOf(reach), createdAt: now, validFrom: validFrom ?? now, validTo: null }
              const base = isNew || before === undefined ? newFields : before
              const end = endsAt === null ? now : DateTime.min(now, DateTime.max(endsAt, base.validFrom))
              const validTo = isEnded ? (base.validTo ?? end) : null
              const { actorId, createdAt } = base
              const since = base.validFrom
              return { ...row, seq, actorId, createdAt, updatedAt: now, userId: spaceId, validFrom: since, validTo }
            })
            rows.put(factTable, ...writtenFacts)
            planned.revisions.forEach(({ lineage, writtenAs, ...fields }, place) => {
              const revision: FactRevision = { ...fields, actorId: actorOf(reach), eventId, at: now }
              rows.put(revisionTable, {
                place: placeId(seq, place),
                userId: spaceId,
                lineage,
                writtenAs,
                what: fields.what,
                revision
              })
            })
            const { vector } = planned
            if (vector !== null) {
              const { packed } = vector
              rows.put(vectorTable, ...vector.factIds.map((id) => ({ id, seq, userId: spaceId, packed })))
            }
            return Effect.succeedSome(writtenFacts)
          })
      }
    })
  )
}

const headTable = memoryTable<{ readonly spaceId: string; readonly seq: number }>(
  "memory_heads",
  ({ spaceId }) => spaceId
)
const vectorTable = memoryTable<FactPosition & { readonly userId: string; readonly packed: PackedVector }>(
  "memory_vectors",
  ({ id, userId }) => keyOf(userId, id)
)
const revisionTable = memoryTable<{
  readonly place: string
  readonly userId: string
  readonly lineage: string
  readonly writtenAs: string | null
  readonly what: FactRevision["what"]
  readonly revision: FactRevision
}>("memory_revisions", ({ place, userId }) => `${userId} ${place}`)

/**
 * Returns the place of a revision in the order of the person's writes, in the form of an id. The cursor of a page needs
 * an id, but a revision has no id.
 */
export const placeId = (seq: number, place: number): string => {
  const digits = seq.toString(16).padStart(16, "0") + place.toString(16).padStart(16, "0")
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}

// The greatest place in a write that the column can store.
const placeMax = 2 ** 31 - 1

/**
 * Returns the place that an id stands for. A client can make up an id, so the function limits both numbers of the
 * place.
 */
export const placeOf = (id: string): { readonly seq: number; readonly place: number } => {
  const digits = id.replaceAll("-", "")
  return {
    seq: Math.min(Number.parseInt(digits.slice(0, 16), 16), Number.MAX_SAFE_INTEGER),
    place: Math.min(Number.parseInt(digits.slice(16), 16), placeMax)
  }
}

/** The latest revision is first. */
export const byPlace: PageOrder<{ readonly place: string; readonly revision: FactRevision }> = {
  placeOf: ({ place }) => ({ at: null, id: place })
}

const isAfter = (one: FactPosition, place: FactPosition) =>
  one.seq > place.seq || (one.seq === place.seq && one.id > place.id)
const inOrder = (one: FactPosition, other: FactPosition) => one.seq - other.seq || (one.id < other.id ? -1 : 1)
