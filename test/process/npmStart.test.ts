/** `npm start` in this repository: the pod ends with the npm that started it, also when npm is killed alone and without a terminal. */
import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { aFolder } from "../support/builtPod.ts"
import { projectRoot } from "../support/migrations.ts"

/** Starts a pod by npm, and waits until it is ready. `ended` resolves when nobody holds its output any more. */
const started = async (dataDir: string) => {
  const npm = spawn("npm", ["start"], {
    cwd: projectRoot,
    detached: true, // a process group of its own, so that no signal of the test run reaches it
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

describe("npm start", () => {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    it(`a pod stops when its npm alone is ended by ${signal}`, async () => {
      const folder = aFolder()
      const { ended, npm, port } = await started(folder.path)
      npm.kill(signal)
      await ended
      await fetch(`http://127.0.0.1:${port}/livez`).then(
        () => assert.fail("the pod still answers"),
        () => undefined
      )
      folder.remove()
    })
  }
})
