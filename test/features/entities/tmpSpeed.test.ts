/** Temporary. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "@effect/sql"
import { aMember, throughKey } from "../../support/people.ts"
import { by, onEachDatabase } from "../../support/stores.ts"
import { added, anEntity } from "./entityCalls.ts"
import { appendFileSync } from "node:fs"
onEachDatabase("speed", (stores) => {
  it.effect("x", () => Effect.gen(function* () {
    const { spaceId, reach: r } = yield* aMember()
    const reach = yield* throughKey(r)
    const sql = yield* SqlClient.SqlClient
    for (let i = 0; i < 1000; i++) yield* added(reach, anEntity({ spaceId, kind: "person", title: `t${i}`, properties: i % 2 ? { email: `a${i}@example.com` } : {} }))
    const rows = yield* sql.unsafe(`EXPLAIN (ANALYZE, COSTS) WITH authority AS MATERIALIZED (SELECT set_config('app.spaces', '{${spaceId}}', true)::uuid[] AS spaces, set_config('app.kinds','*',true), set_config('app.objects','*',true), set_config('app.projects','*',true)),
      asked AS (SELECT * FROM unnest('{email}'::text[], '{x@y.zz}'::text[]) AS asked(name, value)),
      alike AS (
        (SELECT entity.id, entity.space_id FROM authority, entities entity
         WHERE entity.space_id = ANY (authority.spaces) AND entity.profile_slug = ANY ('{person}'::text[]) AND entity.title_key = 'nobody' AND entity.archived_at IS NULL LIMIT 50)
        UNION
        (SELECT entity.id, entity.space_id FROM authority, asked
         JOIN entity_signals signal ON signal.name = asked.name AND signal.value = asked.value
         JOIN entities entity ON entity.id = signal.entity_id AND entity.space_id = signal.space_id
         WHERE signal.space_id = ANY (authority.spaces) AND entity.space_id = ANY (authority.spaces) AND entity.archived_at IS NULL LIMIT 50))
      SELECT entity.id FROM authority LEFT JOIN alike ON true LEFT JOIN LATERAL (SELECT entity.* FROM entities entity WHERE entity.id = alike.id AND entity.space_id = alike.space_id OFFSET 0) entity ON true`)
    appendFileSync("/tmp/speed.txt", rows.map((r: any) => r["QUERY PLAN"]).join("\n") + "\n\n")
  }).pipe(Effect.provide(stores)) as any, 120000)
})
