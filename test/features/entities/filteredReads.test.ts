/**
 * A request for one page of the entities of a project, or of those with a facet, reads few rows, even if the space has
 * thousands of entities.
 */
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { EntityStore } from "../../../src/features/entities/EntityStore.ts"
import { Facet } from "../../../src/features/facets/Facet.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { addAnyRecord } from "../../support/anyRecord.ts"
import { addManyEntities, manyTitle } from "../../support/manyEntities.ts"
import { aMember } from "../../support/people.ts"
import { rowsRead } from "../../support/rowsRead.ts"
import { asOwner, onEachDatabase, withReach } from "../../support/stores.ts"
import { addEntity, anEntity } from "./entityCalls.ts"

const many = 3_000
const limit = 10

const fewRead = 10 * limit
// To see whether many match, the pod reads up to a thousand matches. Each costs some rows and entries of indexes.
const countedMax = 6_000

/**
 * A space with one entity in a small project and with the facet `rare`, and thousands of newer entities in a large
 * project and with the facet `common`.
 */
const aLargeSpace = Effect.gen(function* () {
  const { personId, reach, spaceId } = yield* aMember()
  const [small, large] = [uuidv7(), uuidv7()]
  const kept = yield* addEntity(reach, anEntity({ spaceId, projectId: small }))
  yield* addAnyRecord(reach, Facet, spaceId, { entityId: kept.id, slug: "rare", properties: {} })
  yield* asOwner(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* addManyEntities({ personId, spaceId }, many, "common")
      yield* sql`
        INSERT INTO entity_projects (space_id, entity_id, project_id)
        SELECT space_id, id, ${large}::uuid FROM entities WHERE title = ${manyTitle} AND space_id = ${spaceId}::uuid`
      yield* sql`ANALYZE`
    })
  )
  const page = (filter: { readonly projectId?: string; readonly facet?: string; readonly kind?: string | undefined }) =>
    Effect.map(
      rowsRead(
        ["entities", "entity_facets", "entity_projects"],
        withReach(reach)(
          Effect.flatMap(EntityStore, ({ list }) =>
            list({ kind: undefined, projectId: undefined, search: undefined, limit, offset: 0, ...filter }, null)
          )
        )
      ),
      ({ read, result }) => ({ read, ids: result.items.map(({ id }) => id) })
    )
  return { kept: kept.id, large, page, small }
})

onEachDatabase("the entities that match a filter", (stores) => {
  it.effect(
    "the pod lists a page of a project's entities without reading all entities of the space, even if the project has no entity or thousands of entities",
    () =>
      Effect.gen(function* () {
        const { kept, large, page, small } = yield* aLargeSpace
        for (const [projectId, ids] of [
          [small, [kept]],
          [uuidv7(), []]
        ] as const) {
          for (const kind of [undefined, "note"]) {
            const found = yield* page({ projectId, kind })
            assert.deepStrictEqual(found.ids, [...ids])
            assert.isBelow(found.read, fewRead)
          }
        }
        const found = yield* page({ projectId: large })
        assert.lengthOf(found.ids, limit)
        assert.isBelow(found.read, countedMax + fewRead)
      }).pipe(Effect.provide(stores), Effect.orDie)
  )

  it.effect(
    "the pod lists a page of the entities with a facet without reading all entities of the space, even if no entity or thousands of entities have the facet",
    () =>
      Effect.gen(function* () {
        const { kept, page, small } = yield* aLargeSpace
        for (const [facet, ids] of [
          ["rare", [kept]],
          ["none", []]
        ] as const) {
          for (const further of [{}, { kind: "note" }, { projectId: small }]) {
            const found = yield* page({ facet, ...further })
            assert.deepStrictEqual(found.ids, [...ids])
            assert.isBelow(found.read, fewRead, JSON.stringify({ facet, ...further }))
          }
        }
        const found = yield* page({ facet: "common" })
        assert.lengthOf(found.ids, limit)
        assert.isBelow(found.read, countedMax + fewRead)
      }).pipe(Effect.provide(stores), Effect.orDie)
  )
})
