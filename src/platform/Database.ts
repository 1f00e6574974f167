/** The database as the pod uses it: one SQL client, one pool, and the differences between the two engines. */
import { SqlError } from "@effect/sql"
import { Context, Data, Effect, Layer, Stream } from "effect"
import pg from "pg"
import { countDrains, type DrainCount } from "./DrainCount.ts"
import type { Owner } from "./Migrations.ts"
import { LimitedQuery } from "./ResultSize.ts"
import { rowTypes } from "./RowTypes.ts"
import { codeOf } from "./ErrorCode.ts"

/** A signal that tells another node to remove an entry, such as a revoked credential, from its caches. */
export interface CacheSignal {
  readonly kind: "revoked" | "changed"
  readonly id: string
}

export class Database extends Context.Tag("pod/Database")<
  Database,
  {
    readonly engine: "embedded" | "postgres"
    /**
     * What an acknowledged write survives. `process`: the end of the process. `wal-sync`: also a power loss. Null for a
     * PostgreSQL server, because the server decides this, and null for a database in memory.
     */
    readonly durability: "process" | "wal-sync" | null
    /**
     * The connection pool of the SQL client. The sign-in library uses the pool too. The connections have the rights of
     * the role `pod_app`.
     */
    readonly pool: pg.Pool
    /** The folder of the embedded database; undefined for a database in memory. */
    readonly folder: string | undefined
    /**
     * Does work with the rights of the owner of the database. Row-level security does not apply to this owner. Use it
     * only for the database as a whole, never for a call. On the embedded engine nothing else runs at the same time, so
     * the work must be short.
     */
    readonly asOwner: <A>(work: (owner: Owner) => Promise<A>) => Effect.Effect<A, SqlError.SqlError>
    /** A small query that fails if the database does not answer. */
    readonly ping: Effect.Effect<void, SqlError.SqlError>
    /**
     * Fails if the database cannot store anything now, even if it answers reads. The result is remembered for some
     * seconds, so frequent checks cost little.
     */
    readonly writable: Effect.Effect<void, SqlError.SqlError>
    /**
     * Returns when every transaction of a node that began before this call has ended. After that, no transaction can
     * commit work that it based on the state before this call. The wait takes at most some seconds, because a
     * transaction that hangs is terminated. Fails if an earlier transaction could still commit.
     */
    readonly drained: Effect.Effect<void, SqlError.SqlError>
    /**
     * The number of statements and transactions that wait: for the turn of their credential (credentials share the pool
     * fairly), for a connection of the pool, or for an earlier statement on a lane.
     */
    readonly waiting: () => number
    /** How often and how long `drained` has waited in this process. */
    readonly drains: () => DrainCount
    /**
     * Sends a signal to the other nodes. A signal only makes the nodes react sooner. The pod is correct even if no
     * signal arrives.
     */
    readonly notify: (signal: CacheSignal) => Effect.Effect<void>
    /**
     * The signals of other nodes. The stream never ends. Signals are lost while the connection of the listener is down.
     */
    readonly signals: Stream.Stream<CacheSignal>
  }
>() {
  /** The database of a pod whose stores are in memory. It is always available, and there are no other nodes. */
  static readonly layerMemory = Layer.sync(this, () => ({
    engine: "embedded" as const,
    durability: null,
    pool: new pg.Pool({ max: 1 }),
    folder: undefined,
    asOwner: () => Effect.dieMessage("a database in memory has no owner"),
    ping: Effect.void,
    writable: Effect.void,
    waiting: () => 0,
    ...countDrains(Effect.void),
    notify: () => Effect.void,
    signals: Stream.never
  }))
}

/**
 * Returns the SQLSTATE of a failed statement. Returns undefined if the connection failed. Some error codes of the
 * system, such as `EPIPE`, have the form of a SQLSTATE. The function recognizes these codes by the E at the beginning,
 * because no SQLSTATE of PostgreSQL begins with an E.
 */
export const sqlStateOf = (error: SqlError.SqlError): string | undefined => {
  const code = codeOf(error.cause)
  return code !== undefined && /^(?!E)[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** The defect of a write in memory, if another row already has the same unique fields as the written row. */
export class DuplicateRow extends Data.TaggedError("DuplicateRow")<{ readonly table: string }> {}

/** Returns true if a statement failed because another row has the same unique key. */
export const isUniqueViolation = (defect: unknown): boolean =>
  defect instanceof DuplicateRow || (defect instanceof SqlError.SqlError && sqlStateOf(defect) === "23505")

/** The reasons for which a database cannot store anything, even if it answers reads. */
export type WriteFault = "diskFull" | "readOnly"

/**
 * `cancelled`: the statement timeout ended the statement. The driver also cancels the statements of an interrupted
 * caller, but then nobody waits for the results.
 */
export const sqlStates = { diskFull: "53100", readOnly: "25006", cancelled: "57014" } as const satisfies Record<
  WriteFault | "cancelled",
  string
>

export const writeFaultOf = (error: SqlError.SqlError): WriteFault | undefined => {
  const state = sqlStateOf(error)
  if (state === sqlStates.diskFull) return "diskFull"
  return state === sqlStates.readOnly ? "readOnly" : undefined
}

/**
 * What the pod can do about a failed statement.
 * - `retry`: a serialization failure or a deadlock; nothing was committed.
 * - `unavailable`: there is no connection, or the server shuts down, lacks disk space, memory or connections, cannot
 *   read its files, accepts no writes, or cancelled the statement.
 * - `broken`: a mistake of the pod.
 */
export const classify = (error: SqlError.SqlError): "retry" | "unavailable" | "broken" => {
  const state = sqlStateOf(error)
  if (state === "40001" || state === "40P01") return "retry"
  if (state === undefined) return "unavailable"
  return /^(?:08|53|57|58)/.test(state) || state === sqlStates.readOnly ? "unavailable" : "broken"
}

// a connection prepares at most this many statements; more would fill the memory of the server process
const namedMax = 500

/**
 * A connection that prepares each statement with parameters once, under a name. This saves the planning, which takes
 * most of the time of a small read. The text of a statement does not depend on its values, and even an array is one
 * parameter. So there are few names.
 */
export class NamedClient extends pg.Client {
  readonly #names = new Map<string, string>()

  constructor(config?: string | pg.ClientConfig) {
    super(typeof config === "string" ? { connectionString: config, types: rowTypes } : { ...config, types: rowTypes })
  }

  /**
   * Returns the name under which the statement is prepared. Returns undefined if the connection already has the maximum
   * number of names.
   */
  nameOf(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size >= namedMax) return known
    const name = `pod_${this.#names.size}`
    this.#names.set(text, name)
    return name
  }

  // The driver has nine overloads of `query`. The SQL client uses only `(text, values, callback)`, so this class
  // changes only that overload.
  override query(...args: ReadonlyArray<unknown>): never {
    const [text, values, callback] = args
    if (typeof text !== "string" || typeof callback !== "function") {
      return super.query(...(args as Parameters<pg.Client["query"]>)) as never
    }
    const name = Array.isArray(values) && values.length > 0 ? this.nameOf(text) : undefined
    const config = { ...(name === undefined ? {} : { name }), text, values: values as Array<unknown> | undefined }
    return super.query(new LimitedQuery(config, callback as never)) as never
  }
}
