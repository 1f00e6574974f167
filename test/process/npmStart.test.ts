/**
 * A pod that is started by `npm start` or `npx pod start` must end when npm or npx ends, even if only npm is killed and
 * there is no terminal.
 */
import { assert, describe, it } from "@effect/vitest"
import { execFileSync, spawn } from "node:child_process"
import { beforeAll } from "vitest"
import { aFolder } from "../support/builtPod.ts"
import { projectRoot } from "../support/migrations.ts"

/**
 * Starts a pod by npm or npx, and waits until it is ready. `ended` resolves when no process has the output of the pod
 * open any more.
 */
const started = async (dataDir: string, [program, ...given]: readonly [string, ...Array<string>]) => {
  const npm = spawn(program, given, {
    cwd: projectRoot,
    detached: true, // The process gets its own process group, so that signals to the test run do not reach it.
    stdio: ["ignore", "pipe", "ignore"],
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: dataDir,
      POD_PORT: "0",
      POD_DATA_DIR: `${dataDir}/data`,
      POD_LOG_FORMAT: "json"
    }
  })
  let output = ""
  const ended = new Promise<string>((resolve) => npm.stdout.once("end", () => resolve(output)))
  const port = await new Promise<number>((resolve, reject) => {
    npm.stdout.on("data", (part) => {
      output += part
      const line = output.split("\n").find((each) => each.includes('"msg":"ready"'))
      if (line !== undefined) resolve(JSON.parse(line).port)
    })
    npm.once("close", () => reject(new Error(output)))
  })
  return { ended, npm, port }
}

describe("a start of the pod with `npm start` or `npx pod start`", () => {
  const commands = [
    ["npm", "start"],
    ["npx", "--no", "pod", "start"]
  ] as const
  beforeAll(() => void execFileSync(process.execPath, ["scripts/build.mjs"], { cwd: projectRoot }))
  for (const command of commands) {
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      it(`a pod that is started with ${command.join(" ")} stops when only the ${command[0]} process gets ${signal}`, async () => {
        const folder = aFolder()
        const { ended, npm, port } = await started(folder.path, command)
        npm.kill(signal)
        await ended
        await fetch(`http://127.0.0.1:${port}/livez`).then(
          () => assert.fail("the pod still answers"),
          () => undefined
        )
        folder.remove()
      })
    }
  }
})
