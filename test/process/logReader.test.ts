/** If the program that reads the pod's log ends or is too slow, the pod loses only log lines. */
import { assert, describe, it } from "@effect/vitest"
import { Writable } from "node:stream"
import { afterAll, beforeAll } from "vitest"
import { exitCodes } from "../../src/platform/ExitCodes.ts"
import { logOutput } from "../../src/platform/LogOutput.ts"
import { type Folder, type Launched, launchPod } from "../support/builtPod.ts"
import { ask, createKey, signInOwner } from "../support/client.ts"
import { aPreparedFolder } from "../support/podPair.ts"
import { aMoment } from "../support/aMoment.ts"

describe("a pod whose log output is blocked or closed", () => {
  let folder: Folder
  let launched: Launched
  let baseUrl: string
  beforeAll(async () => {
    folder = await aPreparedFolder()
    launched = await launchPod({ dataDir: folder.path, environment: { POD_LOG_LEVEL: "debug" } })
    baseUrl = (await launched.ready).baseUrl
  })
  afterAll(() => {
    launched.signal("SIGKILL")
    folder.remove()
  })

  it("while the program that reads the log is blocked, the pod continues to answer, and the program gets the log lines later", async () => {
    const goOnReading = launched.pauseReading()
    const unread = launched.output().length
    // Each log line has about 200 characters. Together the lines are more than the pipe and the buffer of the pod can
    // hold.
    for (let round = 0; round < 100; round++) {
      const replies = await Promise.all(Array.from({ length: 10 }, () => ask(baseUrl, "GET", "/livez")))
      assert.isTrue(replies.every(({ status }) => status === 200))
    }
    goOnReading()
    const last = await ask(baseUrl, "GET", "/livez", { "x-request-id": "the-last-of-them" })
    assert.strictEqual(last.status, 200)
    while (!launched.output().includes("the-last-of-them")) await aMoment()
    assert.isAbove(launched.output().length - unread, 100_000)
  })

  it("if the program that reads the log of a pod ends, the pod continues to answer and stops normally", async () => {
    launched.stopReading()
    // Each of these requests writes log lines.
    const session = await signInOwner(baseUrl)
    const key = await createKey(baseUrl, session)
    for (let round = 0; round < 3; round++) {
      assert.strictEqual((await ask(baseUrl, "GET", "/api/hub/users/me", key.headers)).status, 200)
      assert.strictEqual((await ask(baseUrl, "GET", "/api/hub/no-such-route", key.headers)).status, 404)
    }
    launched.signal("SIGTERM")
    assert.deepStrictEqual(await launched.ended, { code: exitCodes.stopped, signal: null })
  })

  it("if the reader of the log is blocked, the pod keeps a limited number of log lines and later logs how many lines it dropped", async () => {
    const read: Array<string> = []
    // While `isStalled` is true, a write does not complete. Afterwards each write completes at once.
    let waiting: () => void = () => {}
    let isStalled = true
    const stream = new Writable({
      decodeStrings: false,
      write: (chunk: string, _encoding, done) => {
        read.push(chunk)
        if (isStalled) waiting = done
        else done()
      }
    })
    const write = logOutput(stream, (dropped) => `${dropped} dropped`)
    const line = "x".repeat(999)
    for (let at = 0; at < 10_000; at++) write(line)
    assert.isAtMost(stream.writableLength, 1_000_000)
    isStalled = false
    const drained = new Promise<void>((resolve) => stream.once("drain", resolve))
    waiting()
    await drained
    const kept = read.length
    write("the next line")
    await new Promise<void>((resolve) => stream.end(resolve))
    assert.deepStrictEqual(read.slice(kept), [`${10_000 - kept} dropped`, "the next line"])
  })

  it("a failed write to the log output of a pod causes no error in the pod", async () => {
    const stream = new Writable({ write: (_chunk, _encoding, done) => done(new Error("EPIPE")), autoDestroy: false })
    const write = logOutput(stream, String)
    write("one")
    await new Promise((resolve) => stream.once("error", resolve))
    assert.doesNotThrow(() => write("two"))
  })
})
