/**
 * Tests how the pod writes a new file, such as a backup, which contains the secrets of the pod. The folder of the file
 * can belong to somebody else.
 */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { writeNewFile } from "../../src/transfer/NewFile.ts"
import { aFolder } from "../support/builtPod.ts"

async function* secretText() {
  yield "secret"
}

describe("the new file of a backup or an export", () => {
  it("a link that somebody has put in place of the unfinished file is not followed, so no other file is overwritten", async () => {
    const folder = aFolder()
    const [other, path] = [join(folder.path, "other"), join(folder.path, "backup")]
    writeFileSync(other, "kept")
    symlinkSync(other, `${path}.partial`)
    await writeNewFile(path, secretText())
    assert.strictEqual(readFileSync(other, "utf8"), "kept")
    assert.strictEqual(readFileSync(path, "utf8"), "secret")
    folder.remove()
  })

  it("only its owner can read the new file, even if somebody has made an unfinished file that everybody can read", async () => {
    const folder = aFolder()
    const path = join(folder.path, "backup")
    writeFileSync(`${path}.partial`, "", { mode: 0o666 })
    await writeNewFile(path, secretText())
    assert.strictEqual(statSync(path).mode & 0o777, 0o600)
    folder.remove()
  })
})
