#!/usr/bin/env node
/**
 * The program: arguments, settings, signals and exit codes. It loads the code of the pod only for a command that starts
 * a pod.
 */
import type { FileSystem } from "@effect/platform"
import type * as Runtime from "@effect/platform/Runtime"
// Each module is imported by its own path, because the whole package loads servers and workers that the pod does not
// use.
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Effect, Exit } from "effect"
import { readArguments } from "./CommandLine.ts"
import { exitCodes } from "./platform/ExitCodes.ts"
import { standardOutput } from "./platform/LogOutput.ts"
import { loadSettings } from "./platform/settings/SettingsFiles.ts"
import type { SettingsInvalid } from "./platform/settings/SettingsReport.ts"
import { StartRefusal, startRefusalOf } from "./StartRefusal.ts"

const startedMs = performance.now()

const start = Effect.gen(function* () {
  const loaded = yield* loadSettings(process.env)
  const { settings } = loaded
  stopWithinMs = settings.stopGraceSeconds * 1000 + afterGraceMs
  const format = settings.logFormat === "auto" ? (process.stdout.isTTY ? "pretty" : "json") : settings.logFormat
  const { servePod } = yield* Effect.promise(() => import("./ServedPod.ts"))
  return yield* servePod({ loaded, format, write: standardOutput(format), startedMs })
})

const program = Effect.suspend((): Effect.Effect<void, StartRefusal | SettingsInvalid, FileSystem.FileSystem> => {
  const command = readArguments(process.argv.slice(2))
  switch (command.kind) {
    case "start":
      return start
    case "answer":
      return Effect.sync(() => void process.stdout.write(command.text))
    case "refusal":
      return new StartRefusal(command)
  }
})

/** Sets the exit code when the pod ends. If an error has ended the pod, prints a sentence about the error. */
const teardown: Runtime.Teardown = (exit, onExit) => {
  if (Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause)) {
    return onExit(exitCodes.stopped)
  }
  const { code, text } = startRefusalOf(exit.cause)
  process.stderr.write(`${text.trimEnd()}\n`)
  onExit(code)
}

/**
 * If a stop takes more than this many milliseconds, the program treats the stop as hung and ends the process. The
 * number is `POD_STOP_GRACE` plus 8.5 s. Open requests can use 8 s of these 8.5 s. With the default
 * settings, the number is less than 10 s, the time that a supervisor allows.
 */
let stopWithinMs = 9_500
const afterGraceMs = 8_500

// runMain interrupts the program at the first signal. If the program then hangs, a second signal or the time limit ends
// the process.
let isStopping = false
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (isStopping) process.exit(exitCodes.interrupted)
    isStopping = true
    if (process.stderr.isTTY) process.stderr.write("\n  Stopping. Ctrl-C again ends the pod at once.\n")
    setTimeout(() => process.exit(exitCodes.stopped), stopWithinMs).unref()
  })
}

NodeRuntime.runMain(Effect.provide(program, NodeFileSystem.layer), {
  // Without this option, the runtime would also log the error with a stack. `teardown` prints the error as a sentence.
  disableErrorReporting: true,
  disablePrettyLogger: true,
  teardown
})
