#!/usr/bin/env node
/** Starts the pod: settings, database, surfaces, and the messages for the person at the terminal. */
import type { FileSystem } from "@effect/platform"
import type * as Runtime from "@effect/platform/Runtime"
// Each module is imported by its own path, because the whole package loads servers and workers that the pod does not
// use.
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Effect, Exit, Layer, Option, Redacted } from "effect"
import { join } from "node:path"
import { announce, setupLinkOf, startFailureOf, StartRefusal, startRefusalOf } from "./Announce.ts"
import { readArguments } from "./CommandLine.ts"
import { keepBackups } from "./backups/Backups.ts"
import { People } from "./features/people/People.ts"
import { SetupLinkFile } from "./features/people/SetupLinkFile.ts"
import { Readiness } from "./features/system/Readiness.ts"
import { exitCodes } from "./platform/ExitCodes.ts"
import * as Logging from "./platform/Logging.ts"
import { type LogFormat, type LogOutput, standardOutput } from "./platform/LogOutput.ts"
import * as Telemetry from "./platform/Telemetry.ts"
import type { SettingsShape } from "./platform/settings/Settings.ts"
import { shownSettingsOf } from "./platform/settings/ShownSettings.ts"
import { loadSettings } from "./platform/settings/SettingsFiles.ts"
import type { LoadedSettings } from "./platform/settings/SettingsLoad.ts"
import type { SettingsInvalid } from "./platform/settings/SettingsReport.ts"
import * as ConfiguredPod from "./ConfiguredPod.ts"
import * as Serve from "./Serve.ts"
import { adminSocketName } from "./surfaces/AdminSocket.ts"
import { seedOnce } from "./seed/SeedOnce.ts"
import { Server } from "./surfaces/Server.ts"
import { version } from "./Version.ts"

/** Creates the owner from the settings once, or else a setup link. Returns the link's token while the pod has no owner. */
const ownership = (settings: SettingsShape) =>
  Effect.gen(function* () {
    const people = yield* People
    if (yield* people.hasOwner) {
      if (Option.isSome(settings.ownerEmail))
        yield* Effect.logInfo("POD_OWNER_EMAIL is ignored: the pod already has an owner.")
      return undefined
    }
    if (Option.isSome(settings.ownerEmail) && Option.isSome(settings.ownerPassword)) {
      const claim = { email: settings.ownerEmail.value, password: settings.ownerPassword.value, name: "Owner" }
      // Another pod with the same database may have created the owner at the same moment; this is not an error.
      yield* Effect.catchTag(people.claim(claim), "AlreadyClaimed", () => Effect.void)
      return undefined
    }
    return Redacted.value(yield* people.setupLink)
  })

/** Keeps the file with the setup link as long as the pod has no owner. Another pod with the same database may have made one. */
const keepSetupLink = (url: string | undefined) =>
  Effect.gen(function* () {
    const { remove, write } = yield* SetupLinkFile
    const { hasOwner } = yield* People
    if (url !== undefined) yield* write(url)
    // A program may have become the owner between the first look and the file.
    if (url === undefined || (yield* hasOwner)) yield* remove
  })

const startedMs = performance.now()

/** Runs the pod until it is interrupted or fails. */
const serve = ({ settings, sourceOf, warnings }: LoadedSettings, format: LogFormat, write: LogOutput) =>
  Effect.gen(function* () {
    // This runs before the port opens, so that the first client finds an owner or a setup link.
    const setupToken = yield* ownership(settings)
    return yield* Effect.gen(function* () {
      const { port } = yield* Server
      const readiness = yield* Readiness
      yield* keepSetupLink(setupToken === undefined ? undefined : setupLinkOf(settings, port, setupToken))
      announce({ settings, port, setupToken, warnings, format, startedInMs: performance.now() - startedMs }, write)
      yield* Effect.forkScoped(keepBackups)
      if (settings.seed === "demo") yield* Effect.forkScoped(seedOnce(join(settings.dataDir, adminSocketName)))
      return yield* Effect.onInterrupt(Effect.never, () => readiness.drain)
    }).pipe(Effect.provide(Serve.layer(settings, undefined, { adminSocket: join(settings.dataDir, adminSocketName) })))
  }).pipe(
    Effect.provide(ConfiguredPod.layer(settings, shownSettingsOf({ settings, sourceOf }))),
    Effect.scoped,
    Effect.provide(
      Layer.provideMerge(Telemetry.layer(settings, version), Logging.layer(settings.logLevel, format, write))
    )
  )

const start = Effect.gen(function* () {
  const loaded = yield* loadSettings(process.env)
  const { settings } = loaded
  stopWithinMs = settings.stopGraceSeconds * 1000 + afterGraceMs
  const format = settings.logFormat === "auto" ? (process.stdout.isTTY ? "pretty" : "json") : settings.logFormat
  return yield* Effect.catchAllCause(serve(loaded, format, standardOutput(format)), (cause) =>
    Cause.isInterruptedOnly(cause) ? Effect.interrupt : Effect.fail(new StartRefusal(startFailureOf(cause, settings)))
  )
})

const program = Effect.suspend((): Effect.Effect<void, StartRefusal | SettingsInvalid, FileSystem.FileSystem> => {
  const asked = readArguments(process.argv.slice(2))
  switch (asked.kind) {
    case "start":
      return start
    case "answer":
      return Effect.sync(() => void process.stdout.write(asked.text))
    case "refusal":
      return new StartRefusal(asked)
  }
})

/** Sets the exit code for every end of the pod, and prints a sentence if it ended because of an error. */
const teardown: Runtime.Teardown = (exit, onExit) => {
  if (Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause)) return onExit(exitCodes.stopped)
  const { code, text } = startRefusalOf(exit.cause)
  process.stderr.write(`${text.trimEnd()}\n`)
  onExit(code)
}

/** A stop that takes longer hangs: after the grace of the settings, requests have 8 s. Both fit into the 10 s of a supervisor. */
let stopWithinMs = 9_500
const afterGraceMs = 8_500

// runMain interrupts the program at the first signal. If that hangs, a second signal or the time limit ends the process.
let isStopping = false
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (isStopping) process.exit(exitCodes.interrupted)
    isStopping = true
    setTimeout(() => process.exit(exitCodes.stopped), stopWithinMs).unref()
  })
}

NodeRuntime.runMain(Effect.provide(program, NodeFileSystem.layer), {
  disableErrorReporting: true, // the runtime would log it with a stack; `teardown` prints it as a sentence
  disablePrettyLogger: true,
  teardown
})
