/** `pod doctor`: looks for faults of a pod, on this machine or over the network, also through a proxy. */
import * as Options from "@effect/cli/Options"
import { Effect, Either, Option } from "effect"
import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs"
import { connect as connectSocket } from "node:net"
import { resolve } from "node:path"
import { version } from "../../Version.ts"
import { fieldsOf, textOf } from "../AnswerFields.ts"
import { CliFailure } from "../CliFailure.ts"
import { leaf } from "../CommandTree.ts"
import type { Connection } from "../Connection.ts"
import { type Check, failedCheck, okCheck, warningCheck } from "../DoctorCheck.ts"
import { Globals, startCommand } from "../Globals.ts"
import { Output } from "../Output.ts"
import { PodClient } from "../PodClient.ts"
import { indentedLines } from "../Table.ts"
import { secretUseChecks } from "../SecretUseChecks.ts"
import { wireChecks } from "../WireChecks.ts"

const nodeCheck = (): Check => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  return major > 20 || (major === 20 && minor >= 19)
    ? okCheck("node", process.versions.node)
    : failedCheck("node", `${process.versions.node}; the pod needs 20.19 or later`)
}

/** Compares the version of the pod with the version of this command. */
const versionCheck = (config: unknown): Check => {
  const running = textOf(fieldsOf(config)["version"])
  return running === version
    ? okCheck("pod version", `the pod has version ${version} too`)
    : warningCheck("pod version", `the pod has version ${running}, and this command has version ${version}`)
}

// bytes that must be free, because the embedded database and its log grow by steps of 16 MB
const freeBytesMin = 1_000_000_000

const directoryChecks = (dataDir: string): ReadonlyArray<Check> => {
  const path = resolve(dataDir)
  if (!existsSync(path)) return [warningCheck("data directory", `${path} does not exist yet`)]
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    const { bavail, bsize } = statfsSync(path)
    const free = bavail * bsize
    const mode = statSync(path).mode & 0o077
    return [
      mode === 0
        ? okCheck("data directory", path)
        : warningCheck("data directory", `other users can open ${path}: run chmod 700 ${path}`),
      free < freeBytesMin
        ? warningCheck("disk", `${Math.round(free / 1e6)} MB are free`)
        : okCheck("disk", `${Math.round(free / 1e9)} GB are free`)
    ]
  } catch {
    return [failedCheck("data directory", `${path} cannot be read and written by this user`)]
  }
}

// the width of the column with the names of the checks
const nameWidth = 15

/** Tells whether a program listens on a port of this machine. */
const isListening = (port: number) =>
  Effect.async<boolean>((resume) => {
    const socket = connectSocket({ host: "localhost", port })
    socket.once("connect", () => {
      socket.destroy()
      resume(Effect.succeed(true))
    })
    socket.once("error", () => resume(Effect.succeed(false)))
  })

const portOf = (url: string): number => {
  const { port, protocol } = new URL(url)
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port)
}

/** Checks that the port is free if no pod runs, or that the running pod listens on it. */
const portCheck = (port: number, isRunning: boolean) =>
  Effect.map(isListening(port), (isTaken): Check => {
    if (isTaken) {
      return isRunning
        ? okCheck("port", `the pod listens on port ${port}`)
        : failedCheck("port", `another program listens on port ${port}: set POD_PORT`)
    }
    return isRunning
      ? failedCheck("port", `nothing answers on port ${port} of this machine: check POD_HOST and POD_PORT`)
      : okCheck("port", `port ${port} is free`)
  })

/** Makes a key that can only connect to `/mcp`. It ends by itself if this command is killed before it revokes the key. */
const makeMcpKey = Effect.flatMap(PodClient, ({ procedure }) =>
  Effect.map(
    procedure("apiKeys.create", {
      keyName: "pod doctor",
      scope: ["mcp.read"],
      grant: { permissions: ["project.read"] },
      expiresInDays: 1
    }),
    ({ data }) => ({ id: textOf(fieldsOf(data)["id"]), key: textOf(fieldsOf(data)["key"]) })
  )
)

const revokeMcpKey = ({ id }: { readonly id: string }) =>
  Effect.flatMap(PodClient, ({ procedure }) =>
    procedure("apiKeys.revoke", { keyId: id, reason: "The check of the MCP handshake is done." })
  ).pipe(Effect.ignore)

export const doctor = leaf(
  "doctor",
  {
    summary:
      "Look for faults on this machine, in the pod and in the network between them, and print a report that you can paste into an issue.",
    examples: ["pod doctor", "pod doctor --mcp", "pod doctor --url https://pod.example.com", "pod doctor --json"]
  },
  {
    mcp: Options.boolean("mcp").pipe(
      Options.withDescription("Make the MCP handshake with a new key that may read nothing else, and revoke this key.")
    )
  },
  Effect.fnUntraced(function* ({ mcp }) {
    const globals = yield* Globals
    const output = yield* Output
    const checks: Array<Check> = [okCheck("version", `this command has version ${version}`), nodeCheck()]
    let over: Connection | undefined
    if (globals.url === undefined) {
      const local = yield* Effect.promise(() => import("../LocalPod.ts"))
      const settings = yield* Effect.either(local.localSettings(globals))
      if (Either.isLeft(settings)) checks.push(failedCheck("settings", settings.left.message))
      else checks.push(okCheck("settings", "in order"), ...directoryChecks(settings.right.dataDir))
      const connection = yield* Effect.either((yield* PodClient).connection)
      if (Either.isLeft(connection)) {
        // If the settings are wrong, their failure is already in the list of checks.
        if (Either.isRight(settings)) checks.push(failedCheck("pod", connection.left.message))
      } else if (connection.right.transport === "process") {
        checks.push(okCheck("database", "the database opens, and its schema is up to date"))
        checks.push(yield* portCheck(portOf(connection.right.place.url), false))
        checks.push(failedCheck("pod", `no server runs: start it with ${startCommand(globals)}`))
      } else {
        over = connection.right
        // Behind a proxy the address of the pod is the address of the proxy, so the settings name the port of the pod.
        const isBehindProxy = Either.isRight(settings) && Option.isSome(settings.right.publicUrl)
        const port = isBehindProxy ? settings.right.port : portOf(over.place.url)
        if (over.transport === "socket" && port !== 0) checks.push(yield* portCheck(port, true))
      }
    } else over = yield* (yield* PodClient).connection
    if (over !== undefined) {
      const connection = over
      checks.push(
        ...(mcp && !over.isKey
          ? yield* Effect.acquireUseRelease(
              makeMcpKey,
              ({ key }) => wireChecks(connection, globals.timeoutMs, key),
              revokeMcpKey
            )
          : yield* wireChecks(over, globals.timeoutMs))
      )
      const config = yield* Effect.either((yield* PodClient).request("GET", "/api/hub/pod/config"))
      if (Either.isRight(config)) checks.push(versionCheck(config.right.data))
      const reports = yield* Effect.either((yield* PodClient).procedure("health.secrets"))
      if (Either.isRight(reports)) checks.push(...secretUseChecks(reports.right.data))
    }
    const marks = { ok: output.paint.green("✓"), warning: output.paint.yellow("!"), failed: output.paint.red("✗") }
    output.data(checks, {
      text: (all, columns) =>
        all
          .flatMap(({ detail, name, state }) =>
            indentedLines(`${marks[state]} ${name.padEnd(nameWidth)} `, detail, columns, nameWidth + 3)
          )
          .join("\n")
    })
    const wrong = checks.filter(({ state }) => state === "failed")
    if (wrong.length === 0) return
    return yield* new CliFailure({
      // The command finds a pod on this machine through the settings. So wrong settings are the cause, even if the
      // check of the pod has failed too.
      exit: wrong.some(({ name }) => name === "settings")
        ? "badConfiguration"
        : wrong.some(({ name }) => name === "pod")
          ? "unreachable"
          : "unexpected",
      code: "UNHEALTHY",
      message: `${wrong.length} of ${checks.length} checks failed: ${wrong.map(({ name }) => name).join(", ")}.`
    })
  })
)
