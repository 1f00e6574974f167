/** A server in a process of its own: started, waited for until it says it is ready, and stopped. */
import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"

export interface Served {
  readonly port: number
  readonly pid: number
  readonly stop: () => Promise<void>
}

const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once("exit", () => resolve()))

/** Resolves with the port of the JSON line whose `msg` is `ready`. */
const ready = (child: ChildProcess, name: string): Promise<number> =>
  new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`${name} ended with ${code} before it was ready`)))
    createInterface({ input: child.stdout! }).on("line", (line) => {
      const told: unknown = line.startsWith("{") ? JSON.parse(line) : undefined
      if (typeof told === "object" && told !== null && "msg" in told && told.msg === "ready" && "port" in told) {
        resolve(Number(told.port))
      }
    })
  })

/** `nodeArguments`: flags of Node, then the script. The child sees no environment but this one. */
export const serve = async (
  name: string,
  nodeArguments: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>>,
  folder: string
): Promise<Served> => {
  const child = spawn(process.execPath, [...nodeArguments], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", ...environment },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const port = await ready(child, name)
  return {
    port,
    pid: child.pid!,
    stop: async () => {
      child.kill("SIGTERM")
      await ended(child)
    }
  }
}
