/** Starts the built server as a separate process. Tests call it over HTTP and end it by its process id. */
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { briefly, builtServer } from "./build.ts"
import { sharedPassword } from "./cheapPassword.ts"

export const ownerEmail = "owner@example.com"
export const ownerPassword = sharedPassword

/** The options of Node for a pod in a test. They shorten the start, and make the hash of the owner's password cheap. */
const podOptions = [...briefly, `--import=${new URL("cheapScrypt.mjs", import.meta.url).href}`]

/** The secrets for hashing keys, signing sessions and encryption. Pods with the same database must share them. */
const sharedSecrets = {
  POD_KEY_PEPPER: randomBytes(32).toString("base64"),
  POD_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  POD_SESSION_SECRET: randomBytes(32).toString("base64")
}

export interface Ending {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** The error for a server that ended before it was ready. */
class NotStarted extends Error {
  override readonly name = "NotStarted"
  readonly code: number | null
  readonly errors: string
  constructor(ending: Ending, output: string, errors: string) {
    super(`the pod ended with ${ending.code ?? ending.signal}: ${errors}${output}`)
    this.code = ending.code
    this.errors = errors
  }
}

export interface BuiltPod {
  readonly pid: number
  readonly port: number
  readonly baseUrl: string
  /** The time from the start of the process until its “ready” line. */
  readonly startedInMs: number
  readonly ended: Promise<Ending>
  /** Returns the text that the process has written to both output streams. */
  readonly output: () => string
  readonly kill: () => Promise<Ending>
  /** Asks the process to stop with SIGTERM, as a supervisor does. */
  readonly terminate: () => Promise<Ending>
}

export interface Start {
  readonly dataDir: string
  readonly environment?: Readonly<Record<string, string>>
  /** The working directory, in which the pod looks for `.env`. Default: the data directory. */
  readonly workDir?: string
  readonly args?: ReadonlyArray<string>
  /** Runs the pod as the account `nobody` if the tests run as root, because no file permission limits root. */
  readonly asNobody?: boolean
}

const nobody = 65_534 // The id of the user `nobody` on Linux and macOS.
const isRoot = process.getuid?.() === 0

export interface Launched {
  readonly pid: number
  readonly ready: Promise<BuiltPod>
  readonly ended: Promise<Ending>
  readonly output: () => string
  readonly signal: (signal: NodeJS.Signals) => void
  /** Closes both output streams on the side of the reader, as if the program that collects the log ended. */
  readonly stopReading: () => void
  /** Stops reading the output until the returned function is called. */
  readonly pauseReading: () => () => void
}

const running = new Set<number>()
// If a test file is interrupted, the servers that it started are killed.
process.once("exit", () => {
  for (const pid of running) process.kill(pid, "SIGKILL")
})

/** Starts the process and does not wait for it to be ready. */
export const launchPod = async ({
  dataDir,
  environment = {},
  workDir = dataDir,
  args = [],
  asNobody = false
}: Start): Promise<Launched> => {
  const main = await builtServer()
  const began = performance.now()
  const child = spawn(process.execPath, [...podOptions, main, ...args], {
    // The pod gets no environment variables of the machine, and its working directory usually has no `.env`.
    cwd: workDir,
    ...(asNobody && isRoot ? { uid: nobody, gid: nobody } : {}),
    env: {
      PATH: process.env["PATH"],
      POD_DATA_DIR: dataDir,
      POD_PORT: "0",
      POD_LOG_FORMAT: "json",
      POD_RATE_LIMIT: "1000000",
      POD_STOP_GRACE: "0s",
      POD_OWNER_EMAIL: ownerEmail,
      POD_OWNER_PASSWORD: ownerPassword,
      ...sharedSecrets,
      ...environment
    },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const { pid } = child
  if (pid === undefined) throw new Error("the process was not started")
  running.add(pid)
  let output = ""
  let errors = ""
  const ended = new Promise<Ending>((resolve) => {
    child.once("close", (code, signal) => {
      running.delete(pid)
      resolve({ code, signal })
    })
  })
  const signal = (name: NodeJS.Signals): void => {
    if (running.has(pid)) child.kill(name)
  }
  const all = () => output + errors
  const ready = new Promise<BuiltPod>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString()
      const line = /^\{.*"msg":"ready".*\}$/m.exec(output)?.[0]
      if (line === undefined) return
      const { port } = JSON.parse(line) as { readonly port: number }
      const end = (name: NodeJS.Signals) => () => {
        signal(name)
        return ended
      }
      resolve({
        pid,
        port,
        baseUrl: `http://127.0.0.1:${port}`,
        startedInMs: performance.now() - began,
        ended,
        output: all,
        kill: end("SIGKILL"),
        terminate: end("SIGTERM")
      })
    })
    void ended.then((ending) => reject(new NotStarted(ending, output, errors)))
  })
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()))
  // A caller that does not wait for `ready` gets the failure from `ended`, so this rejection is ignored.
  ready.catch(() => undefined)
  const stopReading = () => {
    child.stdout.destroy()
    child.stderr.destroy()
  }
  const pauseReading = () => {
    child.stdout.pause()
    return () => void child.stdout.resume()
  }
  return { pid, ready, ended, output: all, signal, stopReading, pauseReading }
}

/** Starts the process and waits until it is ready. Rejects with NotStarted if the process ends earlier. */
export const startPod = async (start: Start): Promise<BuiltPod> => (await launchPod(start)).ready

/** Starts a process that must refuse to start, and returns its failure. Fails if the process starts. */
export const refusedStart = async (start: Start): Promise<NotStarted> => {
  const { ready, signal } = await launchPod(start)
  return ready.then(
    () => {
      signal("SIGKILL")
      throw new Error("the pod started")
    },
    (cause: unknown) => {
      if (cause instanceof NotStarted) return cause
      throw cause
    }
  )
}

export interface Folder {
  readonly path: string
  readonly remove: () => void
}

export const aFolder = (): Folder => {
  const path = mkdtempSync(join(tmpdir(), "pod-process-"))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
