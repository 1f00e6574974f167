/** Runs as a separate process in the tests of the memory guard: starts a child process, and runs until its input ends. */
import { spawn } from "node:child_process"
import { guardMemory } from "./memoryGuard.ts"

const [meminfo = ""] = process.argv.slice(-1)

// The child inherits the output of this process, so the output stays open as long as one of the two runs.
const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", "the child of the run"], {
  stdio: ["ignore", "inherit", "inherit"]
})
child.once("spawn", () => {
  guardMemory(meminfo, 10)
  process.stdin.resume().once("end", () => {
    child.once("exit", () => process.exit(0)).kill("SIGKILL")
  })
})
