/** Starts the pod of a data directory in this process, reachable only over its admin socket, for a command while no server runs. */
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
  // Only this process uses the socket, so a long data directory need not keep it.
  return socketPath(`${usual}.${process.pid}`) === undefined
    ? join(tmpdir(), `pod-${randomUUID().slice(0, 8)}.sock`)
    : usual
}

/**
 * Opens the database under the lock of the directory, until the scope closes. Returns the path of the socket. Nothing opens
 * while another process holds the directory: this fails with the same refusal as a second server.
 */
export const serveLocally = (settings: SettingsShape): Effect.Effect<string, StartRefusal, Scope.Scope> => {
  const adminSocket = shortEnough(settings.dataDir)
  const served = Serve.layer(settings, undefined, { adminSocket, isSocketOnly: true }).pipe(
    Layer.provide(ConfiguredPod.layer(settings)),
    Layer.provide(NodeFileSystem.layer),
    // The data goes to stdout, so the log of the pod goes to stderr, and only if something is wrong.
    Layer.provide(Logging.layer("error", "pretty", (line) => void process.stderr.write(line)))
  )
  return Effect.catchAllCause(Effect.as(Layer.build(served), adminSocket), (cause) =>
    Effect.fail(new StartRefusal(startFailureOf(cause, settings)))
  )
}
