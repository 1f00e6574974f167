/**
 * Starts the pod of a data directory inside this process, for one command, when no server runs. The pod can be reached
 * only over its admin socket.
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, Layer, type Scope } from "effect"
import { randomUUID } from "node:crypto"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as ConfiguredPod from "./ConfiguredPod.ts"
import * as Logging from "./platform/Logging.ts"
import type { SettingsShape } from "./platform/settings/Settings.ts"
import * as Serve from "./Serve.ts"
import { startFailureOf } from "./StartFailure.ts"
import { StartRefusal } from "./StartRefusal.ts"
import { adminSocketName, socketPath } from "./surfaces/AdminSocket.ts"

const shortEnough = (dataDir: string): string => {
  const usual = join(dataDir, adminSocketName)
  // Only this process uses the socket. So the socket can be in the temporary folder if its usual path is too long.
  return socketPath(`${usual}.${process.pid}`) === undefined
    ? join(tmpdir(), `pod-${randomUUID().slice(0, 8)}.sock`)
    : usual
}

/**
 * Locks the data directory and opens the database until the scope closes. Returns the path of the socket. If another
 * process has locked the directory, the function opens nothing. It then fails with the same error as the start of a
 * second server. The function waits for PostgreSQL at most `waitMs` milliseconds.
 */
export const serveLocally = (
  settings: SettingsShape,
  waitMs: number
): Effect.Effect<string, StartRefusal, Scope.Scope> => {
  const adminSocket = shortEnough(settings.dataDir)
  const served = Serve.layer(settings, undefined, { adminSocket, isSocketOnly: true }).pipe(
    Layer.provide(ConfiguredPod.layer(settings, { waitMs })),
    Layer.provide(NodeFileSystem.layer),
    // stdout is for the data of the command, so the pod logs its errors to stderr.
    Layer.provide(Logging.layer("error", "pretty", (line) => void process.stderr.write(line)))
  )
  return Effect.catchAllCause(Effect.as(Layer.build(served), adminSocket), (cause) =>
    Effect.fail(new StartRefusal(startFailureOf(cause, settings)))
  )
}
