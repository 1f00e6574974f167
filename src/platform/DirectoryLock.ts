/**
 * The lock on the directory of the embedded database. PGlite has no lock of its own. If two processes used one
 * directory, rows would be lost.
 */
import { Effect, ExecutionStrategy, Exit, Option, Schedule, Schema, Scope } from "effect"
import { randomUUID } from "node:crypto"
import { linkSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { connect, createServer } from "node:net"
import type { Server } from "node:net"
import { join } from "node:path"
import { isLocked, type LockRecord, ownRecord, readRecord, type ServerPhase } from "./LockRecord.ts"
import { codeOf } from "./ErrorCode.ts"

const heartbeat = "5 seconds"
// How long the pod waits until the process that holds the lock tells its pid. A short wait is enough, because the lock
// record usually contains the pid as well.
const answerWithin = "1 second"
// the maximum number of bytes of the path of a socket; the limit of the kernel is 108 on Linux and 104 on macOS
const socketPathMax = 100
const recordName = /^pod\.lock\.(\d+)$/

export class DirectoryLocked extends Schema.TaggedError<DirectoryLocked>()("DirectoryLocked", {
  pid: Schema.UndefinedOr(Schema.Int),
  dataDir: Schema.String,
  message: Schema.String
}) {}

const directoryLocked = (
  dataDir: string,
  pid: number | undefined,
  record?: { readonly path: string; readonly host: string }
) => {
  const holder = pid === undefined ? "another process" : `process ${pid}`
  const place = record === undefined ? "" : ` on ${record.host}`
  const lastResort =
    record === undefined ? "" : `, or delete ${record.path} if you are certain that this process is gone`
  const message = `The data directory ${dataDir} is in use by ${holder}${place}: stop this process, use another directory${lastResort}.`
  return new DirectoryLocked({ pid, dataDir, message })
}

/**
 * Listens on a local socket until the scope closes, and sends the pid of this process to every client. Returns None if
 * the address is in use.
 */
const listenOnSocket = (path: string): Effect.Effect<Option.Option<Server>, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<Option.Option<Server>>((resume) => {
      const server = createServer((socket) => {
        // A client that disconnects before the answer must not disturb the process that holds the lock.
        socket.on("error", () => undefined)
        socket.end(String(process.pid))
      })
      server.once("error", (cause: NodeJS.ErrnoException) =>
        resume(cause.code === "EADDRINUSE" ? Effect.succeedNone : Effect.die(cause))
      )
      // The socket is exclusive. Otherwise a cluster worker would share the listener of another worker and would not be
      // refused.
      server.listen({ path, exclusive: true }, () => {
        server.unref()
        resume(Effect.succeedSome(server))
      })
    }),
    Option.match({
      onNone: () => Effect.void,
      onSome: (server) => Effect.async<void>((resume) => void server.close(() => resume(Effect.void)))
    })
  )

const askPid = (path: string): Effect.Effect<number | undefined> =>
  Effect.async<number | undefined>((resume) => {
    let answer = ""
    const socket = connect({ path })
    const done = () => {
      socket.destroy()
      const pid = Number(answer)
      resume(Effect.succeed(Number.isInteger(pid) && pid > 0 ? pid : undefined))
    }
    socket.on("data", (chunk: Buffer) => (answer += chunk.toString()))
    socket.once("end", done).once("error", done)
    return Effect.sync(() => socket.destroy())
  }).pipe(Effect.timeoutTo({ duration: answerWithin, onTimeout: () => undefined, onSuccess: (pid) => pid }))

/** Returns the lock records in the directory. The record with the highest generation number comes first. */
const records = (dataDir: string): ReadonlyArray<{ readonly path: string; readonly generation: number }> =>
  readdirSync(dataDir)
    .flatMap((name) => {
      const generation = recordName.exec(name)?.[1]
      return generation === undefined ? [] : [{ path: join(dataDir, name), generation: Number(generation) }]
    })
    .sort((left, right) => right.generation - left.generation)

const findLiveRecord = (dataDir: string, except?: string) =>
  Effect.findFirst(
    records(dataDir).filter(({ path }) => path !== except),
    ({ path }) => isLocked(path)
  )

const lockedBy = (dataDir: string, path: string): DirectoryLocked =>
  Option.match(readRecord(path), {
    onNone: () => directoryLocked(dataDir, undefined),
    onSome: ({ pid, host }) => directoryLocked(dataDir, pid, { path, host })
  })

/**
 * Creates the file with its whole content. Returns false if the file exists. Writes a draft first and then makes a hard
 * link to the draft. So nobody ever sees a partly written file.
 */
const createExclusively = (path: string, content: string): boolean => {
  const draft = `${path}.${randomUUID()}`
  try {
    writeFileSync(draft, content, { flag: "wx", mode: 0o600 })
    linkSync(draft, path)
    return true
  } catch (cause) {
    if (codeOf(cause) === "EEXIST") return false
    throw cause
  } finally {
    rmSync(draft, { force: true })
  }
}

const removeDead = (dataDir: string, own: string): void => {
  for (const { path } of records(dataDir)) {
    if (path === own) continue
    const witness = Option.flatMapNullable(readRecord(path), (record) => record.witness)
    if (Option.isSome(witness)) rmSync(join(dataDir, witness.value), { force: true })
    rmSync(path, { force: true })
  }
}

/**
 * Writes the lock record with the next generation number. Each number can be taken by only one process. The function
 * never replaces the record of an ended process, because another process might have just written a new record with the
 * same name. Another process might have taken the lock in the meantime. So the function writes its own record, and then
 * looks again for records of other running processes. At most one process continues.
 */
const publish = (dataDir: string, content: string): Effect.Effect<string, DirectoryLocked> =>
  Effect.gen(function* () {
    const before = yield* findLiveRecord(dataDir)
    if (Option.isSome(before)) return yield* lockedBy(dataDir, before.value.path)
    const own = join(dataDir, `pod.lock.${(records(dataDir)[0]?.generation ?? 0) + 1}`)
    if (!createExclusively(own, content)) return yield* publish(dataDir, content)
    const after = yield* findLiveRecord(dataDir, own)
    if (Option.isSome(after)) {
      const refusal = lockedBy(dataDir, after.value.path)
      rmSync(own, { force: true })
      return yield* refusal
    }
    removeDead(dataDir, own)
    return own
  })

/**
 * Takes the lock for the processes in one network namespace, by listening on an abstract socket. This is atomic, and
 * the system releases the lock when the process ends.
 */
const takeAbstractSocket = (dataDir: string): Effect.Effect<void, DirectoryLocked, Scope.Scope> =>
  Effect.gen(function* () {
    if (process.platform !== "linux") return
    const { dev, ino } = statSync(dataDir, { bigint: true })
    const address = `\0pod-data-${dev}-${ino}`
    if (Option.isSome(yield* listenOnSocket(address))) return
    const liveRecord = yield* findLiveRecord(dataDir)
    // If this process and the holder of the lock started at the same time, the holder might not have written its record
    // yet. But the holder already listens on its socket, and sends its pid to this process over the socket.
    return yield* Option.isSome(liveRecord)
      ? lockedBy(dataDir, liveRecord.value.path)
      : directoryLocked(dataDir, yield* askPid(address))
  })

/**
 * Opens a socket in the directory. Processes of other network namespaces cannot see the abstract socket, but they can
 * connect to this socket.
 */
const openWitness = (dataDir: string): Effect.Effect<string | null, never, Scope.Scope> => {
  const name = `pod.lock.${randomUUID().slice(0, 8)}.sock`
  const path = join(dataDir, name)
  if (process.platform !== "linux" || Buffer.byteLength(path) > socketPathMax) return Effect.succeed(null)
  return listenOnSocket(path).pipe(
    Effect.map(Option.match({ onNone: () => null, onSome: () => name })),
    // Some shared folders cannot contain a socket. Other processes then check the heartbeat of the process that holds
    // the lock.
    Effect.catchAllDefect(() => Effect.succeed(null))
  )
}

const take = (dataDir: string, server: ServerPhase | undefined): Effect.Effect<void, DirectoryLocked, Scope.Scope> =>
  Effect.gen(function* () {
    yield* takeAbstractSocket(dataDir)
    const witness = yield* openWitness(dataDir)
    const content = JSON.stringify(ownRecord(witness, server))
    const path = yield* Effect.acquireRelease(publish(dataDir, content), (own) =>
      Effect.sync(() => rmSync(own, { force: true }))
    )
    yield* Effect.sync(() => utimesSync(path, new Date(), new Date())).pipe(
      Effect.catchAllDefect(() => Effect.logWarning(`the lock ${path} is gone: was it deleted by hand?`)),
      Effect.repeat(Schedule.spaced(heartbeat)),
      Effect.forkScoped
    )
  })

/**
 * Holds the lock on the directory until the scope closes. Fails with `DirectoryLocked` while another running process
 * holds the lock. After that process has ended, the function takes the lock at once. If only a missing heartbeat can show
 * the end (`LockRecord.ts`), the lock can be taken two minutes after the end. `server` says that this process is a
 * server, so that commands know that the pod is starting.
 */
export const acquire = (dataDir: string, server?: ServerPhase): Effect.Effect<void, DirectoryLocked, Scope.Scope> =>
  Effect.gen(function* () {
    const lockScope = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential)
    yield* take(dataDir, server).pipe(
      Scope.extend(lockScope),
      Effect.onError((cause) => Scope.close(lockScope, Exit.failCause(cause)))
    )
  }).pipe(Effect.withSpan("DirectoryLock.acquire"))

/** Writes into the lock record of this process what its server does now. */
export const notePhase = (dataDir: string, server: ServerPhase): Effect.Effect<void> =>
  Effect.sync(() => {
    // In containers, processes of different hosts can have the same id.
    const { host, pid, pidNamespace } = ownRecord(null)
    const own = records(dataDir).find(({ path }) =>
      Option.exists(
        readRecord(path),
        (record) => record.pid === pid && record.host === host && record.pidNamespace === pidNamespace
      )
    )
    const record = own === undefined ? Option.none() : readRecord(own.path)
    if (own === undefined || Option.isNone(record)) return
    const draft = `${own.path}.${randomUUID()}`
    writeFileSync(draft, JSON.stringify({ ...record.value, server }), { flag: "wx", mode: 0o600 })
    renameSync(draft, own.path)
  }).pipe(
    // Only commands read the phase, so a full disk must not stop the pod here.
    Effect.catchAllDefect((cause) => Effect.logDebug("the phase of the pod was not noted", cause))
  )

/** Returns the record of the process that holds the lock on the directory. Returns none if no process holds it. */
export const lockHolder = (dataDir: string): Effect.Effect<Option.Option<LockRecord>> =>
  Effect.suspend(() => findLiveRecord(dataDir)).pipe(
    Effect.map(Option.flatMap(({ path }) => readRecord(path))),
    // the directory does not exist, or a record has just been removed
    Effect.catchAllDefect(() => Effect.succeedNone)
  )
