/** Reaches the pod on this machine: by its address, by its socket, or by its database if the pod does not run. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, Option, type Scope } from "effect"
import { accessSync, constants, existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { lockHolder } from "../platform/DirectoryLock.ts"
import { systemCode } from "../platform/FileReasons.ts"
import type { LockRecord } from "../platform/LockRecord.ts"
import { exitCodes } from "../platform/ExitCodes.ts"
import { podAddress } from "../platform/settings/PodAddress.ts"
import type { SettingsShape } from "../platform/settings/Settings.ts"
import { loadSettings } from "../platform/settings/SettingsFiles.ts"
import { addressHeader, adminSocketName, socketPath } from "../surfaces/AdminSocket.ts"
import { badConfiguration, CliFailure, dataFailureOf } from "./CliFailure.ts"
import type { GlobalsShape } from "./Globals.ts"
import { httpCall, type CallTarget } from "./HttpCall.ts"
import { startOrStopEnded } from "./StartWait.ts"

export interface LocalPlace {
  readonly transport: "socket" | "process"
  readonly place: CallTarget
}

/**
 * Returns the environment variables for the settings. `--data-dir` overrides `POD_DATA_DIR` and `POD_DATA_DIR_FILE`.
 */
export const environmentWith = ({ dataDir }: Pick<GlobalsShape, "dataDir">): NodeJS.ProcessEnv => {
  const { POD_DATA_DIR_FILE: _, ...rest } = process.env
  return dataDir === undefined ? process.env : { ...rest, POD_DATA_DIR: dataDir }
}

/** Reads the settings of the pod on this machine. */
export const localSettings = (globals: Pick<GlobalsShape, "dataDir">): Effect.Effect<SettingsShape, CliFailure> =>
  loadSettings(environmentWith(globals)).pipe(
    Effect.map(({ settings }) => settings),
    Effect.mapError((invalid) => badConfiguration(invalid.message, "Check the settings with `pod config check`.")),
    Effect.provide(NodeFileSystem.layer)
  )

const overSocket = (path: string, timeoutMs: number): Effect.Effect<CallTarget, CliFailure> =>
  httpCall(
    { url: "http://localhost", socketPath: path },
    { method: "GET", path: "/livez", headers: {}, timeoutMs }
  ).pipe(
    Effect.map(({ headers }) => {
      const url = headers[addressHeader]
      return { url: typeof url === "string" ? url : "http://localhost", socketPath: path }
    })
  )

/** Finds the address of a pod on this machine for a call. If the pod is starting, waits until it serves. */
export const addressToCall = (settings: SettingsShape, globals: GlobalsShape): Effect.Effect<string, CliFailure> =>
  Effect.zipRight(startOrStopEnded(settings, globals), addressHere(settings, globals))

/**
 * Returns the address that a running pod reports over its socket. If no pod answers there, returns the address in the
 * settings.
 */
export const addressHere = (settings: SettingsShape, globals: GlobalsShape): Effect.Effect<string> =>
  Effect.map(addressOnSocket(settings, globals), (found) => found ?? podAddress(settings))

const addressOnSocket = (settings: SettingsShape, { timeoutMs }: GlobalsShape): Effect.Effect<string | undefined> => {
  const path = socketPath(join(settings.dataDir, adminSocketName))
  return path === undefined || !existsSync(path)
    ? Effect.as(Effect.void, undefined)
    : overSocket(path, timeoutMs).pipe(
        Effect.map(({ url }) => url),
        Effect.orElseSucceed(() => undefined)
      )
}

const foreign = (code: string, path: string) =>
  new CliFailure({
    exit: "refused",
    code,
    message: `${path} belongs to another user.`,
    hint: "Run the command as the system user of the pod, or sign in with `pod login`."
  })
const foreignSocket = (path: string) => foreign("SOCKET_FORBIDDEN", path)
const foreignDirectory = (path: string) => foreign("DIRECTORY_FORBIDDEN", path)

/** True if the directory exists, and this user is not allowed to look into it. */
const isClosedToUser = (directory: string): boolean => {
  try {
    accessSync(directory, constants.X_OK)
    return false
  } catch (cause) {
    return systemCode(cause) === "EACCES"
  }
}

/**
 * Makes the failure for a server that has the socket open but does not answer. A server locks its embedded database, so
 * this process cannot open the database, and the failure says that the directory is locked. PostgreSQL has no such
 * lock, so in this case the failure is the timeout (`timeoutFailure`).
 */
const podSilent = (settings: SettingsShape, timeoutFailure: CliFailure): CliFailure =>
  Option.isSome(settings.databaseUrl)
    ? timeoutFailure
    : new CliFailure({
        exit: "conflict",
        code: "DIRECTORY_LOCKED",
        message: `A server uses ${resolve(settings.dataDir)}, but does not answer on its socket.`,
        hint: "Wait longer with `--timeout`, such as `--timeout 2m`, or stop the server and run the command again.",
        retryable: true
      })

/**
 * Makes the failure of the command line for a pod that refuses to start in this process. The failure has the message of
 * the server and the matching exit code.
 */
const refusedStart = (
  { code, mayPass, text }: { readonly code: number; readonly text: string; readonly mayPass?: boolean },
  holder: Option.Option<LockRecord>
): CliFailure => {
  if (code === exitCodes.directoryLocked) {
    const isServer = Option.exists(holder, ({ server }) => server !== undefined)
    return new CliFailure({
      exit: "conflict",
      code: "DIRECTORY_LOCKED",
      message: text,
      hint: isServer
        ? "The pod runs, but has no admin socket here. Call the pod with `--url`, after `pod login`."
        : "If that process is another command, run this command again when it has ended."
    })
  }
  return code === exitCodes.databaseUnreachable
    ? new CliFailure({ exit: "unreachable", code: "DATABASE_UNREACHABLE", message: text, retryable: mayPass !== false })
    : (dataFailureOf(code, text) ?? badConfiguration(text))
}

const inThisProcess = (
  settings: SettingsShape,
  globals: GlobalsShape
): Effect.Effect<LocalPlace, CliFailure, Scope.Scope> =>
  Effect.gen(function* () {
    if (!globals.quiet && globals.output === "table") {
      process.stderr.write("No server runs, so this command opens the database itself.\n")
    }
    const { serveLocally } = yield* Effect.promise(() => import("../LocalServer.ts"))
    const path = yield* Effect.catchAll(serveLocally(settings, globals.timeoutMs), (refused) =>
      Effect.flatMap(lockHolder(settings.dataDir), (holder) => refusedStart(refused, holder))
    )
    return { transport: "process", place: { url: podAddress(settings), socketPath: path } }
  })

/**
 * Finds the socket of the pod that runs on the data directory. If the pod is starting, waits until it serves. Returns
 * undefined if no pod runs. Does not start a pod.
 */
export const findRunningPod = (
  settings: SettingsShape,
  globals: GlobalsShape
): Effect.Effect<CallTarget | undefined, CliFailure> =>
  Effect.gen(function* () {
    const podSocket = join(settings.dataDir, adminSocketName)
    const path = socketPath(podSocket)
    if (isClosedToUser(settings.dataDir)) return yield* foreignDirectory(resolve(settings.dataDir))
    yield* startOrStopEnded(settings, globals)
    if (path === undefined || !existsSync(podSocket)) return undefined
    const place = yield* Effect.either(overSocket(path, globals.timeoutMs))
    if (place._tag === "Right") return place.right
    if (place.left.systemCode === "EACCES") return yield* foreignSocket(resolve(podSocket))
    return place.left.code === "TIMEOUT" ? yield* podSilent(settings, place.left) : undefined
  })

/**
 * Connects to the pod of the data directory. Returns undefined if the directory holds no pod and the settings name no
 * database.
 */
export const connectLocally = (
  settings: SettingsShape,
  globals: GlobalsShape
): Effect.Effect<LocalPlace | undefined, CliFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const running = yield* findRunningPod(settings, globals)
    if (running !== undefined) return { transport: "socket", place: running }
    const hasPod = Option.isSome(settings.databaseUrl) || existsSync(join(settings.dataDir, "pg"))
    return hasPod ? yield* inThisProcess(settings, globals) : undefined
  })
