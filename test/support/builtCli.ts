/** The built command line as a separate process: run with arguments, an input and an environment of its own. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { builtServer } from "./build.ts"

export interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** What is written to stdin, which then ends. */
  readonly input?: string
}

/** The path of the program. */
export const builtProgram = async (): Promise<string> => join(await builtServer(), "../pod.mjs")

/** The environment of a person whose files are all in one folder, so that nothing of this machine counts. */
export const environmentOf = (home: string): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: home,
  XDG_CONFIG_HOME: join(home, "config")
})

/** A command line of somebody whose home is this folder. */
export const aCommandLine =
  (home: string, base: RunOptions = {}) =>
  async (args: ReadonlyArray<string>, options: RunOptions = {}): Promise<Run> => {
    const child = spawn(process.execPath, [await builtProgram(), ...args], {
      cwd: options.cwd ?? base.cwd ?? home,
      env: { ...environmentOf(home), ...base.environment, ...options.environment },
      stdio: ["pipe", "pipe", "pipe"]
    })
    let stdout = ""
    let stderr = ""
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
    child.stdin.on("error", () => undefined) // a command that reads no input may end before it is written
    child.stdin.end(options.input ?? "")
    return new Promise((resolve) => child.once("close", (code) => resolve({ code, stdout, stderr })))
  }
