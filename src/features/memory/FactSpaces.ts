/**
 * The indexes of facts in this process, one for each person. The pod makes an index when it first needs it. It updates
 * the index before each use, and after each committed write of this process. If all indexes together need too many
 * bytes, the pod drops the least recently used indexes.
 */
import { Context, Effect, Layer } from "effect"
import { setImmediate } from "node:timers/promises"
import { Reach } from "../../doors/Reach.ts"
import { readAtMost } from "../../platform/ResultSize.ts"
import { FactIndex } from "./FactIndex.ts"
import { dimensions, type KeptFact } from "./MemoryFact.ts"
import { MemoryStore, type FactPosition } from "./MemoryStore.ts"
import { VectorIndex } from "../search/vectors/VectorIndex.ts"

// the maximum number of facts that one statement reads; indexing them takes about 30 ms
const rowsAtOnce = 500
// the maximum number of vectors that one statement reads; each vector has 1.5 kB
const vectorsAtOnce = 250

const start: FactPosition = { seq: 0, id: "00000000-0000-0000-0000-000000000000" }

export class FactMemory extends Context.Tag("pod/FactMemory")<
  FactMemory,
  {
    /** The maximum number of bytes of memory for the facts and vectors of all persons together. */
    readonly bytesMax: number
  }
>() {}

interface Space {
  readonly facts: FactIndex
  readonly vectors: VectorIndex
  factsTo: FactPosition
  vectorsTo: FactPosition
  /**
   * Whether the index has all facts of the person. This is false while the pod still reads the facts in batches.
   * `factsTo` is the last row that the pod has read.
   */
  isWhole: boolean
}

export interface FreshFacts {
  readonly index: FactIndex
  /** The number of the last write that the index has read. */
  readonly known: number
  /**
   * True if the facts of this person alone need more bytes than all indexes are allowed to have. The pod then cannot
   * store further facts, because a write needs all facts of the person in the index.
   */
  readonly isFull: boolean
}

export class FactSpaces extends Context.Tag("pod/FactSpaces")<
  FactSpaces,
  {
    /**
     * Returns the index of the caller's person, with all committed facts. If there are no new facts, the method needs
     * only one statement.
     */
    readonly facts: Effect.Effect<FreshFacts, never, Reach>
    /**
     * Returns the index that this process already has, without a statement to the database. Returns undefined if the
     * pod has not read the index yet. The index can be out of date, because another node has possibly written facts in
     * the meantime. So only a write can use this index. The write must send `known`, the number of the latest write in
     * the index. If the database has a newer write, the write changes nothing.
     */
    readonly inMemory: Effect.Effect<FreshFacts | undefined, never, Reach>
    /**
     * Adds the facts of a committed write of this process to the index. Does nothing if the index lacks an earlier
     * write.
     */
    readonly wrote: (personId: string, known: number, facts: ReadonlyArray<KeptFact>) => Effect.Effect<void>
    /** Returns the index of the embedding vectors of the caller's person. Clients have sent these vectors. */
    readonly vectors: Effect.Effect<VectorIndex, never, Reach>
    /** Drops the index of the caller's person, so that the next use reads it again from the database. */
    readonly reset: Effect.Effect<void, never, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* MemoryStore
      const { bytesMax } = yield* FactMemory
      const spaces = new Map<string, Space>()

      /**
       * Returns the indexes of a person. Makes them if there are none. Moves them to the end of the map, so that the
       * map begins with the least recently used indexes.
       */
      const spaceOf = (personId: string): Space => {
        const known = spaces.get(personId)
        const space = known ?? {
          facts: new FactIndex(),
          vectors: new VectorIndex(dimensions),
          factsTo: start,
          vectorsTo: start,
          isWhole: false
        }
        spaces.delete(personId)
        spaces.set(personId, space)
        return space
      }

      /**
       * Drops the least recently used indexes until the other indexes need at most `bytesMax` bytes. Never drops the
       * indexes of `personId`.
       */
      const evict = (personId: string) => {
        let bytes = [...spaces.values()].reduce((sum, space) => sum + bytesOf(space), 0)
        for (const [oldest, space] of spaces) {
          if (bytes <= bytesMax || oldest === personId) return
          spaces.delete(oldest)
          bytes -= bytesOf(space)
        }
      }

      /**
       * Reads the rows after `place` in batches. After each batch, `take` moves `place` forward. All calls share
       * `place`, so two simultaneous calls do not read the same rows twice.
       */
      const catchUp = <Row extends FactPosition>(
        personId: string,
        atOnce: number,
        place: () => FactPosition,
        next: (from: FactPosition, limit: number) => Effect.Effect<ReadonlyArray<Row>, never, Reach>,
        take: (rows: ReadonlyArray<Row>, to: FactPosition, isLast: boolean) => void
      ) =>
        Effect.gen(function* () {
          while (true) {
            const { found: rows, limit } = yield* readAtMost(atOnce, (most) => next(place(), most))
            const last = rows.at(-1)
            if (last === undefined) return
            const isLast = rows.length < limit
            take(rows, isPast(last, place()) ? last : place(), isLast)
            evict(personId)
            if (isLast) return
            yield* Effect.promise(() => setImmediate())
          }
        })

      const freshOf = (space: Space): FreshFacts => ({
        index: space.facts,
        known: space.factsTo.seq,
        isFull: bytesOf(space) >= bytesMax
      })

      const facts = Effect.gen(function* () {
        const { personId } = (yield* Reach).principal
        const space = spaceOf(personId)
        yield* catchUp(
          personId,
          rowsAtOnce,
          () => space.factsTo,
          store.since,
          (rows, to, isLast) => {
            for (const row of rows) space.facts.put(row)
            space.factsTo = { seq: to.seq, id: to.id }
            if (!isLast) space.isWhole = false
          }
        )
        space.isWhole = true
        return freshOf(space)
      })

      const vectors = Effect.gen(function* () {
        const { personId } = (yield* Reach).principal
        const space = spaceOf(personId)
        yield* catchUp(
          personId,
          vectorsAtOnce,
          () => space.vectorsTo,
          store.vectorsSince,
          (rows, to) => {
            for (const row of rows) space.vectors.put(row)
            space.vectorsTo = { seq: to.seq, id: to.id }
          }
        )
        return space.vectors
      })

      const inMemory = Effect.map(Reach, ({ principal: { personId } }) =>
        spaces.get(personId)?.isWhole === true ? freshOf(spaceOf(personId)) : undefined
      )

      const wrote: (typeof FactSpaces.Service)["wrote"] = (personId, known, written) =>
        Effect.sync(() => {
          const space = spaces.get(personId)
          if (space?.isWhole !== true || space.factsTo.seq !== known) return
          // Puts the rows into the order in which the database returns rows.
          const rows = written.toSorted((one, other) => (one.id < other.id ? -1 : 1))
          for (const row of rows) space.facts.put(row)
          const last = rows.at(-1)
          if (last !== undefined) space.factsTo = { seq: last.seq, id: last.id }
          evict(personId)
        })

      return {
        facts,
        inMemory,
        wrote,
        vectors,
        reset: Effect.map(Reach, ({ principal }) => void spaces.delete(principal.personId))
      }
    })
  )
}

const bytesOf = ({ facts, vectors }: Space) => facts.bytes + vectors.bytes

const isPast = (one: FactPosition, other: FactPosition) =>
  one.seq > other.seq || (one.seq === other.seq && one.id > other.id)
