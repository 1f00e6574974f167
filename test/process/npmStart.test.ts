/** `npm start` and `npx pod start`: the pod ends with the program that started it, also when that is killed alone and without a terminal. */
import { assert, describe, it } from "@effect/vitest"
import { execFileSync, spawn } from "node:child_process"
import { beforeAll } from "vitest"
import { aFolder } from "../support/builtPod.ts"
import { projectRoot } from "../support/migrations.ts"

/** Starts a pod by npm or npx, and waits until it is ready. `ended` resolves when nobody holds its output any more. */
const started = async (dataDir: string, [program, ...given]: readonly [string, ...Array<string>]) => {
  const npm = spawn(program, given, {
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

describe("npm start and npx pod start", () => {
  const commands = [
    ["npm", "start"],
    ["npx", "--no", "pod", "start"]
  ] as const
  beforeAll(() => void execFileSync(process.execPath, ["scripts/build.mjs"], { cwd: projectRoot }))
  for (const command of commands) {
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      it(`a pod of ${command.join(" ")} stops when its ${command[0]} alone is ended by ${signal}`, async () => {
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
