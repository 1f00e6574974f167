/** Starts a server as a separate process, waits until it is ready, and stops it. */
import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"

export interface Served {
  readonly port: number
  readonly pid: number
  readonly stop: () => Promise<void>
  /** Ends the process with SIGKILL. */
  readonly kill: () => Promise<void>
}

const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once("exit", () => resolve()))

/** Waits for the JSON line whose `msg` is `ready`. Resolves with the port in this line. */
const ready = (child: ChildProcess, name: string): Promise<number> =>
  new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`${name} ended with ${code} before it was ready`)))
    createInterface({ input: child.stdout! }).on("line", (line) => {
      const record: unknown = line.startsWith("{") ? JSON.parse(line) : undefined
      if (
        typeof record === "object" &&
        record !== null &&
        "msg" in record &&
        record.msg === "ready" &&
        "port" in record
      ) {
        resolve(Number(record.port))
      }
    })
  })

/**
 * Starts a server as a separate process. `nodeArguments` are flags for Node, and then the path of the script. The
 * process gets only the given environment variables.
 */
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
  // If a benchmark fails, the server must not continue to run.
  process.once("exit", () => void child.kill("SIGKILL"))
  const port = await ready(child, name)
  const endBy = (signal: NodeJS.Signals) => async () => {
    child.kill(signal)
    await ended(child)
  }
  return { port, pid: child.pid!, stop: endBy("SIGTERM"), kill: endBy("SIGKILL") }
}
