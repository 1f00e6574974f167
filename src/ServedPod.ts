/**
 * The pod as the program runs it: the database, the surfaces, the backups, and the messages for the person at the
 * terminal.
 */
import type { FileSystem } from "@effect/platform"
import { Cause, Effect, Layer, Option, Redacted } from "effect"
import { join, resolve } from "node:path"
import { existsSync } from "node:fs"
import { announce, setupLinkOf } from "./Announce.ts"
import { isOnLocalScreen, openLink, currentEnvironment } from "./BrowserAtStart.ts"
import { backupFolderFault } from "./backups/BackupFolder.ts"
import { keepBackups } from "./backups/Backups.ts"
import * as ConfiguredPod from "./ConfiguredPod.ts"
import { People } from "./features/people/People.ts"
import { SetupLinkFile, setupLinkName, setupPageOf } from "./features/people/SetupLinkFile.ts"
import { ProposalCount } from "./features/proposals/ProposalCount.ts"
import { PodNames } from "./features/setup/PodNames.ts"
import { Readiness } from "./features/system/Readiness.ts"
import { commandOf } from "./platform/CommandName.ts"
import { notePhase } from "./platform/DirectoryLock.ts"
import type { ServerPhase } from "./platform/LockRecord.ts"
import * as Logging from "./platform/Logging.ts"
import type { LogFormat, LogOutput } from "./platform/LogOutput.ts"
import type { SettingsShape } from "./platform/settings/Settings.ts"
import type { LoadedSettings } from "./platform/settings/SettingsLoad.ts"
import { shownSettingsOf } from "./platform/settings/ShownSettings.ts"
import { shownPath } from "./platform/ShownPath.ts"
import { step } from "./platform/StartSteps.ts"
import * as Telemetry from "./platform/Telemetry.ts"
import { seedOnce } from "./seed/SeedOnce.ts"
import * as Serve from "./Serve.ts"
import { startFailureOf } from "./StartFailure.ts"
import { StartRefusal } from "./StartRefusal.ts"
import { adminSocketName } from "./surfaces/AdminSocket.ts"
import { portFree, Server } from "./surfaces/Server.ts"
import { version } from "./Version.ts"

export interface Start {
  readonly loaded: LoadedSettings
  readonly format: LogFormat
  readonly write: LogOutput
  /** The value of `performance.now()` in milliseconds when the process began its work. */
  readonly startedMs: number
}

interface Ownership {
  /** True if the pod had no owner before this start. */
  readonly isFirstStart: boolean
  /** The token of the setup link while the pod has no owner. */
  readonly setupToken: string | undefined
}

/** If the settings have a name for the pod, gives the pod this name on behalf of its new owner. */
const setPodName = ({ podName }: SettingsShape): Effect.Effect<void, never, People | PodNames> =>
  Effect.gen(function* () {
    const people = yield* People
    const names = yield* PodNames
    const ownerId = yield* people.ownerId
    if (Option.isSome(podName) && ownerId !== undefined) yield* names.nameFor(ownerId, podName.value)
  })

/**
 * Creates the owner that the settings name, if the pod has no owner yet. If the settings name no owner, makes a setup
 * link.
 */
const ownership = Effect.fnUntraced(function* (settings: SettingsShape) {
  const people = yield* People
  const owned = (isFirstStart: boolean): Ownership => ({ isFirstStart, setupToken: undefined })
  if (yield* people.hasOwner) {
    if (Option.isSome(settings.ownerEmail))
      yield* Effect.logInfo("POD_OWNER_EMAIL is ignored: the pod already has an owner.")
    return owned(false)
  }
  const { ownerEmail, ownerPassword, ownerPasswordHash } = settings
  const secret = Option.orElse(
    Option.map(ownerPassword, (password) => ({ password })),
    () => Option.map(ownerPasswordHash, (passwordHash) => ({ passwordHash }))
  )
  if (Option.isSome(ownerEmail) && Option.isSome(secret)) {
    const claim = { email: ownerEmail.value, name: "Owner", ...secret.value }
    const setting = Option.isSome(ownerPassword) ? "POD_OWNER_PASSWORD" : "POD_OWNER_PASSWORD_HASH"
    // Another node might have created the owner at the same moment. This is not an error.
    yield* people.claim(claim).pipe(
      Effect.zipRight(setPodName(settings)),
      Effect.zipRight(step("owner", `Owner: made from POD_OWNER_EMAIL and ${setting}`)),
      Effect.catchTag("AlreadyClaimed", () => Effect.void)
    )
    return owned(true)
  }
  return { isFirstStart: true, setupToken: Redacted.value(yield* people.setupLink) } satisfies Ownership
})

/**
 * If the data directory has no embedded database yet, checks that the ports are free, and prints the result. So a start
 * that cannot listen leaves no files. If there is a database, the function checks nothing, because a running pod of
 * this directory might use the port.
 */
const firstChecks = Effect.fnUntraced(function* (settings: SettingsShape) {
  const { dataDir, databaseUrl, host, metricsHost, metricsPort, port } = settings
  if (Option.isSome(databaseUrl) || existsSync(join(dataDir, "pg"))) return
  if (port !== 0) yield* portFree({ host, port }, "POD")
  if (Option.isSome(metricsPort) && metricsPort.value !== 0) {
    yield* portFree({ host: metricsHost, port: metricsPort.value }, "POD_METRICS")
  }
  const facts = { node: process.versions.node, port, dataDir }
  const shown = port === 0 ? "any free port" : `port ${port} is free`
  yield* step("check", `Node ${process.versions.node}, ${shown}, data in ${shownPath(dataDir)} (new)`, facts)
})

/** Writes the file with the setup link. Removes the file if the pod has an owner. */
const keepSetupLink = Effect.fnUntraced(function* (url: string | undefined) {
  const { remove, write } = yield* SetupLinkFile
  const { hasOwner } = yield* People
  if (url !== undefined) yield* write(url)
  // Another node might have created an owner after the first check and before the file was written.
  if (url === undefined || (yield* hasOwner)) yield* remove
})

/** Opens the setup link in the browser of the person at the terminal, if there is such a person. */
const openSetup = Effect.fnUntraced(function* ({ dataDir }: SettingsShape, link: string) {
  const { default: isInContainer } = yield* Effect.promise(() => import("is-inside-container"))
  if (!isOnLocalScreen(currentEnvironment(isInContainer))) return
  const { default: open } = yield* Effect.promise(() => import("open"))
  yield* openLink(link, resolve(setupPageOf(join(dataDir, setupLinkName))), (file) => open(file))
})

const serve = ({ format, loaded: { settings, sourceOf, warnings }, startedMs, write }: Start) =>
  Effect.gen(function* () {
    // Only an embedded database has a lock.
    const note = (phase: ServerPhase) =>
      Option.isSome(settings.databaseUrl) ? Effect.void : notePhase(settings.dataDir, phase)
    // This code runs before the port opens, so that the first client finds an owner or a setup link.
    const { isFirstStart, setupToken } = yield* ownership(settings)
    return yield* Effect.gen(function* () {
      const { port } = yield* Server
      const readiness = yield* Readiness
      yield* keepSetupLink(setupToken === undefined ? undefined : setupLinkOf(settings, port, setupToken))
      const { waiting } = yield* ProposalCount
      announce(
        {
          settings,
          port,
          isFirstStart,
          setupToken,
          waiting: isFirstStart ? 0 : yield* waiting,
          warnings,
          format,
          startedInMs: performance.now() - startedMs,
          columns: process.stdout.columns,
          command: commandOf(process.env["npm_lifecycle_event"])
        },
        write
      )
      yield* readiness.finishStart
      yield* note("serving")
      if (setupToken !== undefined && format === "pretty" && settings.openBrowser === "auto") {
        yield* Effect.forkScoped(openSetup(settings, setupLinkOf(settings, port, setupToken)))
      }
      if (Option.isSome(settings.backupDir)) {
        const fault = yield* backupFolderFault(settings.backupDir.value)
        if (fault !== undefined) yield* Effect.logError(fault)
      }
      yield* Effect.forkScoped(keepBackups)
      if (settings.seed === "demo") yield* Effect.forkScoped(seedOnce(join(settings.dataDir, adminSocketName)))
      return yield* Effect.onInterrupt(Effect.never, () => Effect.zipRight(note("stopping"), readiness.drain))
    }).pipe(Effect.provide(Serve.layer(settings, undefined, { adminSocket: join(settings.dataDir, adminSocketName) })))
  }).pipe(
    Effect.provide(ConfiguredPod.layer(settings, { shown: shownSettingsOf({ settings, sourceOf }) })),
    Effect.scoped,
    (work) => Effect.zipRight(firstChecks(settings), work),
    Effect.onInterrupt(() => step("stop", "Stopped cleanly.")),
    Effect.provide(
      Layer.provideMerge(Telemetry.layer(settings, version), Logging.layer(settings.logLevel, format, write))
    )
  )

/**
 * Runs the pod until it is interrupted. If the pod cannot start, fails with a sentence for the person at the terminal.
 */
export const servePod = (start: Start): Effect.Effect<never, StartRefusal, FileSystem.FileSystem> =>
  Effect.catchAllCause(serve(start), (cause) =>
    Cause.isInterruptedOnly(cause)
      ? Effect.interrupt
      : Effect.fail(new StartRefusal(startFailureOf(cause, start.loaded.settings)))
  )
