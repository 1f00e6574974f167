/** Only one process at a time can hold a data directory, and a process that has ended no longer holds its directory. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { acquire } from "../../src/platform/DirectoryLock.ts"
import { ownRecord } from "../../src/platform/LockRecord.ts"
import type { LockRecord } from "../../src/platform/LockRecord.ts"
import { projectRoot } from "../support/migrations.ts"
import { testProgram } from "../support/testProgram.ts"

let folder: string
let made = 0
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pod-lock-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const aDirectory = (): string => {
  const path = join(folder, `data-${(made += 1)}`)
  mkdirSync(path)
  return path
}

const aRecord = (dataDir: string, over: Partial<LockRecord>, ageMs = 0): string => {
  const path = join(dataDir, "pod.lock.1")
  writeFileSync(path, JSON.stringify({ ...ownRecord(null), ...over }))
  const beat = new Date(Date.now() - ageMs)
  utimesSync(path, beat, beat)
  return path
}

/** Starts a separate process that locks the directory. The test reads the output of the process line by line. */
const aProcess = async (dataDir: string, gate = "open") => {
  const child = spawn(process.execPath, [await testProgram("test/platform/lockHolder.ts"), dataDir, gate], {
    stdio: ["pipe", "pipe", "inherit"],
    cwd: projectRoot
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  return {
    pid: child.pid,
    says: async () => String((await lines.next()).value),
    tell: () => child.stdin.write("go\n"),
    end: () => {
      child.stdin.end()
      return gone
    },
    kill: () => {
      child.kill("SIGKILL")
      return gone
    }
  }
}

const refused = (dataDir: string) => Effect.flip(Effect.scoped(acquire(dataDir)))
const taken = (dataDir: string) => Effect.scoped(acquire(dataDir))

/** Returns the pid of a process that has ended. */
const aDeadPid = async (): Promise<number> => {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" })
  await new Promise((resolve) => child.once("exit", resolve))
  return child.pid ?? 0
}

describe("the lock on a data directory", () => {
  it.live(
    "a second process that opens a data directory is refused with a clear message until the first process is killed",
    () =>
      Effect.gen(function* () {
        const dataDir = aDirectory()
        const holder = yield* Effect.promise(() => aProcess(dataDir))
        assert.deepStrictEqual([yield* outputOf(holder), yield* outputOf(holder)], ["ready", "held"])
        const refusal = yield* refused(dataDir)
        assert.strictEqual(refusal.pid, holder.pid)
        assert.strictEqual(
          refusal.message,
          `The data directory ${dataDir} is in use by process ${holder.pid} on ${hostname()}: stop this process, use another ` +
            `directory, or delete ${join(dataDir, "pod.lock.1")} if you are certain that this process is gone.`
        )
        yield* Effect.promise(() => holder.kill())
        yield* taken(dataDir)
        assert.deepStrictEqual(readdirSync(dataDir), [])
      })
  )

  it.live("exactly one of several processes that start at the same moment gets the data directory", () =>
    Effect.gen(function* () {
      const dataDir = aDirectory()
      const contenders = yield* Effect.promise(() =>
        Promise.all(Array.from({ length: 4 }, () => aProcess(dataDir, "gated")))
      )
      yield* Effect.forEach(contenders, outputOf, { concurrency: "unbounded" })
      for (const contender of contenders) contender.tell()
      const answers = yield* Effect.forEach(contenders, outputOf, { concurrency: "unbounded" })
      const winner = contenders[answers.indexOf("held")]
      assert.lengthOf(
        answers.filter((answer) => answer === "held"),
        1
      )
      assert.lengthOf(
        answers.filter((answer) => answer.startsWith(`refused ${winner?.pid} `)),
        3
      )
      yield* Effect.promise(() => Promise.all(contenders.map((contender) => contender.end())))
      assert.deepStrictEqual(readdirSync(dataDir), [])
    })
  )

  it.live("a second lock on a data directory in the same process is refused until the first lock is released", () =>
    Effect.gen(function* () {
      const dataDir = aDirectory()
      const scope = yield* Scope.make()
      yield* Scope.extend(acquire(dataDir), scope)
      assert.strictEqual((yield* refused(dataDir)).pid, process.pid)
      yield* Scope.close(scope, Exit.void)
      yield* taken(dataDir)
    })
  )

  it.live(
    "a process that fails to lock a data directory releases its parts of the lock at once, so that another attempt can succeed",
    () =>
      Effect.gen(function* () {
        const dataDir = aDirectory()
        const record = aRecord(dataDir, {})
        yield* Effect.flip(acquire(dataDir))
        rmSync(record)
        yield* acquire(dataDir)
      }).pipe(Effect.scoped)
  )

  it.live(
    "the lock record of a running process keeps other processes out of a data directory, even processes that cannot see its abstract socket",
    () =>
      Effect.gen(function* () {
        const dataDir = aDirectory()
        aRecord(dataDir, {}, 86_400_000)
        assert.strictEqual((yield* refused(dataDir)).pid, process.pid)
      })
  )

  it.live("a process in another pid namespace keeps the lock on a data directory as long as its socket answers", () =>
    Effect.gen(function* () {
      const dataDir = aDirectory()
      const witness = createServer().listen(join(dataDir, "witness.sock"))
      yield* Effect.async<void>((resume) => void witness.once("listening", () => resume(Effect.void)))
      aRecord(dataDir, { pid: 1, pidNamespace: "pid:[1]", witness: "witness.sock" }, 86_400_000)
      assert.strictEqual((yield* refused(dataDir)).pid, 1)
      yield* Effect.async<void>((resume) => void witness.close(() => resume(Effect.void)))
      yield* taken(dataDir)
    })
  )

  it.live(
    "a process on another machine keeps the lock on a data directory only as long as it updates its lock record",
    () =>
      Effect.gen(function* () {
        const dataDir = aDirectory()
        aRecord(dataDir, { host: "elsewhere", boot: "another" })
        assert.include((yield* refused(dataDir)).message, "on elsewhere")
        aRecord(dataDir, { host: "elsewhere", boot: "another" }, 86_400_000)
        yield* taken(dataDir)
      })
  )

  it.live(
    "an incomplete lock record of a data directory keeps other processes out at first, because the process that writes the record might still run",
    () =>
      Effect.gen(function* () {
        const dataDir = aDirectory()
        writeFileSync(join(dataDir, "pod.lock.1"), `{"pid":`)
        assert.strictEqual((yield* refused(dataDir)).pid, undefined)
      })
  )

  it.live(
    "the lock record of a dead process, of a reused process id or of an earlier boot does not keep other processes out of a data directory",
    () =>
      Effect.gen(function* () {
        const dead = yield* Effect.promise(aDeadPid)
        const gone: ReadonlyArray<Partial<LockRecord>> = [
          { pid: dead, start: "1" },
          { pid: process.pid, start: "1" },
          { boot: "an earlier one" }
        ]
        for (const over of gone) {
          const dataDir = aDirectory()
          aRecord(dataDir, over)
          yield* taken(dataDir)
          assert.deepStrictEqual(readdirSync(dataDir), [])
        }
      })
  )
})

const outputOf = (holder: Awaited<ReturnType<typeof aProcess>>) => Effect.promise(holder.says)
