/**
 * Finds entities in SQL by name and by identity signals. Each part of the statement reads an index. The statement
 * leaves out parts that the query does not need.
 */
import { SqlClient, type Statement } from "@effect/sql"
import { Effect, Layer } from "effect"
import { authorizedRead } from "../../doors/Authority.ts"
import { Reach } from "../../doors/Reach.ts"
import { columnsOf, type EntityRow, fromRow } from "./EntityRow.ts"
import { listingBounds } from "./EntityBounds.ts"
import { identityMatchesMax, IdentityLookup } from "../identity/IdentityLookup.ts"

// The maximum number of entities with the same address or handle that the statement reads before it checks the access
// of the caller.
const carriersMax = 1000

export const layer = Layer.effect(
  IdentityLookup,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(columnsOf("entity"))
    return {
      findMatching: Effect.fnUntraced(function* ({ kinds, nameKey, signals, spaces }) {
        const reach = yield* Reach
        const isNamed = nameKey !== "" && kinds.length > 0
        if (!isNamed && signals.length === 0) return []
        const named = (inReach: Statement.Fragment) => sql`(
            SELECT ${columns}
            FROM unnest(authority.spaces) AS within(space_id)
            CROSS JOIN unnest(${[...kinds]}::text[]) AS asked(kind)
            CROSS JOIN LATERAL (
              SELECT entity.* FROM entities entity
              WHERE entity.space_id = within.space_id
                AND entity.profile_slug = asked.kind
                AND entity.title_key = ${nameKey}
                AND ${inReach}
                AND entity.archived_at IS NULL
              ORDER BY entity.id DESC
              LIMIT ${identityMatchesMax}) entity
            ORDER BY entity.id DESC
            LIMIT ${identityMatchesMax})`
        const signalled = (inReach: Statement.Fragment) => sql`(
            SELECT ${columns}
            FROM unnest(authority.spaces) AS within(space_id)
            CROSS JOIN unnest(${signals.map(({ name }) => name)}::text[], ${signals.map(({ value }) => value)}::text[])
              AS asked(name, value)
            CROSS JOIN LATERAL (
              SELECT signal.entity_id FROM entity_signals signal
              WHERE signal.space_id = within.space_id AND signal.value = asked.value AND signal.name = asked.name
              ORDER BY signal.entity_id DESC
              LIMIT ${carriersMax}) signal
            CROSS JOIN LATERAL (
              SELECT entity.* FROM entities entity
              WHERE entity.id = signal.entity_id AND entity.space_id = within.space_id
                AND ${inReach} AND entity.archived_at IS NULL
              ORDER BY entity.id
              LIMIT 1) entity
            ORDER BY entity.id DESC
            LIMIT ${identityMatchesMax})`
        const rows = yield* authorizedRead<EntityRow>(sql, reach, listingBounds(reach, spaces), ({ within }) => {
          const inReach = within("entity", "within.space_id")
          if (signals.length === 0) return named(inReach)
          return isNamed ? sql`${named(inReach)} UNION ALL ${signalled(inReach)}` : signalled(inReach)
        })
        return rows.map(fromRow)
      })
    }
  })
)
