/** A request never counts more rows than `countedMost`, so that a large space is not read to be counted. */
import { SqlClient } from "@effect/sql"
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { Effect } from "effect"
import { countedMost } from "../../../src/doors/Page.ts"
import { assertOk } from "../../attacks/attackScene.ts"
import { aPod, type TestPod } from "../../support/pod.ts"
import { onOneDatabase } from "../../support/storages.ts"
import { asOwner } from "../../support/stores.ts"

onOneDatabase((storage) => {
  let pod: TestPod
  let workspaceId: string
  const many = countedMost + 5
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

  it("the digest of a workspace counts each kind up to the limit, and small kinds exactly", async () => {
    const { counts, total } = assertOk(await pod.owner.send("GET", `/api/hub/workspaces/${workspaceId}/digest`))
    assert.deepStrictEqual(counts, { note: countedMost, task: 3 })
    assert.strictEqual(total, countedMost + 3)
  })

  it("discovery counts each kind up to the limit, and small kinds exactly", async () => {
    const path = `/api/hub/discover?userId=${pod.ownerId}&workspaceId=${workspaceId}&summary=true`
    const { profiles } = assertOk(await pod.owner.send("GET", path))
    const counted = profiles.map(({ entityCount, slug }: { entityCount: number; slug: string }) => [slug, entityCount])
    const bySlug = new Map<string, number>(counted)
    assert.deepStrictEqual([bySlug.get("note"), bySlug.get("task")], [countedMost, 3])
  })
})
