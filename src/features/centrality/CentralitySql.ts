/**
 * The store of rankings in SQL. It reads the relations that a caller may read, and keeps one row of scores for each
 * person.
 */
import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Layer } from "effect"
import { authorizedRead, authorizedWriteWithoutEvent, edgesOfPerson } from "../../doors/Authority.ts"
import { Reach } from "../../doors/Reach.ts"
import { edgeBounds } from "../projects/EdgeBounds.ts"
import { type RankedEntity, topMax } from "./Centrality.ts"
import { CentralityStore, edgesMax, scoresMax } from "./CentralityStore.ts"

interface EdgeRow {
  readonly id: string
  readonly source: string
  readonly target: string
}

interface RunRow {
  readonly id: string
  readonly computed_at: Date
  readonly total: number
  readonly top: ReadonlyArray<RankedEntity>
}

export const layer = Layer.effect(
  CentralityStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    edges: Effect.gen(function* () {
      const reach = yield* Reach
      const { personId } = reach.principal
      const rows = yield* authorizedRead<EdgeRow>(sql, reach, edgeBounds(reach, "read"), ({ within }) => {
        const isRead = (end: string) => sql`EXISTS (
          SELECT 1 FROM entities entity
          WHERE entity.id = ${sql.literal(end)}
            AND entity.space_id = relation.space_id
            AND ${within("entity")}
            AND entity.archived_at IS NULL)`
        return sql`
          SELECT relation.id, relation.source_entity_id AS source, relation.target_entity_id AS target
          FROM unnest(authority.spaces) AS within(space_id)
          JOIN relations relation ON relation.space_id = within.space_id
          WHERE relation.archived_at IS NULL
            AND ${edgesOfPerson(sql, personId)}
            AND ${isRead("relation.source_entity_id")}
            AND ${isRead("relation.target_entity_id")}
          ORDER BY relation.id DESC
          LIMIT ${edgesMax}`
      })
      return rows.map(({ source, target }) => ({ source, target }))
    }),

    keep: Effect.fnUntraced(function* (scores) {
      const reach = yield* Reach
      const json = JSON.stringify(scores.slice(0, scoresMax))
      yield* authorizedWriteWithoutEvent(sql, reach, reach.bounds("entity", "read"), () => ({
        changed: sql`
          INSERT INTO centrality_runs (person_id, computed_at, scores)
          SELECT ${reach.principal.personId}::uuid, now(), ${json}::jsonb
          FROM authority
          ON CONFLICT (person_id) DO UPDATE SET computed_at = excluded.computed_at, scores = excluded.scores
          RETURNING person_id AS id`
      }))
    }),

    ranking: Effect.gen(function* () {
      const reach = yield* Reach
      const [row] = yield* authorizedRead<RunRow>(
        sql,
        reach,
        reach.bounds("entity", "read"),
        ({ within }) => sql`
          SELECT run.person_id AS id, run.computed_at, (
            SELECT count(*)::integer
            FROM jsonb_to_recordset(run.scores) AS ranked(id uuid)
            JOIN entities entity ON entity.id = ranked.id AND ${within("entity")} AND entity.archived_at IS NULL) AS total, (
            SELECT coalesce(jsonb_agg(jsonb_build_object('id', best.id, 'title', best.title, 'score', best.score)
              ORDER BY best.score DESC, best.id), '[]')
            FROM (
              SELECT ranked.id, ranked.score, entity.title
              FROM jsonb_to_recordset(run.scores) AS ranked(id uuid, score double precision)
              JOIN entities entity ON entity.id = ranked.id AND ${within("entity")} AND entity.archived_at IS NULL
              ORDER BY ranked.score DESC, ranked.id
              LIMIT ${topMax}) best) AS top
          FROM centrality_runs run
          WHERE run.person_id = ${reach.principal.personId}::uuid`
      )
      return row === undefined
        ? null
        : { computedAt: DateTime.unsafeFromDate(row.computed_at), rows: row.total, top: row.top }
    })
  }))
)
