/**
 * The socket file in the data directory. The local operator calls the pod over this socket, without a key.
 * Only a user with access to the socket file can connect, and this user can also read the database and the secrets of
 * the pod.
 */
import { Effect, type Scope } from "effect"
import { chmodSync, lstatSync, renameSync, rmSync } from "node:fs"
import type { Server as NodeServer } from "node:http"
import { connect } from "node:net"
import { relative, resolve } from "node:path"

export const adminSocketName = "admin.sock"

/** A header of every answer over the socket. Its value is the public address of the pod. */
export const addressHeader = "x-pod-address"

// The kernel accepts a path of at most this many bytes, without the zero byte at the end.
const pathMax = process.platform === "linux" ? 107 : 103

/**
 * Returns the path of the socket: the shorter of the absolute path and the path relative to the working directory.
 * Returns undefined if both paths are too long for a socket.
 */
export const socketPath = (path: string): string | undefined => {
  const ways = [resolve(path), relative("", path)].filter((way) => Buffer.byteLength(way) <= pathMax)
  return ways.sort((one, other) => Buffer.byteLength(one) - Buffer.byteLength(other))[0]
}

/** True if a process listens on the socket. If no process listens, a pod that was killed has left the file. */
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

/**
 * Listens on a file with a temporary name, sets the mode of the file, and then gives the file its final name. Returns
 * the inode of the file.
 */
const bind = (server: NodeServer, path: string): Effect.Effect<bigint | undefined, NodeJS.ErrnoException> =>
  Effect.async<bigint | undefined, NodeJS.ErrnoException>((resume) => {
    const draft = `${path}.${process.pid}`
    const failed = (cause: NodeJS.ErrnoException) => resume(Effect.fail(cause))
    server.once("error", failed)
    // With this umask, the file has mode 0600 from the start, so other users can never connect.
    const before = process.umask(0o177)
    try {
      rmSync(draft, { force: true })
      server.listen({ path: draft, exclusive: true }, () => {
        try {
          chmodSync(draft, 0o600)
          renameSync(draft, path)
          resume(Effect.succeed(inodeOf(path)))
        } catch (cause) {
          // Only system calls can fail in this block, so the cast is safe.
          failed(cause as NodeJS.ErrnoException)
        }
      })
    } finally {
      process.umask(before)
    }
  })

/**
 * Listens on the socket, and removes the socket file when the scope closes. This function does not close the server
 * itself. If a process answers at this path, it is another node with the same data directory, which is possible with
 * PostgreSQL. This node then runs without the socket. If the file exists and no process answers, a process that has
 * ended left the file, and this node replaces it. If the socket cannot be made, the pod logs the failure and runs
 * without the socket.
 */
export const listenOnSocket = (server: NodeServer, requestedPath: string): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const path = socketPath(`${requestedPath}.${process.pid}`) === undefined ? undefined : socketPath(requestedPath)
    if (path === undefined) {
      return yield* Effect.logWarning(
        `The pod has no admin socket: ${resolve(requestedPath)} is longer than the ${pathMax} bytes of a socket path. Use a shorter POD_DATA_DIR.`
      )
    }
    if (yield* isAnswered(path)) {
      return yield* Effect.logWarning(
        `This process has no admin socket: another process of the pod answers at ${path}.`
      )
    }
    yield* Effect.acquireRelease(
      Effect.catchAll(bind(server, path), (cause) =>
        Effect.as(Effect.logWarning(`The pod has no admin socket: ${path} cannot be made (${cause.code}).`), undefined)
      ),
      // If another node has put its own socket file at this path, this node does not remove that file.
      (inode) =>
        Effect.sync(() => (inode !== undefined && inodeOf(path) === inode ? rmSync(path, { force: true }) : undefined))
    )
  })
