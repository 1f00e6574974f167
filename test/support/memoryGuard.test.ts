/** Runs a program that guards its memory, on a machine that has as much memory as the test says. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { testProgram } from "./testProgram.ts"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pod-meminfo-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Starts a run with a child process on a machine with this much available memory, in percent of 100 MB. */
const aRun = async (percent?: number) => {
  const meminfo = join(folder, "meminfo")
  const setAvailable = (next: number) =>
    writeFileSync(meminfo, `MemTotal:       100000 kB\nMemFree:          1 kB\nMemAvailable:   ${next * 1000} kB\n`)
  if (percent !== undefined) setAvailable(percent)
  const run = spawn(process.execPath, [await testProgram("test/support/guardedRun.ts"), meminfo])
  let errors = ""
  run.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()))
  // The event `close` comes after the run and its child process have ended.
  const ended = once(run, "close").then(([code]: Array<unknown>) => ({ code, errors }))
  return { setAvailable, ended, endInput: () => run.stdin.end() }
}

describe("a test run on a machine with little memory", () => {
  it("if the memory is almost used up, the run names the largest processes, kills its child processes and fails", async () => {
    const run = await aRun(50)
    run.setAvailable(2)
    const { code, errors } = await run.ended
    assert.strictEqual(code, 1)
    assert.match(errors, /ONLY 2 MiB OF MEMORY ARE AVAILABLE/)
    assert.match(errors, /\d+ MiB {2}\d+ {2}.*the child of the run/)
  })

  it("if enough memory is available, the run goes on until its own end", async () => {
    const run = await aRun(4)
    run.endInput()
    assert.deepStrictEqual(await run.ended, { code: 0, errors: "" })
  })

  it("on a system that does not say how much memory it has, the run goes on until its own end", async () => {
    const run = await aRun()
    run.endInput()
    assert.deepStrictEqual(await run.ended, { code: 0, errors: "" })
  })
})
