/**
 * A request for one page of the relations of one entity, or of one relation type, does not make the database read the
 * thousands of other relations.
 */
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { RelationStore } from "../../../src/features/relations/RelationStore.ts"
import { aMember } from "../../support/people.ts"
import { rowsRead } from "../../support/rowsRead.ts"
import { asOwner, onEachDatabase, withReach } from "../../support/stores.ts"
import { addEntity, anEntity } from "../entities/entityCalls.ts"

const many = 3_000
const limit = 10

onEachDatabase("reading pages of relations", (stores) => {
  it.effect(
    "the pod reads a page of an entity's relations without reading all of the thousands of relations that the entity has",
    () =>
      Effect.gen(function* () {
        const { personId, reach, spaceId } = yield* aMember()
        const hub = yield* addEntity(reach, anEntity({ spaceId }))
        yield* asOwner(
          Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            yield* sql`
            INSERT INTO entities (id, space_id, profile_slug, title, properties, user_id, actor_id)
            SELECT gen_random_uuid(), ${spaceId}::uuid, 'note', 'Spoke', '{}', ${personId}::uuid, ${personId}::uuid
            FROM generate_series(1, ${many}::integer)`
            yield* sql`
            INSERT INTO relations (id, space_id, user_id, actor_id, source_entity_id, target_entity_id, type, metadata)
            SELECT gen_random_uuid(), spoke.space_id, spoke.user_id, spoke.user_id, ${hub.id}::uuid, spoke.id, 'supports', '{}'::jsonb
            FROM entities spoke WHERE spoke.title = 'Spoke' AND spoke.space_id = ${spaceId}::uuid
            UNION ALL
            SELECT gen_random_uuid(), ${spaceId}::uuid, ${personId}::uuid, ${personId}::uuid, ${hub.id}::uuid, ${hub.id}::uuid, 'about', '{}'::jsonb`
            yield* sql`ANALYZE`
          })
        )
        const page = (more: { readonly entityId?: string; readonly type?: string }) =>
          rowsRead(
            ["relations", "entities"],
            withReach(reach)(
              Effect.flatMap(RelationStore, ({ list }) =>
                list({
                  spaces: null,
                  entityId: undefined,
                  type: undefined,
                  limit,
                  offset: 0,
                  cursor: undefined,
                  ...more
                })
              )
            )
          )
        const ofHub = yield* page({ entityId: hub.id })
        assert.lengthOf(ofHub.result.items, limit)
        assert.isBelow(ofHub.read, 30 * limit)
        // The entity `hub` has a relation to itself, and the page lists this relation once.
        assert.lengthOf((yield* page({ entityId: hub.id, type: "about" })).result.items, 1)
        const ofType = yield* page({ type: "no-such-type" })
        assert.lengthOf(ofType.result.items, 0)
        assert.isBelow(ofType.read, 30 * limit)
      }).pipe(Effect.provide(stores), Effect.orDie)
  )
})
