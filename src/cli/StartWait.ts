/** Waits for a pod on this machine that is starting or stopping. */
import { Duration, Effect, Option, Schedule } from "effect"
import { resolve } from "node:path"
import { lockHolder } from "../platform/DirectoryLock.ts"
import type { SettingsShape } from "../platform/settings/Settings.ts"
import { CliFailure } from "./CliFailure.ts"
import type { GlobalsShape } from "./Globals.ts"

const pollEveryMs = 200

type Change = "starting" | "stopping"

/** The server that has locked the data directory, if it is starting or stopping. */
const changingServer = ({ dataDir, databaseUrl }: SettingsShape) =>
  // Only an embedded database has a lock, which says what its process does.
  Option.isSome(databaseUrl)
    ? Effect.succeedNone
    : Effect.map(
        lockHolder(dataDir),
        Option.flatMap(({ pid, server }) =>
          server === "starting" || server === "stopping" ? Option.some({ pid, change: server }) : Option.none()
        )
      )

const stillChanging = (settings: SettingsShape, timeoutMs: number, pid: number, change: Change) =>
  new CliFailure({
    exit: "unreachable",
    code: change === "starting" ? "POD_STARTING" : "POD_STOPPING",
    message: `The pod in ${resolve(settings.dataDir)} is still ${change} after ${timeoutMs / 1000} s (process ${pid}).`,
    hint: "Wait longer with `--timeout`, such as `--timeout 2m`. The output of that process says what it does.",
    retryable: true
  })

/**
 * Waits until the pod of these settings has started, or has stopped. Returns at once if the pod serves, or if no pod
 * runs here. Fails if the time of `--timeout` is over.
 */
export const startOrStopEnded = (
  settings: SettingsShape,
  { output, quiet, timeoutMs }: GlobalsShape
): Effect.Effect<void, CliFailure> =>
  Effect.gen(function* () {
    const first = yield* changingServer(settings)
    if (Option.isNone(first)) return
    const { change, pid } = first.value
    if (!quiet && output === "table") {
      process.stderr.write(`The pod is ${change} (process ${pid}); this command waits for it.\n`)
    }
    yield* changingServer(settings).pipe(
      Effect.repeat({ until: Option.isNone, schedule: Schedule.spaced(Duration.millis(pollEveryMs)) }),
      Effect.timeoutFail({
        duration: Duration.millis(timeoutMs),
        onTimeout: () => stillChanging(settings, timeoutMs, pid, change)
      })
    )
  })
