/**
 * The first name of a pod: from the setting POD_NAME or `pod start --pod-name` at the first start, or from `pod owner
 * create --pod-name`.
 */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { aCommandLine, aStartedCommand } from "../support/builtCli.ts"
import { aFolder, type BuiltPod, ownerEmail, ownerPassword, startPod } from "../support/builtPod.ts"
import { aCommandInProcess } from "../support/cliInProcess.ts"
import { ask } from "../support/client.ts"
import { refusedBuild } from "../support/refusedBuild.ts"
import { exitCodes } from "../../src/platform/ExitCodes.ts"

const unclaimed = { POD_OWNER_EMAIL: "", POD_OWNER_PASSWORD: "" }
const folder = aFolder()
afterAll(() => folder.remove())

const statusOf = async (pod: BuiltPod): Promise<{ readonly hasAdmin: boolean; readonly podName?: string }> =>
  (await ask(pod.baseUrl, "GET", "/api/hub/setup/status", {})).body

/** Starts a pod in a data directory of the test's folder, asks for its status, and ends it. */
const statusAtStart = async (name: string, environment: Readonly<Record<string, string>>) => {
  const pod = await startPod({ dataDir: join(folder.path, name), workDir: folder.path, environment })
  try {
    return await statusOf(pod)
  } finally {
    await pod.terminate()
  }
}

describe("the setting for the pod's name", () => {
  it("a pod does not start if `POD_NAME` contains an invisible character", async () => {
    const refused = await refusedBuild({ POD_DATA_DIR: join(folder.path, "refused"), POD_NAME: "Harbour\u200b" })
    assert.strictEqual(refused.code, exitCodes.badSettings)
    assert.include(refused.errors, "POD_NAME")
  })

  it("the setting `POD_NAME` names a pod at its first start, and a later start with another `POD_NAME` does not change the name", async () => {
    const first = await statusAtStart("named", { POD_NAME: "Harbour office" })
    assert.deepInclude(first, { hasAdmin: true, podName: "Harbour office" })
    const later = await statusAtStart("named", { POD_NAME: "Another office" })
    assert.deepInclude(later, { hasAdmin: true, podName: "Harbour office" })
  })
})

describe("the option `--pod-name` of `pod start`", () => {
  const owned = { POD_OWNER_EMAIL: ownerEmail, POD_OWNER_PASSWORD: ownerPassword }
  const commandIn = (name: string, environment: Readonly<Record<string, string>> = {}) => ({
    environment: { POD_DATA_DIR: join(folder.path, name), POD_PORT: "0", ...owned, ...environment }
  })

  it("if `pod start` gets an invalid name, an unknown option or an unknown argument, it starts no pod and ends with a message", async () => {
    const program = aCommandLine(folder.path, commandIn("not-started"))
    const command = aCommandInProcess(folder.path, commandIn("not-started"))
    for (const refused of [
      await program(["start", "--pod-name", ""]),
      await command(["start", "--pod-name", "Harbour\u200b"])
    ]) {
      assert.strictEqual(refused.code, exitCodes.badUsage, refused.stderr)
      assert.include(refused.stderr, "--pod-name has 1 to 80 characters")
    }
    assert.include((await command(["start", "--pod-name"])).stderr, "--pod-name needs a value.")
    const twice = await command(["start", "--pod-name", "One", "--pod-name", "Two"])
    assert.include(twice.stderr, "--pod-name can be given only once.")
    assert.include((await command(["start", "--pod-nmae", "x"])).stderr, "Did you mean --pod-name?")
    assert.include((await command(["start", "now"])).stderr, 'does not take the argument "now"')
    assert.isFalse(existsSync(join(folder.path, "not-started")))
  })

  it("`pod start --pod-name` names a new pod, and the option overrides the setting `POD_NAME`", async () => {
    const command = aCommandLine(folder.path, commandIn("by-option"))
    const start = aStartedCommand(folder.path, commandIn("by-option", { POD_NAME: "Another office" }))
    const server = await start(["start", "--pod-name", "Harbour office"])
    try {
      await server.untilOutput(`"msg":"ready"`)
      const { stdout } = await command(["api", "GET", "/api/hub/setup/status", "--json"])
      assert.strictEqual(JSON.parse(stdout).data.podName, "Harbour office", stdout)
    } finally {
      server.signal("SIGTERM")
    }
    assert.strictEqual((await server.ended).code, exitCodes.stopped)
  })
})

describe("the name of a pod that starts without an owner", () => {
  it("`pod owner create` creates no owner if the option `--pod-name` is invalid, and gives the pod this name if the option is valid", async () => {
    const dataDir = join(folder.path, "created")
    const command = aCommandInProcess(folder.path, {
      environment: { POD_DATA_DIR: dataDir, POD_PASSWORD: "a long enough password" }
    })
    const pod = await startPod({
      dataDir,
      workDir: folder.path,
      environment: { ...unclaimed, POD_NAME: "Another office" }
    })
    try {
      const atStart = await statusOf(pod)
      assert.isFalse(atStart.hasAdmin)
      assert.notProperty(atStart, "podName")
      const create = ["owner", "create", "--email", "first@example.com"]
      const refused = await command([...create, "--pod-name", "two\nlines"])
      assert.strictEqual(refused.code, exitCodes.badUsage, refused.stderr)
      assert.isFalse((await statusOf(pod)).hasAdmin)
      const created = await command([...create, "--pod-name", "Harbour office"])
      assert.strictEqual(created.code, exitCodes.stopped, created.stderr)
      assert.deepInclude(await statusOf(pod), { hasAdmin: true, podName: "Harbour office" })
    } finally {
      await pod.terminate()
    }
  })
})
