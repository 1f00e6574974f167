/** Runs the built command line as a separate process, with arguments, an input and its own environment. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { briefly, builtServer } from "./build.ts"

export interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** True if the command runs as a user who owns nothing, where the test runs as root. */
  readonly asNobody?: boolean
  /** The text for the standard input of the command. The input ends after this text. */
  readonly input?: string
}

/** Returns the path of the built program `pod`. Builds the program if no process has built it yet. */
export const builtProgram = async (): Promise<string> => join(await builtServer(), "../pod.mjs")

/** Returns the environment of a person whose home is this folder, so that no file of this machine's user is read. */
export const environmentOf = (home: string): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: home,
  XDG_CONFIG_HOME: join(home, "config")
})

/** Returns a function that runs a command for a person whose home is this folder. */
export const aCommandLine =
  (home: string, base: RunOptions = {}) =>
  async (args: ReadonlyArray<string>, options: RunOptions = {}): Promise<Run> => {
    const child = spawn(process.execPath, [...briefly, await builtProgram(), ...args], {
      cwd: options.cwd ?? base.cwd ?? home,
      env: { ...environmentOf(home), ...base.environment, ...options.environment },
      ...(options.asNobody === true && process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}),
      stdio: ["pipe", "pipe", "pipe"]
    })
    let stdout = ""
    let stderr = ""
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
    // A command that reads no input might end before its input is written, so this error is ignored.
    child.stdin.on("error", () => undefined)
    child.stdin.end(options.input ?? "")
    return new Promise((resolve) => child.once("close", (code) => resolve({ code, stdout, stderr })))
  }

export interface Started {
  /** Resolves when the command has written this text to stderr or stdout. Rejects if the command ends earlier. */
  readonly untilOutput: (text: string) => Promise<void>
  readonly signal: (name: NodeJS.Signals) => void
  readonly ended: Promise<Run>
}

/** Starts a command that runs until the test ends it. */
export const aStartedCommand =
  (home: string, base: RunOptions = {}) =>
  async (args: ReadonlyArray<string>): Promise<Started> => {
    const child = spawn(process.execPath, [...briefly, await builtProgram(), ...args], {
      cwd: home,
      env: { ...environmentOf(home), ...base.environment },
      stdio: ["ignore", "pipe", "pipe"]
    })
    let stdout = ""
    let stderr = ""
    const waiting = new Set<() => void>()
    const look = () => waiting.forEach((one) => one())
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString()
      look()
    })
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString()
      look()
    })
    const ended = new Promise<Run>((resolve) => child.once("close", (code) => resolve({ code, stdout, stderr })))
    return {
      untilOutput: (text) =>
        new Promise((resolve, reject) => {
          const one = () => {
            if (!(stdout + stderr).includes(text)) return
            waiting.delete(one)
            resolve()
          }
          waiting.add(one)
          one()
          void ended.then(() => reject(new Error(`the command ended without ${text}: ${stdout}${stderr}`)))
        }),
      signal: (name) => void child.kill(name),
      ended
    }
  }

/** A Python program that runs a command in a terminal, and writes each answer when its question is on the screen. */
const pseudoTerminal = [
  "import fcntl, json, os, pty, struct, sys, termios",
  "argv, answers, columns = json.loads(sys.argv[1]), json.loads(sys.argv[2]), int(sys.argv[3])",
  "pid, fd = pty.fork()",
  "if pid == 0:",
  "  if columns > 0: fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 40, columns, 0, 0))",
  "  os.execvp(argv[0], argv)",
  "screen, seen = b'', 0",
  "while True:",
  "  try: piece = os.read(fd, 4096)",
  "  except OSError: break",
  "  if not piece: break",
  "  screen += piece",
  "  if answers and answers[0][0].encode() in screen[seen:]:",
  "    seen = len(screen)",
  "    os.write(fd, answers.pop(0)[1].encode())",
  "code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])",
  "sys.stdout.write(json.dumps({'screen': screen.decode('utf8', 'replace'), 'code': code}))"
].join("\n")

/** Runs a command in a real terminal, writes each answer when its question is on the screen, and returns the screen. */
export const aTerminal =
  (home: string, base: RunOptions = {}) =>
  async (
    args: ReadonlyArray<string>,
    answers: ReadonlyArray<readonly [question: string, answer: string]> = [],
    columns = 0 // With the value 0, the terminal does not report its width.
  ) => {
    const argv = [process.execPath, ...briefly, await builtProgram(), ...args]
    const child = spawn(
      "python3",
      ["-c", pseudoTerminal, JSON.stringify(argv), JSON.stringify(answers), String(columns)],
      {
        cwd: home,
        env: { ...environmentOf(home), ...base.environment, TERM: "xterm-256color" }
      }
    )
    let stdout = ""
    let stderr = ""
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
    await new Promise((resolve) => child.once("close", resolve))
    if (stdout === "") throw new Error(stderr)
    return JSON.parse(stdout) as { readonly screen: string; readonly code: number }
  }
