/**
 * Finds the process that listens on a port of this machine, so that a message can name it. Linux shows this in `/proc`.
 * On other systems no process is named.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs"

export interface PortHolder {
  readonly pid: number
  readonly name: string
}

// `TCP_LISTEN` in `/proc/net/tcp`
const listenState = "0A"

const readText = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

const names = (path: string): ReadonlyArray<string> => {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

/**
 * Returns the inodes of the sockets that listen on the port. A line has these columns: number, local address, remote
 * address, state and others. The tenth column is the inode.
 */
const listeners = (port: number): ReadonlySet<string> => {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, "0")}`
  const lines = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((path) => readText(path).split("\n").slice(1))
  return new Set(
    lines
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local = "", , state]) => local.endsWith(ending) && state === listenState)
      .flatMap((columns) => columns[9] ?? [])
  )
}

const holds = (pid: string, sockets: ReadonlySet<string>): boolean =>
  names(`/proc/${pid}/fd`).some((descriptor) => {
    try {
      return sockets.has(/^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`))?.[1] ?? "")
    } catch {
      // the process has closed the file since the folder was listed
      return false
    }
  })

/**
 * Returns the process that listens on the port. Returns undefined if the system does not show it, for example if it
 * belongs to another user.
 */
export const portHolder = (port: number): PortHolder | undefined => {
  const sockets = listeners(port)
  if (sockets.size === 0) return undefined
  const pid = names("/proc").find((name) => /^\d+$/.test(name) && holds(name, sockets))
  return pid === undefined ? undefined : { pid: Number(pid), name: readText(`/proc/${pid}/comm`).trim() }
}
