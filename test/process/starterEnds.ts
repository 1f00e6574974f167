/** Starts the pod with npm or npx, ends only npm or npx, and checks that the pod ends too. */
import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
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

type StarterEnd = readonly [starter: "npm" | "npx", signal: "SIGTERM" | "SIGKILL"]

const commands = { npm: ["npm", "start"], npx: ["npx", "--no", "pod", "start"] } as const

export const podEndsWithStarter = (ends: ReadonlyArray<StarterEnd>): void => {
  describe("a start of the pod with `npm start` or `npx pod start`", () => {
    for (const [starter, signal] of ends) {
      it(`a pod that is started with ${commands[starter].join(" ")} stops when only the ${starter} process gets ${signal}`, async () => {
        const folder = aFolder()
        const { ended, npm, port } = await started(folder.path, commands[starter])
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
}
