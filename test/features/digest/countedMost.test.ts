/**
 * Tests that no request reads all entities of a large space, neither to count them nor to find the projects in which
 * they are.
 */
import { SqlClient } from "@effect/sql"
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { Effect } from "effect"
import { countedMax } from "../../../src/doors/Page.ts"
import { assertOk } from "../../attacks/attackScene.ts"
import { aPod, type TestPod } from "../../support/pod.ts"
import { onOneDatabase } from "../../support/storages.ts"
import { asOwner } from "../../support/stores.ts"

onOneDatabase((storage) => {
  let pod: TestPod
  let workspaceId: string
  const many = countedMax + 5
  beforeAll(async () => {
    pod = await aPod(storage())
    workspaceId = await pod.aWorkspace(pod.owner, "Large")
    await pod.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`
          INSERT INTO entities (id, space_id, profile_slug, title, properties, user_id, actor_id)
          SELECT gen_random_uuid(), ${workspaceId}::uuid, CASE WHEN n <= 3 THEN 'task' ELSE 'note' END, 'Row ' || n, '{}',
            ${pod.ownerId}::uuid, ${pod.ownerId}::uuid
          FROM generate_series(1, ${many + 3}::integer) n`
      ).pipe(asOwner)
    )
  })
  afterAll(() => pod?.stop())

  it("the digest of a workspace shows the exact number of entities of each kind, up to a fixed maximum", async () => {
    const { counts, total } = assertOk(await pod.owner.send("GET", `/api/hub/workspaces/${workspaceId}/digest`))
    assert.deepStrictEqual(counts, { note: countedMax, task: 3 })
    assert.strictEqual(total, countedMax + 3)
  })

  it("the discovery of profiles shows the exact number of entities of each kind, up to a fixed maximum", async () => {
    const path = `/api/hub/discover?userId=${pod.ownerId}&workspaceId=${workspaceId}&summary=true`
    const { profiles } = assertOk(await pod.owner.send("GET", path))
    const counted = profiles.map(({ entityCount, slug }: { entityCount: number; slug: string }) => [slug, entityCount])
    const bySlug = new Map<string, number>(counted)
    assert.deepStrictEqual([bySlug.get("note"), bySlug.get("task")], [countedMax, 3])
  })

  it("when the pod lists workspaces, it does not read all entities again for each project", async () => {
    // With this many projects, reading all entities once for each project would exceed the time limit of a statement.
    const projects = 4_000
    await pod.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ownerId = pod.ownerId
        yield* sql`
          INSERT INTO projects (id, space_id, name, status, settings, metadata, user_id, actor_id)
          SELECT gen_random_uuid(), ${ownerId}::uuid, 'Project ' || n, 'active', '{}', '{}', ${ownerId}::uuid, ${ownerId}::uuid
          FROM generate_series(1, ${projects}::integer) n`
        yield* sql`
          INSERT INTO entity_projects (space_id, entity_id, project_id, user_id)
          SELECT space_id, id, (SELECT id FROM projects ORDER BY id LIMIT 1), user_id
          FROM entities WHERE space_id = ${workspaceId}::uuid`
        yield* sql`ANALYZE`
      }).pipe(asOwner)
    )
    const { workspaces } = assertOk(await pod.owner.send("GET", "/api/hub/workspaces"))
    assert.deepStrictEqual(
      workspaces.map(({ entityCount, usedByProjectIds }: { entityCount: number; usedByProjectIds: Array<string> }) => [
        entityCount,
        usedByProjectIds.length
      ]),
      [[countedMax, 1]]
    )
  })
})
