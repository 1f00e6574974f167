/**
 * Ends a test run before it uses up the memory of the machine. Without this, a machine without memory reads the same
 * files from the disk again and again, and the run ends at the time limit of its caller, without a reason.
 */
import { existsSync, readdirSync, readFileSync, statfsSync } from "node:fs"
import { tmpdir } from "node:os"

interface Process {
  readonly pid: number
  readonly parent: number
  readonly bytes: number
  readonly command: string
}

const page = 4096
const mebibytes = (bytes: number): string => `${Math.round(bytes / 1024 ** 2)} MiB`

/** Returns the processes of this machine. A process that ended meanwhile is left out. */
const processes = (): ReadonlyArray<Process> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // The name of the program is in parentheses and can contain spaces.
        const [, parent = ""] = readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? []
        const [, pages = ""] = readFileSync(`/proc/${name}/statm`, "utf8").split(" ")
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim()
        return [{ pid: Number(name), parent: Number(parent), bytes: Number(pages) * page, command }]
      } catch {
        return []
      }
    })

const descendantsOf = (pid: number, all: ReadonlyArray<Process>): ReadonlyArray<Process> =>
  all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...descendantsOf(child.pid, all)])

const linesOf = (some: ReadonlyArray<Process>): ReadonlyArray<string> =>
  some
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, 12)
    .map(({ pid, bytes, command }) => `${mebibytes(bytes).padStart(10)}  ${pid}  ${command.slice(0, 150)}\n`)

const report = (available: number, own: ReadonlyArray<Process>, all: ReadonlyArray<Process>): string => {
  const { blocks, bavail, bsize } = statfsSync(tmpdir())
  return [
    `\nTHE TEST RUN ENDS: ONLY ${mebibytes(available)} OF MEMORY ARE AVAILABLE\n`,
    `Files in ${tmpdir()}: ${mebibytes((blocks - bavail) * bsize)}. The largest processes of this run:\n`,
    ...linesOf(own),
    "The largest other processes:\n",
    ...linesOf(all.filter((process) => !own.includes(process)))
  ].join("")
}

/** Returns a size of /proc/meminfo in bytes. */
const sizeOf = (meminfo: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(meminfo)?.[1] ?? Number.NaN) * 1024

/**
 * Looks at the available memory every two seconds. If it stays under 3 % of the memory of the machine three times, prints
 * the largest processes, kills the child processes of the run, and ends the run with exit code 1. Does nothing on a
 * system without /proc/meminfo.
 */
export const guardMemory = (file = "/proc/meminfo", everyMs = 2_000): void => {
  if (!existsSync(file)) return
  let short = 0
  setInterval(() => {
    const meminfo = readFileSync(file, "utf8")
    const available = sizeOf(meminfo, "MemAvailable")
    short = available < sizeOf(meminfo, "MemTotal") * 0.03 ? short + 1 : 0
    if (short < 3) return
    const all = processes()
    const own = descendantsOf(process.pid, all)
    process.stderr.write(report(available, own, all))
    for (const { pid } of own) {
      try {
        process.kill(pid, "SIGKILL")
      } catch {
        // The process ended meanwhile.
      }
    }
    process.exit(1)
  }, everyMs).unref()
}
