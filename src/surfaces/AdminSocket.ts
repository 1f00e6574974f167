/**
 * The socket in the data directory over which the operator of the machine calls the pod. It needs no key. Only a user
 * who may open the socket file can connect, and this user may also read the database and the secrets of the pod.
 */
import { Effect, type Scope } from "effect"
import { chmodSync, lstatSync, renameSync, rmSync } from "node:fs"
import type { Server as NodeServer } from "node:http"
import { connect } from "node:net"
import { relative, resolve } from "node:path"

export const adminSocketName = "admin.sock"

/** The header of an answer over the socket with the public address on which the pod listens. */
export const addressHeader = "x-pod-address"

const pathMax = process.platform === "linux" ? 107 : 103 // bytes of a path that the kernel accepts, without the zero at the end

/**
 * The path of the socket: the shorter of the absolute path and the path relative to the working directory. Undefined if
 * both paths are too long for a socket.
 */
export const socketPath = (path: string): string | undefined => {
  const ways = [resolve(path), relative("", path)].filter((way) => Buffer.byteLength(way) <= pathMax)
  return ways.sort((one, other) => Buffer.byteLength(one) - Buffer.byteLength(other))[0]
}

/** Whether a process listens on the socket. If no process listens, the file is left from a pod that was killed. */
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

/** Listens on a file with a temporary name, sets the mode of the file, and then gives the file its final name. */
const bind = (server: NodeServer, path: string): Effect.Effect<bigint | undefined, NodeJS.ErrnoException> =>
  Effect.async<bigint | undefined, NodeJS.ErrnoException>((resume) => {
    const draft = `${path}.${process.pid}`
    const failed = (cause: NodeJS.ErrnoException) => resume(Effect.fail(cause))
    server.once("error", failed)
    // With this umask the file has mode 0600 from the moment when it is made, so other users can never connect.
    const before = process.umask(0o177)
    try {
      rmSync(draft, { force: true })
      server.listen({ path: draft, exclusive: true }, () => {
        try {
          chmodSync(draft, 0o600)
          renameSync(draft, path)
          resume(Effect.succeed(inodeOf(path)))
        } catch (cause) {
          failed(cause as NodeJS.ErrnoException) // only system calls can fail in this block
        }
      })
    } finally {
      process.umask(before)
    }
  })

/**
 * Listens on the socket, and removes its file when the scope closes. The code that made the server closes the server.
 * If the socket cannot be made, the failure is logged and the pod works without the socket. With the embedded database
 * the data directory is locked, so a file without a listener is old. With PostgreSQL there is no lock, so a socket that
 * answers belongs to another pod.
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
      // Another pod may have replaced the file by its own socket. Then the file stays.
      (inode) =>
        Effect.sync(() => (inode !== undefined && inodeOf(path) === inode ? rmSync(path, { force: true }) : undefined))
    )
  })
