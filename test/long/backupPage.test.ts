/**
 * Runs the commands of the page about backups against a running pod. The test takes a minute, so it is not in `npm
 * test`.
 */
import { assert, it } from "@effect/vitest"
import { readFileSync, writeFileSync } from "node:fs"
import { aFolder, ownerEmail, ownerPassword } from "../support/builtPod.ts"
import { createWorkspace, signInOwner } from "../support/client.ts"
import { linesIn } from "../support/docCommands.ts"
import { anUnclaimedPod, hasTools, inShell } from "../support/docShell.ts"
import { anOddDatabaseOn, postgresUrl } from "../support/postgres.ts"

it.skipIf(!hasTools)("every command of the page about backups succeeds on a running pod", async () => {
  const folder = aFolder()
  const dataDir = `${folder.path}/shell/data`
  const pod = await anUnclaimedPod(dataDir)
  writeFileSync(`${folder.path}/shell/password`, ownerPassword)
  const database = postgresUrl === null ? undefined : await anOddDatabaseOn(postgresUrl, {})
  const url = new URL(database?.url ?? "postgres://user@host:5432/pod")
  const lines = linesIn("bash backup")
    .filter((line) => database !== undefined || !line.includes("to-postgres"))
    .map((line) => line.replace("postgres://user@host:5432/pod", url.href.replace(`:${url.password}@`, "@")))
  await inShell(folder.path, [`pod owner create --email ${ownerEmail} --password-file ./password`], {
    POD_DATA_DIR: dataDir
  })
  const { code } = await inShell(folder.path, lines, {
    POD_DATA_DIR: dataDir,
    PGPASSWORD: url.password,
    WORKSPACE: await createWorkspace(pod.baseUrl, await signInOwner(pod.baseUrl), "Acme")
  })
  const notes = readFileSync(`${folder.path}/notes`, "utf8")
  await pod.terminate()
  folder.remove()
  await database?.drop()
  assert.strictEqual(code, 0, notes)
})
