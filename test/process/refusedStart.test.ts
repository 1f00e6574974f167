/**
 * If the pod cannot start, it prints one sentence that names the affected path and says what to do. `--help` prints how
 * to start the pod, and `--version` prints only the version.
 */
import { assert, describe, it } from "@effect/vitest"
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeAll, beforeEach } from "vitest"
import { exitCodes } from "../../src/platform/ExitCodes.ts"
import { builtServer } from "../support/build.ts"
import { aFolder, type Folder, launchPod, refusedStart, type Start } from "../support/builtPod.ts"
import { refusedBuild } from "../support/refusedBuild.ts"

// The build runs here, so that its time does not count for a test.
beforeAll(() => builtServer(), 240_000)

let folder: Folder
beforeEach(() => {
  folder = aFolder()
  chmodSync(folder.path, 0o755) // Without this mode, the account `nobody` could not enter the directory.
})
afterEach(() => folder.remove())

const isPlain = ({ errors }: { readonly errors: string }) => {
  assert.notMatch(errors, /because of an unexpected error|^\s+at |\.[jt]s:\d+/m)
}

const refused = async (start: Omit<Start, "workDir">, ...parts: ReadonlyArray<string>) => {
  const refusal = await refusedStart({ workDir: folder.path, ...start })
  assert.strictEqual(refusal.code, exitCodes.badSettings, refusal.message)
  isPlain(refusal)
  assert.strictEqual(refusal.errors.trim().split("\n").length, 1, refusal.errors)
  for (const part of parts) assert.include(refusal.errors, part)
}

/** Builds the pod in this process. One start as a separate process is enough to test that the process ends. */
const refusedInProcess = async (dataDir: string, ...parts: ReadonlyArray<string>) => {
  const refusal = await refusedBuild({ POD_DATA_DIR: dataDir })
  assert.strictEqual(refusal.code, exitCodes.badSettings, refusal.errors)
  isPlain(refusal)
  assert.strictEqual(refusal.errors.trim().split("\n").length, 1, refusal.errors)
  for (const part of parts) assert.include(refusal.errors, part)
}

describe("a data directory that cannot be used", () => {
  it("if the data directory is a file, the pod does not start, and its message contains the path of the file", async () => {
    const path = join(folder.path, "data")
    writeFileSync(path, "")
    await refused({ dataDir: path }, `${path} is a file`, "POD_DATA_DIR")
  })

  it("if a part of the path to the data directory is a file, the pod does not start, and its message contains the path of the file", async () => {
    writeFileSync(join(folder.path, "above"), "")
    const path = join(folder.path, "above/between/data")
    await refusedInProcess(path, path, `${join(folder.path, "above")} is a file`, "POD_DATA_DIR")
  })

  it("the pod immediately refuses a data directory that cannot be created, without endless retries", async () => {
    await refusedInProcess("/proc/nope", "/proc/nope", "POD_DATA_DIR")
    await refusedInProcess("/proc/nope/deeper", "/proc/nope/deeper", "POD_DATA_DIR")
  })

  it("an existing data directory in which no file can be created is refused", async () => {
    await refusedInProcess("/proc", "/proc cannot be used", "POD_DATA_DIR")
  })

  it("a data directory that is a symbolic link without a target is refused", async () => {
    const path = join(folder.path, "data")
    symlinkSync(join(folder.path, "gone"), path)
    await refusedInProcess(path, path, "a link without a target", "POD_DATA_DIR")
  })

  it("the pod does not start if its system user may not write in the data directory, or may not create the data directory in its parent", async () => {
    const path = join(folder.path, "data")
    mkdirSync(path, { mode: 0o555 })
    await refused({ dataDir: path, asNobody: true }, path, "may not write", "POD_DATA_DIR")
    await refused({ dataDir: join(path, "below"), asNobody: true }, join(path, "below"), "may not write")
    assert.deepStrictEqual(readdirSync(path), [])
  })

  it("the pod refuses a data directory that belongs to another user, even if everybody may write in it", async () => {
    const path = join(folder.path, "data")
    mkdirSync(path)
    chmodSync(path, 0o777)
    await refused({ dataDir: path, asNobody: true }, path, "chmod 700", "POD_DATA_DIR")
  })

  it("a data directory that the system user of the pod may not read is refused", async () => {
    const path = join(folder.path, "data")
    mkdirSync(path, { mode: 0 })
    await refused({ dataDir: path, asNobody: true }, path, "POD_DATA_DIR")
    await refused({ dataDir: join(path, "below"), asNobody: true }, join(path, "below"), "POD_DATA_DIR")
    chmodSync(path, 0o755)
  })
})

describe("a .env file that cannot be read", () => {
  const dotenv = () => join(folder.path, ".env")
  const refusedSettings = async (start: Partial<Start>, ...parts: ReadonlyArray<string>) => {
    const refusal = await refusedStart({ dataDir: join(folder.path, "data"), workDir: folder.path, ...start })
    assert.strictEqual(refusal.code, exitCodes.badSettings, refusal.message)
    isPlain(refusal)
    for (const part of parts) assert.include(refusal.errors, part)
    assert.notInclude(readdirSync(folder.path), "data")
  }

  it("if .env is a directory, the pod does not start, and its message says that .env is a directory", async () => {
    mkdirSync(dotenv())
    await refusedSettings({}, dotenv(), "it is a directory", "Fix:")
  })

  it("if the system user of the pod may not read the file .env, the pod does not start, and its message contains the path of the file", async () => {
    writeFileSync(dotenv(), "POD_PORT=0\n", { mode: 0 })
    await refusedSettings({ asNobody: true }, dotenv(), "not permitted", "Fix:")
  })

  it("a pod reads a .env file that is read-only", async () => {
    writeFileSync(dotenv(), "POD_DURABILITY=perhaps\n", { mode: 0o444 })
    await refusedSettings({ asNobody: true }, "POD_DURABILITY", ".env line 1")
  })
})

describe("the command line of the pod", () => {
  const answered = async (...args: ReadonlyArray<string>) => {
    const { ended, output } = await launchPod({ dataDir: join(folder.path, "data"), workDir: folder.path, args })
    const { code } = await ended
    assert.deepStrictEqual(readdirSync(folder.path), [], "nothing was made")
    return { code, output: output() }
  }

  it("the start command of the pod with `--help` prints how to start the pod, the main settings, and where all settings are described", async () => {
    const { code, output } = await answered("--help")
    assert.strictEqual(code, exitCodes.stopped)
    for (const part of ["npm start", "POD_PORT", "POD_DATA_DIR", "POD_DATABASE_URL", "docs/configuration.md"]) {
      assert.include(output, part)
    }
    assert.deepStrictEqual(await answered("-h"), { code, output })
  })

  it("the start command of the pod with `--version` prints only the version", async () => {
    const { code, output } = await answered("--version")
    assert.strictEqual(code, exitCodes.stopped)
    assert.match(output, /^\d+\.\d+\.\d+\n$/)
  })

  it("if an argument is unknown, the pod does not start, and its message contains the argument without its value, because the value might be secret", async () => {
    const { code, output } = await answered("--pepper=do-not-repeat", "--help")
    assert.strictEqual(code, exitCodes.badUsage)
    assert.match(output, /^[^\n]*--pepper[^\n]*--help[^\n]*\n$/)
    assert.notInclude(output, "do-not-repeat")
  })
})
