/** Reads the processor time of processes, as the kernel counts it. */
import { readdirSync, readFileSync } from "node:fs"

const tickMicroseconds = 10_000 // the length of a tick in /proc/<pid>/stat: USER_HZ is 100 on every Linux on which Node runs

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return "" // there is no file: the process has ended
  }
}

/**
 * The fields of /proc/<pid>/stat that follow the name of the process: [0] is the state, and [1] is the parent. The name
 * may contain spaces.
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
 * The processor time of a process and its threads, in microseconds. The scheduler counts it. If its count is missing,
 * the function uses ticks of 10 ms.
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
 * The processor time of a server with one process for each connection, in microseconds. Includes the parent and all its
 * children, also those that have ended.
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
