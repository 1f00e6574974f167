/**
 * The store of rankings. It reads the relations that a caller may read. For each person, it keeps the scores that the
 * pod computed from these relations.
 */
import { Context, DateTime, Effect, Layer } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import { memoryTable } from "../../platform/MemoryDatabase.ts"
import { entityAt } from "../entities/EntityTable.ts"
import { memoryStatements } from "../events/EventTable.ts"
import { edgeBounds, isEdgeOf } from "../projects/EdgeBounds.ts"
import { recordTable } from "../records/RecordTable.ts"
import { Relation } from "../relations/Relation.ts"
import { type RankedEntity, topMax } from "./Centrality.ts"
import type { Edge, Score } from "./PageRank.ts"

// The maximum number of relations in a ranking. Each relation takes about 80 bytes. A ranking of this number of
// relations takes less than a second.
export const edgesMax = 100_000
// the maximum number of entities whose scores the pod stores; it stores the highest scores
export const scoresMax = 10_000

export interface Ranking {
  readonly computedAt: DateTime.Utc
  /** The number of ranked entities that the caller may read now. */
  readonly rows: number
  readonly top: ReadonlyArray<RankedEntity>
}

export class CentralityStore extends Context.Tag("pod/CentralityStore")<
  CentralityStore,
  {
    /** The relations between entities that the caller may read. */
    readonly edges: Effect.Effect<ReadonlyArray<Edge>, never, Reach>
    /** Replaces the scores of the caller's person. */
    readonly keep: (scores: ReadonlyArray<Score>) => Effect.Effect<void, never, Reach>
    /**
     * The stored ranking, without entities that the caller is not allowed to read. Null if the pod has not computed a
     * ranking yet.
     */
    readonly ranking: Effect.Effect<Ranking | null, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(memoryStatements, ({ read, write }) => ({
      edges: read(({ reach, rows }) => {
        const ends = edgeBounds(reach, "read")
        const { personId } = reach.principal
        const isRead = (id: string, spaceId: string) => entityAt(rows, ends, id)?.spaceId === spaceId
        const newest = rows
          .all(recordTable(Relation))
          .toSorted((one, other) => (one.record.id < other.record.id ? 1 : -1))
        const edges = newest.flatMap(({ isArchived, record, spaceId }) => {
          const { sourceEntityId: source, targetEntityId: target, userId } = record
          const isSeen =
            !isArchived &&
            ends.spaces.includes(spaceId) &&
            isEdgeOf(personId, userId, spaceId) &&
            isRead(source, spaceId) &&
            isRead(target, spaceId)
          return isSeen ? [{ source, target }] : []
        })
        return Effect.succeed(edges.slice(0, edgesMax))
      }),
      keep: (scores: ReadonlyArray<Score>) =>
        write(({ now, reach, rows }) => {
          const { personId } = reach.principal
          rows.put(runTable, { personId, computedAt: now, scores: scores.slice(0, scoresMax) })
          return Effect.void
        }),
      ranking: read(({ reach, rows }) => {
        const run = rows.find(runTable, reach.principal.personId)
        if (run === undefined) return Effect.succeed(null)
        const bounds = reach.bounds("entity", "read")
        const seen = run.scores.flatMap(({ id, score }) => {
          const found = entityAt(rows, bounds, id)
          return found === undefined ? [] : [{ id, title: found.entity.title, score }]
        })
        return Effect.succeed({ computedAt: run.computedAt, rows: seen.length, top: seen.slice(0, topMax) })
      })
    }))
  )
}

interface CentralityRun {
  readonly personId: string
  readonly computedAt: DateTime.Utc
  readonly scores: ReadonlyArray<Score>
}

const runTable = memoryTable<CentralityRun>("centrality_runs", ({ personId }) => personId)
