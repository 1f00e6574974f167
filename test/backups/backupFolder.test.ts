/** The check of the folder for backups at the start of a pod. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { backupFolderFault } from "../../src/backups/BackupFolder.ts"
import { aFolder } from "../support/builtPod.ts"

const folder = aFolder()
afterAll(() => folder.remove())

const faultOf = (path: string) => Effect.runPromise(backupFolderFault(path))

describe("the folder for backups", () => {
  it("if the pod cannot make its folder for backups, it says at its start which folder, why, and which setting to change", async () => {
    const file = join(folder.path, "file")
    writeFileSync(file, "")
    for (const [path, reason] of [
      ["/proc/backups", "its file system does not allow new files there"],
      [join(file, "backups"), "a part of its path is a file"]
    ] as const) {
      const fault = (await faultOf(path)) ?? ""
      for (const part of [path, reason, "POD_BACKUP_DIR"]) assert.include(fault, part)
    }
  })

  it("a missing folder for backups is made at the start, and nothing is said about it", async () => {
    const path = join(folder.path, "disk", "backups")
    assert.isUndefined(await faultOf(path))
    assert.isTrue(existsSync(path))
  })
})
