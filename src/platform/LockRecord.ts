/**
 * The record of the process that has locked a data directory. A later process reads the record to find out whether the
 * recorded process still runs.
 */
import { Effect, Option, Schema } from "effect"
import { readFileSync, readlinkSync, statSync } from "node:fs"
import { connect } from "node:net"
import { hostname } from "node:os"
import { dirname, join } from "node:path"
import { codeOf } from "./ErrorCode.ts"

// The time in milliseconds after which a process without a heartbeat counts as ended. The time is long (24 heartbeats),
// because an embedded query can block the event loop for a minute.
const abandonedMs = 120_000

export const LockRecord = Schema.Struct({
  pid: Schema.Int,
  /**
   * The time when the process started, in clock ticks since boot. A later process with the same pid has another start
   * time.
   */
  start: Schema.NullOr(Schema.String),
  /** The id of the running kernel. All containers of a machine have the same kernel. */
  boot: Schema.NullOr(Schema.String),
  /** The pid namespace. In another namespace, the same pid means another process. */
  pidNamespace: Schema.NullOr(Schema.String),
  host: Schema.String,
  /**
   * What the process does with the directory. Absent in a record of an earlier version, and for a process that is no
   * server, such as an export.
   */
  server: Schema.optional(Schema.Literal("starting", "serving", "stopping")),
  /**
   * The name of a socket in the same directory. The process that wrote the record listens on this socket. After this
   * process has ended, the system refuses connections to the socket.
   */
  witness: Schema.NullOr(Schema.String)
})
export type LockRecord = typeof LockRecord.Type

const decode = Schema.decodeUnknownOption(Schema.parseJson(LockRecord))
const attempt = Option.liftThrowable(<A>(read: () => A): A => read())

/**
 * Returns the state and the start of a process, read from `/proc`. Returns none if the platform has no `/proc`, or if
 * it does not show this process.
 */
const processFacts = (pid: number | "self") =>
  Option.map(
    attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8")),
    (line) => {
      // In `/proc/<pid>/stat`, the command in parentheses can contain spaces. The text after the last parenthesis
      // begins with field 3.
      const fields = line.slice(line.lastIndexOf(")") + 2).split(" ")
      return { state: fields[0], start: fields[19] ?? null }
    }
  )

const bootIdentity = (): string | null =>
  Option.getOrNull(attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()))
const pidNamespace = (): string | null => Option.getOrNull(attempt(() => readlinkSync("/proc/self/ns/pid")))

export type ServerPhase = NonNullable<LockRecord["server"]>

/**
 * Makes the record of this process, for the lock of a data directory. `witness` is the name of the socket of this
 * process. It is null if the process has no socket. `server` is undefined if the process is no server.
 */
export const ownRecord = (witness: string | null, server?: ServerPhase): LockRecord => ({
  ...(server === undefined ? {} : { server }),
  pid: process.pid,
  start: Option.match(processFacts("self"), { onNone: () => null, onSome: (facts) => facts.start }),
  boot: bootIdentity(),
  pidNamespace: pidNamespace(),
  host: hostname(),
  witness
})

/** Reads the record at the path. Returns none if the file is missing or incomplete. */
export const readRecord = (path: string): Option.Option<LockRecord> =>
  Option.flatMap(
    attempt(() => readFileSync(path, "utf8")),
    decode
  )

/**
 * Returns true if the process exists. Signal 0 only checks this and does not disturb the process. Every error except
 * ESRCH (no such process) means that the process exists.
 */
const answersSignal = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return codeOf(cause) !== "ESRCH"
  }
}

const isSameProcess = (record: LockRecord): boolean =>
  Option.match(processFacts(record.pid), {
    onNone: () => answersSignal(record.pid),
    // A zombie process no longer has the lock on the directory, because it has already closed its files. It only waits
    // until its parent process reads its exit status.
    onSome: (facts) =>
      facts.state !== "Z" && facts.state !== "X" && (record.start === null || facts.start === record.start)
  })

/**
 * Returns true if a process listens on the socket. The kernel accepts the connection, so this works even while the
 * process is busy with a long query.
 */
const isSocketOpen = (path: string): Effect.Effect<boolean> =>
  Effect.async((resume) => {
    const socket = connect({ path })
    socket.once("connect", () => {
      socket.destroy()
      resume(Effect.succeed(true))
    })
    socket.once("error", (cause: NodeJS.ErrnoException) => {
      socket.destroy()
      resume(Effect.succeed(cause.code !== "ECONNREFUSED" && cause.code !== "ENOENT"))
    })
  })

const hasHeartbeat = (path: string): boolean => {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat !== undefined && Date.now() - stat.mtimeMs < abandonedMs
}

/**
 * Returns true if the process that wrote the record still runs. In the same pid namespace, the function checks the pid.
 * In another pid namespace of the same kernel, it checks the socket. If the machine was started again since the record
 * was written, it returns false. In all other cases, it checks the age of the heartbeat. If the function cannot be sure,
 * it returns true.
 */
export const isLocked = (path: string): Effect.Effect<boolean> =>
  Option.match(readRecord(path), {
    onNone: () => Effect.sync(() => hasHeartbeat(path)),
    onSome: (record) => {
      const sameKernel = record.boot === bootIdentity() && (record.boot !== null || record.host === hostname())
      if (sameKernel && record.pidNamespace === pidNamespace()) return Effect.sync(() => isSameProcess(record))
      if (sameKernel && record.witness !== null) return isSocketOpen(join(dirname(path), record.witness))
      // The machine was started again since the record was written, so the process of the record has ended.
      if (record.host === hostname() && record.boot !== null && !sameKernel) return Effect.succeed(false)
      return Effect.sync(() => hasHeartbeat(path))
    }
  })
