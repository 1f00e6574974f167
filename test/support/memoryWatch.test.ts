/** The watch of a test run sees which processes use the memory. */
import { assert, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { memoryReport, runningProcesses, startedBy } from "./memoryWatch.ts"

it.runIf(existsSync("/proc/self/status"))(
  "the report about the memory of the machine names large processes, and the watch knows the processes that the run has started",
  async () => {
    const child = spawn(process.execPath, ["-e", "console.log('runs'); setInterval(() => {}, 1000)"])
    try {
      await once(child.stdout, "data")
      const pids = startedBy(process.pid, runningProcesses()).map(({ pid }) => pid)
      assert.include(pids, child.pid)
      assert.notInclude(pids, process.pid)
      assert.match(memoryReport(), /largest processes:\n\d+ MB\t\d+\t\S+/)
    } finally {
      child.kill("SIGKILL")
    }
  }
)
