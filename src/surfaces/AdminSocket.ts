/**
 * The socket in the data directory over which the operator of the machine calls the pod. Its file mode is the
 * credential, because a user who may connect may also read the database and the secrets of the pod.
 */
import { Effect, type Scope } from "effect"
import { chmodSync, lstatSync, renameSync, rmSync } from "node:fs"
import type { Server as NodeServer } from "node:http"
import { connect } from "node:net"
import { relative, resolve } from "node:path"

export const adminSocketName = "admin.sock"

/** The header in which an answer over the socket says where the pod listens for everybody. */
export const addressHeader = "x-pod-address"

const pathMax = process.platform === "linux" ? 107 : 103 // bytes that the kernel takes, without the zero at the end

/** The shorter way to write a path from here; undefined if even that is too long for a socket. */
export const socketPath = (path: string): string | undefined => {
  const ways = [resolve(path), relative("", path)].filter((way) => Buffer.byteLength(way) <= pathMax)
  return ways.sort((one, other) => Buffer.byteLength(one) - Buffer.byteLength(other))[0]
}

/** Whether a process answers at the socket. A file that nobody listens to is left of a pod that was killed. */
const isAnswered = (path: string): Effect.Effect<boolean> =>
  Effect.async<boolean>((resume) => {
    const socket = connect({ path })
    const done = (is: boolean) => {
      socket.destroy()
      resume(Effect.succeed(is))
    }
    socket.once("connect", () => done(true)).once("error", () => done(false))
    return Effect.sync(() => socket.destroy())
  })

const inodeOf = (path: string): bigint | undefined => lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino

/** Listens under a name of its own, and takes the known name only when the file has its mode. */
const bind = (server: NodeServer, path: string): Effect.Effect<bigint | undefined, NodeJS.ErrnoException> =>
  Effect.async<bigint | undefined, NodeJS.ErrnoException>((resume) => {
    const draft = `${path}.${process.pid}`
    const failed = (cause: NodeJS.ErrnoException) => resume(Effect.fail(cause))
    server.once("error", failed)
    // The file gets its mode while it is made, so that there is no moment in which others may connect.
    const before = process.umask(0o177)
    try {
      rmSync(draft, { force: true })
      server.listen({ path: draft, exclusive: true }, () => {
        try {
          chmodSync(draft, 0o600)
          renameSync(draft, path)
          resume(Effect.succeed(inodeOf(path)))
        } catch (cause) {
          failed(cause as NodeJS.ErrnoException) // only system calls can fail here
        }
      })
    } finally {
      process.umask(before)
    }
  })

/**
 * Listens, and removes the file when the scope closes; the server itself is closed by its maker. A pod that cannot have a socket says so in the
 * log and serves without it. The lock on the data directory is held, so a file that nobody answers at is stale; with
 * PostgreSQL there is no lock, and a socket that somebody answers at belongs to another pod.
 */
export const listenOnSocket = (server: NodeServer, wanted: string): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const path = socketPath(`${wanted}.${process.pid}`) === undefined ? undefined : socketPath(wanted)
    if (path === undefined) {
      return yield* Effect.logWarning(
        `The pod has no admin socket: ${resolve(wanted)} is longer than the ${pathMax} bytes of a socket path. Use a shorter POD_DATA_DIR.`
      )
    }
    if (yield* isAnswered(path)) {
      return yield* Effect.logWarning(`The pod has no admin socket: another pod answers at ${path}.`)
    }
    yield* Effect.acquireRelease(
      Effect.catchAll(bind(server, path), (cause) =>
        Effect.as(Effect.logWarning(`The pod has no admin socket: ${path} cannot be made (${cause.code}).`), undefined)
      ),
      // Another pod may have put its own socket there meanwhile.
      (inode) =>
        Effect.sync(() => (inode !== undefined && inodeOf(path) === inode ? rmSync(path, { force: true }) : undefined))
    )
  })
