/** Entities by name and by signals, in SQL: for each a walk of an index, and only where something is asked by it. */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { governed, withinReach } from "../../../doors/Authority.ts"
import { Reach } from "../../../doors/Reach.ts"
import { columnsOf, type EntityRow, fromRow } from "../EntityRow.ts"
import { narrowed } from "../EntityStore.ts"
import { namesakesMost, NamesakeStore } from "./NamesakeStore.ts"

const carriersMost = 1000 // entities of one signal that are looked at, whoever reads them

export const layer = Layer.effect(
  NamesakeStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(columnsOf("entity"))
    return {
      alike: ({ kinds, nameKey, signals, spaces }) =>
        Effect.gen(function* () {
          const reach = yield* Reach
          const bounds = narrowed(reach, spaces)
          const within = withinReach(sql, bounds, "entity", "within.space_id")
          const named = sql`(
            SELECT ${columns}
            FROM unnest(authority.spaces) AS within(space_id)
            JOIN entities entity ON entity.space_id = within.space_id
            WHERE ${within}
              AND entity.profile_slug = ANY (${[...kinds]}::text[])
              AND entity.title_key = ${nameKey}
              AND entity.archived_at IS NULL
            LIMIT ${namesakesMost})`
          const signalled = sql`(
            SELECT ${columns}
            FROM unnest(authority.spaces) AS within(space_id)
            CROSS JOIN unnest(${signals.map(({ name }) => name)}::text[], ${signals.map(({ value }) => value)}::text[])
              AS asked(name, value)
            CROSS JOIN LATERAL (
              SELECT signal.entity_id FROM entity_signals signal
              WHERE signal.space_id = within.space_id AND signal.value = asked.value AND signal.name = asked.name
              LIMIT ${carriersMost}) signal
            CROSS JOIN LATERAL (
              SELECT entity.* FROM entities entity
              WHERE entity.id = signal.entity_id AND entity.space_id = within.space_id
                AND ${within} AND entity.archived_at IS NULL
              LIMIT 1) entity
            LIMIT ${namesakesMost})`
          const isNamed = nameKey !== "" && kinds.length > 0
          if (!isNamed && signals.length === 0) return []
          const arms = signals.length === 0 ? named : isNamed ? sql`${named} UNION ALL ${signalled}` : signalled
          const rows = yield* governed<EntityRow>(
            sql,
            reach,
            bounds,
            (authority) => sql`
              WITH ${authority}
              SELECT found.* FROM authority LEFT JOIN LATERAL (${arms}) found ON true`
          )
          return rows.map(fromRow)
        }).pipe(Effect.catchTag("SqlError", Effect.die))
    }
  })
)
