/** Tests the secrets in the data directory of a pod whose database is on PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { randomBytes } from "node:crypto"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { exitCodes } from "../../src/platform/ExitCodes.ts"
import { aFolder, type Folder, startPod } from "../support/builtPod.ts"
import { createKey, signInOwner } from "../support/client.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../support/postgres.ts"
import { connected } from "../support/postgresServer.ts"
import { refusedBuild } from "../support/refusedBuild.ts"

/** No secret is set in the environment, so the pod makes its own secrets and stores them beside its data. */
const ownSecrets = { POD_KEY_PEPPER: "", POD_SESSION_SECRET: "", POD_ENCRYPTION_KEY: "" }

describePostgres("the data directory of a pod on PostgreSQL", (server) => {
  let database: TestDatabase
  let folder: Folder
  beforeAll(async () => {
    database = await aDatabaseOn(server)
    folder = aFolder()
    const pod = await startPod({ dataDir: folder.path, environment: within() })
    await createKey(pod.baseUrl, await signInOwner(pod.baseUrl))
    await pod.kill()
  })
  afterAll(async () => {
    folder.remove()
    await database.drop()
  })
  const within = (more: Readonly<Record<string, string>> = {}) => ({
    POD_DATABASE_URL: database.url,
    ...ownSecrets,
    ...more
  })

  it("a pod does not start if its key pepper or session secret differs from the value with which its database was used before", async () => {
    for (const setting of ["POD_KEY_PEPPER", "POD_SESSION_SECRET"]) {
      const value = randomBytes(32).toString("base64")
      const refused = await refusedBuild(within({ POD_DATA_DIR: folder.path, [setting]: value }))
      assert.strictEqual(refused.code, exitCodes.badSettings, refused.errors)
      assert.include(refused.errors, setting)
      assert.notInclude(refused.errors, value)
    }
  })

  it("if the pod cannot store its secrets in the data directory, it does not start, and its message contains the path", async () => {
    const other = aFolder()
    const fresh = await aDatabaseOn(server)
    const dataDir = join(other.path, "data")
    writeFileSync(dataDir, "")
    const environment = { ...within(), POD_DATABASE_URL: fresh.url }
    for (const place of [dataDir, join(dataDir, "below"), "/proc/nope"]) {
      const refused = await refusedBuild({ POD_DATA_DIR: place, ...environment })
      assert.strictEqual(refused.code, exitCodes.badSettings, refused.errors)
      assert.strictEqual(refused.errors.trim().split("\n").length, 1, refused.errors)
      assert.include(refused.errors, place)
    }
    await fresh.drop()
    other.remove()
  })

  it("a pod without the secrets of its PostgreSQL database, for example on another machine, does not start and creates no secrets", async () => {
    const other = aFolder()
    const refused = await refusedBuild(within({ POD_DATA_DIR: other.path }))
    assert.strictEqual(refused.code, exitCodes.dataUnfit)
    assert.include(refused.errors, "POD_KEY_PEPPER")
    assert.isFalse(existsSync(join(other.path, "secrets")))
    // The pod also refuses to start without secrets if the database has keys but no rows in `secret_checks`, as in
    // older versions.
    const keep = await connected(database.url, (client) => client.query("DELETE FROM secret_checks RETURNING *"))
    assert.strictEqual(keep.rowCount, 3)
    assert.strictEqual((await refusedBuild(within({ POD_DATA_DIR: other.path }))).code, exitCodes.dataUnfit)
    other.remove()
    const pod = await startPod({ dataDir: folder.path, environment: within() })
    await pod.kill()
  })

  it("a pod accepts new secrets with `POD_NEW_SECRETS=accept`, and then refuses the old secrets", async () => {
    const other = aFolder()
    const accepting = await startPod({ dataDir: other.path, environment: within({ POD_NEW_SECRETS: "accept" }) })
    await createKey(accepting.baseUrl, await signInOwner(accepting.baseUrl))
    await accepting.kill()
    const again = await startPod({ dataDir: other.path, environment: within() })
    await again.kill()
    assert.strictEqual((await refusedBuild(within({ POD_DATA_DIR: folder.path }))).code, exitCodes.badSettings)
    other.remove()
  })
})
