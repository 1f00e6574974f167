/** Reads the processor time of processes from the kernel. */
import { readdirSync, readFileSync } from "node:fs"

// The microseconds of one tick in /proc/<pid>/stat. USER_HZ is 100 on every Linux on which Node runs.
const tickMicroseconds = 10_000

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    // There is no file, because the process has ended.
    return ""
  }
}

/**
 * Returns the fields of /proc/<pid>/stat after the name of the process. Field 0 is the state, and field 1 is the
 * parent. The name can contain spaces, so the function removes the name before it splits the fields.
 */
const statOf = (pid: number): ReadonlyArray<string> => {
  const text = read(`/proc/${pid}/stat`)
  return text === "" ? [] : text.slice(text.lastIndexOf(")") + 2).split(" ")
}

export const parentOf = (pid: number): number | undefined => {
  const parent = statOf(pid)[1]
  return parent === undefined ? undefined : Number(parent)
}

export const nameOf = (pid: number): string => read(`/proc/${pid}/comm`).trim()

/**
 * Returns the processor time of a process and its threads in microseconds, from the scheduler. Without the scheduler's
 * count, the function counts ticks of 10 ms.
 */
export const cpuOf = (pid: number): number => {
  let tasks: ReadonlyArray<string> = []
  try {
    tasks = readdirSync(`/proc/${pid}/task`)
  } catch {
    return 0
  }
  const nanoseconds = tasks.reduce(
    (sum, task) => sum + Number(read(`/proc/${pid}/task/${task}/schedstat`).split(" ")[0] || 0),
    0
  )
  if (nanoseconds > 0) return nanoseconds / 1000
  const stat = statOf(pid)
  return stat.length === 0 ? 0 : (Number(stat[11]) + Number(stat[12])) * tickMicroseconds
}

/**
 * Returns the processor time in microseconds of a server that has one process for each connection. The time includes
 * the parent process and all its children, also the children that have ended.
 */
export const cpuOfFamily = (parent: number): number => {
  const stat = statOf(parent)
  const ended = stat.length === 0 ? 0 : (Number(stat[13]) + Number(stat[14])) * tickMicroseconds
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent)
  return children.reduce((sum, pid) => sum + cpuOf(pid), cpuOf(parent) + ended)
}
