/**
 * Runs commands of the command line in the process of the test. This takes a tenth of the processor time that a
 * separate process takes. A command gets arguments, an environment, a working directory and output streams, but no
 * terminal, no input and no signals. Tests that need these, or the built program, start a separate process
 * (`builtCli.ts`).
 */
import { Effect } from "effect"
import { vi } from "vitest"
import { reportExit, runCommand } from "../../src/cli/RunCommand.ts"
import { environmentOf, type Run, type RunOptions } from "./builtCli.ts"

/** The variables that the test runner and Node need while a command runs. */
const isOfRunner = (name: string) => /^(?:VITEST|NODE_|TMPDIR$)/.test(name)

/** Sets the environment variables of this process, and returns a function that restores the former ones. */
const withEnvironment = (environment: Readonly<Record<string, string>>): (() => void) => {
  const former = { ...process.env }
  const set = (variables: Readonly<Record<string, string | undefined>>) => {
    for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name]
    Object.assign(process.env, variables)
  }
  set({ ...Object.fromEntries(Object.entries(former).filter(([name]) => isOfRunner(name))), ...environment })
  return () => set(former)
}

type Stream = "stdout" | "stderr"

/** Collects what this process writes to a stream. The returned function stops the collection and returns the text. */
const collected = (name: Stream): (() => string) => {
  let text = ""
  const spy = vi.spyOn(process[name], "write").mockImplementation((piece, ...more) => {
    text += typeof piece === "string" ? piece : Buffer.from(piece).toString("utf8")
    // Some commands pass a callback, which a stream calls when the text is written.
    for (const each of more) if (typeof each === "function") each(null)
    return true
  })
  return () => {
    spy.mockRestore()
    return text
  }
}

/** Makes stdout look like a terminal of this width. The returned function restores the former state of stdout. */
const withColumns = (columns: number | undefined): (() => void) => {
  if (columns === undefined) return () => undefined
  const { columns: formerColumns, isTTY } = process.stdout
  Object.assign(process.stdout, { isTTY: true, columns })
  return () => void Object.assign(process.stdout, { isTTY, columns: formerColumns })
}

export interface InProcessOptions extends Omit<RunOptions, "input"> {
  /** The width of the terminal. If absent, stdout is not a terminal. */
  readonly columns?: number
}

// Commands change the environment and the streams of the whole process, so they run one after the other.
let last: Promise<unknown> = Promise.resolve()

/** Returns a function that runs a command in this process, for a person whose home is this folder. */
export const aCommandInProcess =
  (home: string, base: InProcessOptions = {}) =>
  (args: ReadonlyArray<string>, options: InProcessOptions = {}): Promise<Run> => {
    const run = last.then(async () => {
      const folder = process.cwd()
      const restore = withEnvironment({ ...environmentOf(home), ...base.environment, ...options.environment })
      process.chdir(options.cwd ?? base.cwd ?? home)
      const withoutColumns = withColumns(options.columns ?? base.columns)
      const [stdout, stderr] = [collected("stdout"), collected("stderr")]
      try {
        const code = reportExit(args, await Effect.runPromiseExit(runCommand(args)))
        return { code, stdout: stdout(), stderr: stderr() }
      } finally {
        stdout()
        stderr()
        withoutColumns()
        process.chdir(folder)
        restore()
      }
    })
    last = run.catch(() => undefined)
    return run
  }
