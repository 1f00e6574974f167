/** A request for one page of a project's entities reads few rows, even if the space has thousands of entities. */
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { EntityStore } from "../../../src/features/entities/EntityStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aMember } from "../../support/people.ts"
import { rowsRead } from "../../support/rowsRead.ts"
import { asOwner, onEachDatabase, withReach } from "../../support/stores.ts"
import { addEntity, anEntity } from "./entityCalls.ts"

const many = 3_000
const limit = 10

onEachDatabase("the entities of a project", (stores) => {
  it.effect(
    "the pod lists a page of a project's entities without reading all entities of the space, even if the project has no entity or thousands of entities",
    () =>
      Effect.gen(function* () {
        const { personId, reach, spaceId } = yield* aMember()
        const [small, large] = [uuidv7(), uuidv7()]
        const kept = yield* addEntity(reach, anEntity({ spaceId, projectId: small }))
        yield* asOwner(
          Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            yield* sql`
            INSERT INTO entities (id, space_id, profile_slug, title, properties, user_id, actor_id, updated_at)
            SELECT gen_random_uuid(), ${spaceId}::uuid, 'note', 'Other', '{}', ${personId}::uuid, ${personId}::uuid,
              now() + n * interval '1 second'
            FROM generate_series(1, ${many}::integer) n`
            yield* sql`
            INSERT INTO entity_projects (space_id, entity_id, project_id)
            SELECT space_id, id, ${large}::uuid FROM entities WHERE title = 'Other' AND space_id = ${spaceId}::uuid`
            yield* sql`ANALYZE`
          })
        )
        const page = (projectId: string, kind?: string) =>
          Effect.map(
            rowsRead(
              ["entities"],
              withReach(reach)(
                Effect.flatMap(EntityStore, ({ list }) =>
                  list({ projectId, kind, search: undefined, limit, offset: 0 }, null)
                )
              )
            ),
            ({ read, result }) => ({ read, ids: result.items.map(({ id }) => id) })
          )
        for (const [project, ids] of [
          [small, [kept.id]],
          [uuidv7(), []]
        ] as const) {
          for (const kind of [undefined, "note"]) {
            const found = yield* page(project, kind)
            assert.deepStrictEqual(found.ids, [...ids])
            assert.isBelow(found.read, 10 * limit)
          }
        }
        const found = yield* page(large)
        assert.lengthOf(found.ids, limit)
        assert.isBelow(found.read, 10 * limit)
      }).pipe(Effect.provide(stores), Effect.orDie)
  )
})
