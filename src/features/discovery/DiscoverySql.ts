/**
 * Counts in one SQL statement how many entities have a value for each property. Reads only the latest entities of each
 * kind.
 */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { authorizedRead } from "../../doors/Authority.ts"
import { inSpaces, Reach } from "../../doors/Reach.ts"
import type { KindFill } from "./Discovery.ts"
import { DiscoveryStore, sampleMax } from "./DiscoveryStore.ts"
import { arrayLiteral } from "../../platform/ArrayLiteral.ts"

interface Row {
  readonly id: string
  readonly sample_size: number
  readonly filled: Record<string, number> | null
}

export const layer = Layer.effect(
  DiscoveryStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    fills: Effect.fnUntraced(function* ({ kinds, spaces }) {
      if (kinds.length === 0) return new Map<string, KindFill>()
      const reach = yield* Reach
      const readable = reach.bounds("entity", "read")
      const rows = yield* authorizedRead<Row>(
        sql,
        reach,
        spaces === null ? readable : inSpaces(readable, spaces),
        ({ within }) => sql`
            SELECT sized.kind AS id, sized.sample_size, (
              SELECT jsonb_object_agg(counted.slug, counted.filled)
              FROM jsonb_to_recordset(sized.fields) AS counted(slug text, filled integer)) AS filled
            FROM (
              SELECT asked.kind, sample.sample_size, sample.fields
              FROM unnest(${arrayLiteral([...new Set(kinds)])}::text[]) AS asked(kind)
              CROSS JOIN LATERAL (
                WITH latest AS (
                  SELECT entity.properties
                  FROM unnest(authority.spaces) AS within(space_id)
                  CROSS JOIN LATERAL (
                    SELECT entity.properties, entity.updated_at, entity.id
                    FROM entities entity
                    WHERE entity.space_id = within.space_id
                      AND entity.profile_slug = asked.kind
                      AND ${within("entity", "within.space_id")}
                      AND entity.archived_at IS NULL
                    ORDER BY entity.updated_at DESC, entity.id DESC
                    LIMIT ${sampleMax}) entity
                  ORDER BY entity.updated_at DESC, entity.id DESC
                  LIMIT ${sampleMax})
                SELECT (SELECT count(*)::integer FROM latest) AS sample_size, (
                  SELECT coalesce(jsonb_agg(jsonb_build_object('slug', each.slug, 'filled', each.filled)), '[]')
                  FROM (
                    SELECT field.key AS slug, count(*)::integer AS filled
                    FROM latest CROSS JOIN LATERAL jsonb_each(latest.properties) field
                    WHERE field.value NOT IN ('null'::jsonb, '""'::jsonb, '[]'::jsonb, '{}'::jsonb)
                    GROUP BY field.key) each) AS fields) sample
              WHERE sample.sample_size > 0) sized`
      )
      return new Map<string, KindFill>(
        rows.map(({ filled, id, sample_size }) => [id, { sampleSize: sample_size, filled: filled ?? {} }])
      )
    })
  }))
)
