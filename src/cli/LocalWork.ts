/**
 * Helpers of the commands that work on the data of a pod on this machine: its settings, the progress display, and
 * whether the pod runs.
 */
import { Effect, Option } from "effect"
import type { DataFailure } from "../LocalData.ts"
import type { SettingsShape } from "../platform/settings/Settings.ts"
import type { Progress, Step } from "../transfer/TransferRefused.ts"
import { badConfiguration, badUsage, CliFailure, notFound, unusableData } from "./CliFailure.ts"
import { Globals, type GlobalsShape } from "./Globals.ts"
import { httpCall, type CallTarget } from "./HttpCall.ts"
import { findRunningPod, localSettings } from "./LocalPod.ts"
import { drawProgress } from "./ProgressLine.ts"
import { refusalOf } from "./Refusals.ts"

/**
 * Loads the modules of the database. Only the commands that need a database run this, because the modules are large.
 */
export const localData = Effect.promise(() => import("../LocalData.ts"))

export const failureOf = ({ isLasting, kind, message }: DataFailure): CliFailure => {
  switch (kind) {
    case "file":
      return new CliFailure({ exit: "badUsage", code: "FILE_UNFIT", message })
    case "target":
      return new CliFailure({ exit: "conflict", code: "TARGET_UNFIT", message })
    case "missing":
      return notFound(message)
    case "locked":
      return new CliFailure({ exit: "conflict", code: "DIRECTORY_LOCKED", message })
    case "unfit":
      return badConfiguration(message)
    case "incomplete":
      return unusableData("dataUnfit", message)
    case "damaged":
      return unusableData("dataDamaged", message)
    case "database":
      return new CliFailure({
        exit: "unreachable",
        code: "DATABASE_UNREACHABLE",
        message,
        retryable: isLasting !== true
      })
    case "unexpected":
      return new CliFailure({ exit: "unexpected", code: "UNEXPECTED", message })
  }
}

const progressEveryMs = 5000

/** The progress as a line: `export: 12 of 452 rows, now background jobs`. */
export const progressLine = ({ done, now, total, unit, what }: Step): string =>
  `${what}: ${done}${total === 0 ? "" : ` of ${total}`} ${unit}${now === undefined ? "" : `, now ${now}`}`

// the width of the bar in characters
const barWidth = 20

/** The progress as a bar with its percentage, in front of the line. Without a total there is no bar. */
export const progressBar = ({ done, total }: Pick<Step, "done" | "total">): string => {
  if (total === 0) return ""
  const share = Math.min(1, done / total)
  const filled = Math.floor(share * barWidth)
  return `[${"#".repeat(filled)}${"-".repeat(barWidth - filled)}] ${String(Math.floor(share * 100)).padStart(3)} %  `
}

/**
 * Shows progress. On a terminal, it rewrites one line with a bar at each step. Elsewhere, it prints a new line every five seconds,
 * as JSON if the output is JSON.
 */
const shownProgress = ({ output, quiet }: GlobalsShape): Progress => {
  if (quiet) return () => undefined
  const isJson = output === "json" || output === "ndjson"
  if (isJson || !process.stderr.isTTY) {
    let last = Date.now()
    return (step: Step) => {
      if (Date.now() - last < progressEveryMs) return
      last = Date.now()
      process.stderr.write(`${isJson ? JSON.stringify({ progress: step }) : progressLine(step)}\n`)
    }
  }
  return (step: Step) => drawProgress(progressBar(step) + progressLine(step))
}

export interface LocalWork {
  readonly settings: SettingsShape
  readonly progress: Progress
}

/**
 * Collects what the commands on local data need. These commands run only on this machine, with the data directory or
 * the database that the settings name.
 */
export const localWork: Effect.Effect<LocalWork, CliFailure, Globals> = Effect.gen(function* () {
  const globals = yield* Globals
  if (globals.url !== undefined || globals.profile !== undefined) {
    return yield* badUsage(
      "This command works on the data of a pod on this machine, so the command accepts neither `--url` nor `--profile`."
    )
  }
  return { settings: yield* localSettings(globals), progress: shownProgress(globals) }
})

/**
 * Finds the running pod of these settings if its database is embedded. Only this pod can read its data while it runs.
 * Returns None in every other case.
 */
export const findRunningEmbedded = (
  settings: SettingsShape
): Effect.Effect<Option.Option<CallTarget>, CliFailure, Globals> =>
  Option.isSome(settings.databaseUrl)
    ? Effect.succeedNone
    : Effect.map(
        Effect.flatMap(Globals, (globals) => findRunningPod(settings, globals)),
        Option.fromNullable
      )

// the milliseconds that the command waits for the backup; a large pod can need an hour to pack its data
const backupTimeoutMs = 3_600_000

export interface MadeByPod {
  readonly path: string
  readonly sizeBytes: number
  readonly deleted: ReadonlyArray<string>
}

export const askForBackup = (
  place: CallTarget,
  request: { readonly folder?: string; readonly keep?: number; readonly withoutSecrets?: boolean }
): Effect.Effect<MadeByPod, CliFailure> =>
  Effect.gen(function* () {
    const answer = yield* httpCall(place, {
      method: "POST",
      path: "/api/hub/setup/backups",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(request),
      timeoutMs: backupTimeoutMs
    })
    const data = yield* Effect.try({
      try: (): unknown => JSON.parse(answer.text),
      catch: () =>
        new CliFailure({ exit: "unexpected", code: "UNEXPECTED", message: "The answer of the pod is not JSON." })
    })
    // The endpoint declares that its answer has this shape, so the cast is safe.
    if (answer.status === 200) return data as MadeByPod
    const refusal = refusalOf(answer, data)
    // A folder that the pod cannot use is the same fault as a folder that this process cannot use.
    return yield* refusal.exit === "badUsage" && request.folder !== undefined
      ? badConfiguration(refusal.message.replace(/^folder: /, ""))
      : refusal
  })
