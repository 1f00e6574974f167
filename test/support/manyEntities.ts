/** Fills a space with many equal entities, so that a test sees how many rows a read of few entities costs. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const manyTitle = "Other"

/** Makes notes with the title `manyTitle`, newer than all others, each with this facet. Runs as the owner of the database. */
export const addManyEntities = Effect.fnUntraced(function* (
  { personId, spaceId }: { readonly personId: string; readonly spaceId: string },
  many: number,
  facet: string
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO entities (id, space_id, profile_slug, title, properties, user_id, actor_id, updated_at)
    SELECT gen_random_uuid(), ${spaceId}::uuid, 'note', ${manyTitle}, '{}', ${personId}::uuid, ${personId}::uuid,
      now() + n * interval '1 second'
    FROM generate_series(1, ${many}::integer) n`
  yield* sql`
    INSERT INTO entity_facets (id, space_id, user_id, actor_id, entity_id, slug, properties)
    SELECT gen_random_uuid(), space_id, user_id, actor_id, id, ${facet}, '{}'
    FROM entities WHERE title = ${manyTitle} AND space_id = ${spaceId}::uuid`
})
