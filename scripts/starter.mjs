/**
 * Ends the pod when the npm or npx process that started it ends. Without this file, the pod would continue to use the
 * port and the data directory if somebody kills only the npm process.
 */
import { spawnSync } from "node:child_process"

const lookMs = 500

const parentOf = (pid) => {
  const { stdout } = spawnSync("ps", ["-o", "ppid=", "-p", String(pid)], { encoding: "utf8" })
  const parent = Number(stdout?.trim())
  return Number.isInteger(parent) && parent > 1 ? parent : undefined
}

/**
 * Returns the ids of the processes to watch. The first is the parent of this process. If the parent is a shell, the
 * second is the npm process above the shell.
 */
const starterPids = () => {
  if (!["start", "npx"].includes(process.env.npm_lifecycle_event)) return []
  const grandparent = parentOf(process.ppid)
  const nameOf = (pid) => spawnSync("ps", ["-o", "comm=", "-p", String(pid)], { encoding: "utf8" }).stdout?.trim() ?? ""
  const isShell = /^(?:.*\/)?(?:sh|bash|dash|zsh)$/.test(nameOf(process.ppid))
  return isShell && grandparent !== undefined ? [process.ppid, grandparent] : [process.ppid]
}

const isAlive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === "EPERM"
  }
}

export const stopWithStarter = () => {
  const starters = starterPids()
  if (starters.length === 0) return
  const looking = setInterval(() => {
    if (process.ppid === starters[0] && starters.every(isAlive)) return
    clearInterval(looking)
    process.kill(process.pid, "SIGTERM")
  }, lookMs)
  looking.unref()
}
