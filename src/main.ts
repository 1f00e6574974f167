#!/usr/bin/env node
/** Starts the pod: settings, database, surfaces, and the words a person at the terminal needs. */
import { Cause, Effect, Either, Exit, Fiber, Option, Redacted } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { announce, complaint } from "./Announce.ts"
import { People } from "./features/people/People.ts"
import { Readiness } from "./features/system/Readiness.ts"
import { exitCodes } from "./platform/ExitCodes.ts"
import { layerEmbedded } from "./platform/Embedded.ts"
import * as Logging from "./platform/Logging.ts"
import { standardOutput } from "./platform/LogOutput.ts"
import { layerPostgres } from "./platform/Postgres.ts"
import { establishSecrets } from "./platform/SecretChecks.ts"
import type { SettingsShape } from "./platform/settings/Settings.ts"
import { load, type LoadedSettings } from "./platform/settings/SettingsLoad.ts"
import * as Pod from "./Pod.ts"
import * as Serve from "./Serve.ts"
import { Server } from "./surfaces/Server.ts"

const readSettings = (): LoadedSettings => {
  const loaded = load({
    environment: process.env,
    ...(existsSync(".env") ? { dotenv: readFileSync(".env", "utf8") } : {}),
    readFile: (path) => readFileSync(path, "utf8")
  })
  if (Either.isRight(loaded)) return loaded.right
  process.stderr.write(`${loaded.left.message}\n`)
  process.exit(exitCodes.badSettings)
}

const databaseOf = (settings: SettingsShape) =>
  Option.match(settings.databaseUrl, {
    onNone: () => layerEmbedded({ dataDir: settings.dataDir, durability: settings.durability }),
    onSome: (url) => layerPostgres({ url, poolMax: settings.databasePoolMax, startTimeoutMs: 60_000 })
  })

/** Makes the owner the settings name, once; else a setup link. Answers the link's token while nobody owns the pod. */
const ownership = (settings: SettingsShape) =>
  Effect.gen(function* () {
    const people = yield* People
    if (yield* people.hasOwner) {
      if (Option.isSome(settings.ownerEmail))
        yield* Effect.logInfo("POD_OWNER_EMAIL is ignored: the pod has its owner.")
      return undefined
    }
    if (Option.isSome(settings.ownerEmail) && Option.isSome(settings.ownerPassword)) {
      const claim = { email: settings.ownerEmail.value, password: settings.ownerPassword.value, name: "Owner" }
      // Another pod over the same database may have been quicker; then there is an owner, which is all that matters.
      yield* Effect.catchTag(people.claim(claim), "AlreadyClaimed", () => Effect.void)
      return undefined
    }
    return Redacted.value(yield* people.setupLink)
  })

const startedMs = performance.now()
const { settings, warnings } = readSettings()
const isTerminal = process.stdout.isTTY
const format = settings.logFormat === "auto" ? (isTerminal ? "pretty" : "json") : settings.logFormat
const write = standardOutput(format)

const program = Effect.gen(function* () {
  // With the database, for it knows which secrets it was used with.
  const { pepper, sessionSecret } = yield* establishSecrets({ ...settings, takesNew: settings.newSecrets === "accept" })
  const pod = Pod.layer({
    pepper,
    sessionSecret,
    sessionSeconds: settings.sessionSeconds,
    isProduction: settings.mode === "production",
    baseUrl: Option.getOrElse(settings.publicUrl, () => `http://localhost:${settings.port}`),
    rateLimitPerMinute: settings.rateLimitPerMinute
  })
  return yield* Effect.gen(function* () {
    // Whoever comes first must find an owner or a link, so this stands before the port opens.
    const setupToken = yield* ownership(settings)
    return yield* Effect.gen(function* () {
      const { port } = yield* Server
      const readiness = yield* Readiness
      announce({ settings, port, setupToken, warnings, format, startedInMs: performance.now() - startedMs }, write)
      return yield* Effect.onInterrupt(Effect.never, () => readiness.drain)
    }).pipe(Effect.provide(Serve.layer(settings)))
  }).pipe(Effect.provide(pod))
}).pipe(
  Effect.provide(databaseOf(settings)),
  Effect.scoped,
  Effect.provide(Logging.layer(settings.logLevel, format, write))
)

const fiber = Effect.runFork(program)
fiber.addObserver((exit) => {
  if (Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause)) process.exit(exitCodes.stopped)
  const { code, text } = complaint(exit.cause, settings)
  process.stderr.write(`${text}\n`)
  process.exit(code)
})

const stopWithinMs = 9_500 // of the 10 s a supervisor gives; requests are cut before, so only a hung goodbye is left

let isStopping = false
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (isStopping) process.exit(exitCodes.interrupted)
    isStopping = true
    setTimeout(() => process.exit(exitCodes.stopped), stopWithinMs).unref()
    Effect.runFork(Fiber.interrupt(fiber))
  })
}
