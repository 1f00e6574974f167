/**
 * Ends a test run before the machine has no memory left. A machine without memory thrashes for an hour and shows
 * nothing, so the watch prints the largest processes and the largest temporary folders first.
 */
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { freemem, tmpdir, totalmem } from "node:os"

const everyMs = 1_000
const shownMax = 12
// The run ends when the machine has less available memory than this share of its memory.
const leastShare = 0.02

interface RunningProcess {
  readonly pid: number
  readonly parent: number
  readonly bytes: number
  readonly command: string
}

/** Reads a process from `/proc`. Returns undefined if the process has ended. */
const processOf = (pid: number): RunningProcess | undefined => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8")
    const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0)
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim()
    return { pid, parent: field("PPid"), bytes: field("VmRSS") * 1024, command }
  } catch {
    return undefined
  }
}

export const runningProcesses = (): ReadonlyArray<RunningProcess> =>
  readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? (processOf(Number(name)) ?? []) : []))

/** Returns the processes that this process or one of its children has started. */
export const startedBy = (pid: number, all: ReadonlyArray<RunningProcess>): ReadonlyArray<RunningProcess> =>
  all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...startedBy(child.pid, all)])

const megabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MB`

/** Returns the sizes of the largest entries of the temporary folder, which can be in memory. */
const largestFolders = (): string => {
  try {
    const lines = execFileSync("du", ["-sm", "--", ...readdirSync(tmpdir()).map((name) => `${tmpdir()}/${name}`)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 10_000
    })
    return lines
      .trim()
      .split("\n")
      .toSorted((one, other) => Number.parseInt(other) - Number.parseInt(one))
      .slice(0, shownMax)
      .join("\n")
  } catch {
    return "(not readable)"
  }
}

/** Says what uses the memory of the machine. */
export const memoryReport = (): string => {
  const processes = runningProcesses()
    .toSorted((one, other) => other.bytes - one.bytes)
    .slice(0, shownMax)
    .map(({ bytes, command, pid }) => `${megabytes(bytes)}\t${pid}\t${command.slice(0, 120)}`)
  return [
    `THE MACHINE HAS ONLY ${megabytes(freemem())} OF ${megabytes(totalmem())} MEMORY LEFT`,
    "The largest processes:",
    ...processes,
    `The largest entries of ${tmpdir()}, in MB:`,
    largestFolders()
  ].join("\n")
}

/**
 * Watches the memory of the machine, on systems with `/proc`. If it is nearly used up, prints the report and ends the
 * processes of the run. Returns the function that stops the watch.
 */
export const watchMemory = (): (() => void) => {
  if (process.platform !== "linux") return () => {}
  const timer = setInterval(() => {
    if (freemem() > totalmem() * leastShare) return
    clearInterval(timer)
    process.stderr.write(`\n${memoryReport()}\nThe test run ends, so that the machine stays usable.\n\n`)
    for (const { pid } of startedBy(process.pid, runningProcesses())) {
      try {
        process.kill(pid, "SIGKILL")
      } catch {
        // An error means that the process has already ended.
      }
    }
    process.exit(1)
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
