/**
 * Stops a pod on PostgreSQL under full load. This test is only in the long run, because it starts a pod twice, and
 * repeats the rule of `test/process/gracefulStop.test.ts` on the other database engine.
 */
import { it } from "@effect/vitest"
import { aFolder, startPod } from "../support/builtPod.ts"
import { aDatabaseOn, describePostgres } from "../support/postgres.ts"
import { assertStored, noRequestLost, stopUnderLoad } from "../process/stopUnderLoad.ts"

describePostgres("stopping a pod on PostgreSQL without losing requests", (server) => {
  it(noRequestLost, async () => {
    const database = await aDatabaseOn(server)
    const folder = aFolder()
    const start = { dataDir: folder.path, environment: { POD_STOP_GRACE: "1s", POD_DATABASE_URL: database.url } }
    const ids = await stopUnderLoad(await startPod(start))
    const later = await startPod(start)
    await assertStored(later, ids)
    await later.kill()
    folder.remove()
    await database.drop()
  })
})
