/** Tests commands on a machine where the pod is starting or stopping: they wait for it, and say that they wait. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import { Either } from "effect"
import { startOrStopEnded } from "../../src/cli/StartWait.ts"
import { acquire, notePhase } from "../../src/platform/DirectoryLock.ts"
import { aFolder } from "../support/builtPod.ts"
import { aCommandInProcess } from "../support/cliInProcess.ts"
import { errorOf } from "../support/commandScene.ts"
import { aSettings } from "../support/settings.ts"
import { takeGlobals } from "../../src/cli/Globals.ts"

const globals = Either.getOrThrow(takeGlobals(["--quiet"])).globals

const inFolder = <A, E, R>(work: (dataDir: string) => Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => aFolder()),
    ({ path }) => work(path),
    (folder) => Effect.sync(() => folder.remove())
  )

describe("commands while the pod starts or stops", () => {
  it.scoped(
    "every command says that the pod is starting or stopping if it has not ended this in time, and opens no database",
    () =>
      inFolder((dataDir) =>
        Effect.gen(function* () {
          yield* acquire(dataDir, "starting")
          const pod = aCommandInProcess(dataDir, { environment: { POD_DATA_DIR: dataDir } })
          const refused = (args: ReadonlyArray<string>, environment: Record<string, string> = {}) =>
            Effect.promise(() => pod([...args, "--timeout", "10ms", "--json"], { environment }))
          for (const args of [
            ["status"],
            ["keys", "list"],
            ["backup"],
            ["export", "--out", `${dataDir}/pod.ndjson`],
            ["migrate", "status"],
            ["login", "--email", "somebody@example.com"]
          ]) {
            const run = yield* refused(args, { POD_PASSWORD: "a long enough password" })
            assert.strictEqual(run.code, 8, `${args.join(" ")}: ${run.stderr}`)
            assert.deepInclude(errorOf(run), { code: "POD_STARTING", retryable: true }, args.join(" "))
            assert.include(errorOf(run)["message"], `(process ${process.pid})`)
          }
          assert.strictEqual(errorOf(yield* refused(["whoami"], { POD_API_KEY: "svc_user_x" }))["code"], "POD_STARTING")
          yield* notePhase(dataDir, "stopping")
          assert.strictEqual(errorOf(yield* refused(["keys", "list"]))["code"], "POD_STOPPING")
        })
      )
  )

  it.scoped("a command does not wait if another command uses the data directory, and says that it is in use", () =>
    inFolder((dataDir) =>
      Effect.gen(function* () {
        yield* acquire(dataDir)
        yield* startOrStopEnded(aSettings({ dataDir }), globals)
      })
    )
  )

  it.scoped("a command waits until the pod has started, and goes on then", () =>
    inFolder((dataDir) =>
      Effect.gen(function* () {
        yield* acquire(dataDir, "starting")
        const waiting = yield* Effect.fork(startOrStopEnded(aSettings({ dataDir }), globals))
        yield* TestClock.adjust("10 seconds")
        assert.isNull(yield* Fiber.poll(waiting).pipe(Effect.map((exit) => (exit._tag === "None" ? null : exit.value))))
        yield* notePhase(dataDir, "serving")
        yield* TestClock.adjust("1 second")
        yield* Fiber.join(waiting)
      })
    )
  )
})
