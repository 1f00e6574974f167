/** `pod doctor`: looks for faults of a pod, on this machine or over the network, also through a proxy. */
import { Effect, Either } from "effect"
import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs"
import { connect as connectSocket } from "node:net"
import { resolve } from "node:path"
import { CliFailure } from "../CliFailure.ts"
import { leaf } from "../CommandTree.ts"
import type { Connection } from "../Connection.ts"
import { type Check, failed, ok, warning } from "../DoctorCheck.ts"
import { Globals } from "../Globals.ts"
import { Output } from "../Output.ts"
import { PodClient } from "../PodClient.ts"
import { secretUseChecks } from "../SecretUseChecks.ts"
import { wireChecks } from "../WireChecks.ts"

const nodeCheck = (): Check => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  return major > 20 || (major === 20 && minor >= 19)
    ? ok("node", process.versions.node)
    : failed("node", `${process.versions.node}; the pod needs 20.19 or later`)
}

// bytes that must be free, because the embedded database and its log grow by steps of 16 MB
const spaceLeast = 1_000_000_000

const directoryChecks = (dataDir: string): ReadonlyArray<Check> => {
  const path = resolve(dataDir)
  if (!existsSync(path)) return [warning("data directory", `${path} does not exist yet`)]
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    const { bavail, bsize } = statfsSync(path)
    const free = bavail * bsize
    const mode = statSync(path).mode & 0o077
    return [
      mode === 0
        ? ok("data directory", path)
        : warning("data directory", `other users can open ${path}: run chmod 700 ${path}`),
      free < spaceLeast
        ? warning("disk", `${Math.round(free / 1e6)} MB are free`)
        : ok("disk", `${Math.round(free / 1e9)} GB are free`)
    ]
  } catch {
    return [failed("data directory", `${path} cannot be read and written by this user`)]
  }
}

/** Checks whether the port of the pod is free on this machine. */
const portCheck = (url: string) =>
  Effect.async<Check>((resume) => {
    const { port } = new URL(url)
    const socket = connectSocket({ host: "localhost", port: Number(port === "" ? 80 : port) })
    socket.once("connect", () => {
      socket.destroy()
      resume(Effect.succeed(failed("port", `another program listens on port ${socket.remotePort}: set POD_PORT`)))
    })
    socket.once("error", () => resume(Effect.succeed(ok("port", `port ${port} is free`))))
  })

export const doctor = leaf(
  "doctor",
  {
    summary:
      "Look for faults on this machine, in the pod and in the network between them, and print a report that you can paste into an issue.",
    examples: ["pod doctor", "pod doctor --url https://pod.example.com", "pod doctor --json"]
  },
  {},
  Effect.fnUntraced(function* () {
    const globals = yield* Globals
    const output = yield* Output
    const checks: Array<Check> = [nodeCheck()]
    let over: Connection | undefined
    if (globals.url === undefined) {
      const local = yield* Effect.promise(() => import("../LocalPod.ts"))
      const settings = yield* Effect.either(local.localSettings(globals))
      if (Either.isLeft(settings)) checks.push(failed("settings", settings.left.message))
      else checks.push(ok("settings", "in order"), ...directoryChecks(settings.right.dataDir))
      const connection = yield* Effect.either((yield* PodClient).connection)
      if (Either.isLeft(connection)) {
        // If the settings are wrong, their failure is already in the list of checks.
        if (Either.isRight(settings)) checks.push(failed("pod", connection.left.message))
      } else if (connection.right.way === "process") {
        checks.push(ok("database", "the database opens, and its schema is up to date"))
        checks.push(yield* portCheck(connection.right.place.url))
        checks.push(failed("pod", "no server runs: start it with pod start"))
      } else over = connection.right
    } else over = yield* (yield* PodClient).connection
    if (over !== undefined) {
      checks.push(...(yield* wireChecks(over, globals.timeoutMs)))
      const reports = yield* Effect.either((yield* PodClient).procedure("health.secrets"))
      if (Either.isRight(reports)) checks.push(...secretUseChecks(reports.right.data))
    }
    const marks = { ok: output.paint.green("✓"), warning: output.paint.yellow("!"), failed: output.paint.red("✗") }
    output.data(checks, {
      text: (all) => all.map(({ detail, name, state }) => `${marks[state]} ${name.padEnd(15)} ${detail}`).join("\n")
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
