/** An import that is killed is never taken for a pod, and the same call finishes it. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { aFolder, type Folder } from "../support/builtPod.ts"
import { anOddDatabaseOn, describePostgres } from "../support/postgres.ts"
import { killAt, startRefusal } from "./killedTransfers.ts"
import { aFilledFolder, embeddedAt, exportAll, postgresAt, stateAt, withPostgres } from "./transferScene.ts"

let filled: Folder
let rows: string
beforeAll(async () => {
  filled = await aFilledFolder()
  rows = join(filled.path, "rows.ndjson")
  await exportAll(embeddedAt(filled), rows)
})
afterAll(() => filled.remove())

describe("an import into a data directory", () => {
  it("leaves no pod when it is killed, and the next call gives the same state", async () => {
    const target = aFolder()
    await killAt("import", rows, target.path, [30], async () => {
      assert.isFalse(existsSync(join(target.path, "pg")))
      assert.include(await startRefusal({ dataDir: target.path }), "has not ended")
    })
    assert.deepStrictEqual(await stateAt(embeddedAt(target)), await stateAt(embeddedAt(filled)))
    assert.notInclude(readdirSync(target.path).join(), "import")
    target.remove()
  })
})

describePostgres("an import into PostgreSQL", (server) => {
  it("leaves a marked database when it is killed, and the next call goes on to the same state", async () => {
    const database = await anOddDatabaseOn(server, {})
    const counts: Array<number> = []
    await killAt("import", rows, database.url, [20, 50], async () => {
      assert.include(await startRefusal(database), "has not ended")
      const [mark] = await withPostgres(database, (owner) => owner.query("SELECT rows::int AS rows FROM pod_import"))
      counts.push(Number(mark?.["rows"]))
    })
    assert.isTrue(counts[0] > 0 && counts[1] > counts[0], counts.join())
    assert.deepStrictEqual(await stateAt(postgresAt(database)), await stateAt(embeddedAt(filled)))
    await database.drop()
  })
})
