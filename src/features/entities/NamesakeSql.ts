/** Entities by name and by signals, in SQL: two walks of indexes, and then the rows themselves within the reach. */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { governed, withinReach } from "../../doors/Authority.ts"
import { Reach } from "../../doors/Reach.ts"
import { columnsOf, type EntityRow, fromRow } from "./EntityRow.ts"
import { narrowed } from "./EntityStore.ts"
import { namesakesMost, NamesakeStore } from "./NamesakeStore.ts"

export const layer = Layer.effect(
  NamesakeStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(columnsOf("entity"))
    return {
      alike: ({ kinds, nameKey, signals, spaces }) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const bounds = narrowed(reach, spaces)
          const within = withinReach(sql, bounds, "entity")
          const rows = yield* governed<EntityRow>(
            sql,
            reach,
            bounds,
            (authority) => sql`
              WITH ${authority},
              asked AS (
                SELECT * FROM unnest(${signals.map(({ name }) => name)}::text[],
                  ${signals.map(({ value }) => value)}::text[]) AS asked(name, value)),
              alike AS (
                (SELECT entity.id, entity.space_id
                FROM authority, entities entity
                WHERE ${within}
                  AND entity.profile_slug = ANY (${[...kinds]}::text[])
                  AND entity.title_key = ${nameKey}
                  AND entity.archived_at IS NULL
                LIMIT ${namesakesMost})
                UNION
                (SELECT entity.id, entity.space_id
                FROM authority, asked
                JOIN entity_signals signal ON signal.name = asked.name AND signal.value = asked.value
                JOIN entities entity ON entity.id = signal.entity_id AND entity.space_id = signal.space_id
                WHERE signal.space_id = ANY (authority.spaces)
                  AND ${within}
                  AND entity.archived_at IS NULL
                LIMIT ${namesakesMost}))
              SELECT ${columns}
              FROM authority
              LEFT JOIN alike ON true
              LEFT JOIN LATERAL (
                SELECT entity.* FROM entities entity
                WHERE entity.id = alike.id AND entity.space_id = alike.space_id
                OFFSET 0) entity ON true`
          )
          return rows.map(fromRow)
        }).pipe(Effect.catchTag("SqlError", Effect.die))
    }
  })
)
