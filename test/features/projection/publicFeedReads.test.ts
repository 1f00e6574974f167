/** A read of the public feed costs few rows, even if the workspace has thousands of entities that are not public. */
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Facet } from "../../../src/features/facets/Facet.ts"
import { ProjectionStore } from "../../../src/features/projection/ProjectionStore.ts"
import { addAnyRecord } from "../../support/anyRecord.ts"
import { addManyEntities } from "../../support/manyEntities.ts"
import { aMember } from "../../support/people.ts"
import { rowsRead } from "../../support/rowsRead.ts"
import { asOwner, onEachDatabase, withReach } from "../../support/stores.ts"
import { addEntity, anEntity } from "../entities/entityCalls.ts"
import { publish } from "./projectionStore.contract.ts"

const many = 3_000
const limit = 10

onEachDatabase("the public feed of a large workspace", (stores) => {
  it.effect(
    "the pod finds the public entities without reading the other entities of the workspace, with and without a search",
    () =>
      Effect.gen(function* () {
        const { personId, reach, spaceId } = yield* aMember()
        yield* publish(reach, spaceId, { enabled: true, roles: ["task", "supplier"], fields: ["title"] })
        const task = yield* addEntity(reach, anEntity({ spaceId, kind: "task", title: "Paint" }))
        const company = yield* addEntity(reach, anEntity({ spaceId, kind: "company", title: "Ropes" }))
        yield* addAnyRecord(reach, Facet, spaceId, { entityId: company.id, slug: "supplier", properties: {} })
        yield* asOwner(
          Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            yield* addManyEntities({ personId, spaceId }, many, "customer")
            yield* sql`ANALYZE`
          })
        )
        const store = yield* ProjectionStore
        for (const more of [{}, { role: "supplier" }, { q: "rope" }]) {
          const { read, result } = yield* rowsRead(
            ["entities", "entity_facets"],
            withReach(reach)(store.read({ workspace: spaceId, limit, ...more }))
          )
          const expected = "role" in more || "q" in more ? [company.id] : [company.id, task.id]
          assert.deepStrictEqual(
            result?.entities.map(({ id }) => id),
            expected
          )
          assert.isBelow(read, 10 * limit, JSON.stringify(more))
        }
      }).pipe(Effect.provide(stores), Effect.orDie)
  )
})
