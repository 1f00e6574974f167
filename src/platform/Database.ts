/** The database as the pod sees it: one SQL client, one pool, and what differs between the two engines. */
import { SqlError } from "@effect/sql"
import { Context, Effect, Layer, Stream } from "effect"
import pg from "pg"

/** Something another node should look at again, such as a credential that was revoked. */
export interface Signal {
  readonly kind: "revoked" | "changed"
  readonly id: string
}

export class Database extends Context.Tag("pod/Database")<
  Database,
  {
    readonly engine: "embedded" | "postgres"
    /** The pool beneath the SQL client, for the sign-in library. Its connections run as `pod_app`. */
    readonly pool: pg.Pool
    /** Fails when the database does not answer. */
    readonly ping: Effect.Effect<void, SqlError.SqlError>
    /**
     * Returns once every transaction of a pod that began before this call has ended: whoever read something as still
     * true before it changed has committed or given up (storage reference §0b). Takes seconds at most, for it ends by
     * force what stands still; fails rather than return while something may still be committed.
     */
    readonly drained: Effect.Effect<void, SqlError.SqlError>
    /** Tells the other nodes. Correctness never needs it; it only makes them quick. */
    readonly tell: (signal: Signal) => Effect.Effect<void>
    /** What other nodes tell. Ends never; silent while the listener is cut. */
    readonly told: Stream.Stream<Signal>
  }
>() {
  /** The twin of a pod whose stores are in memory: always there, nobody else to tell. */
  static readonly layerMemory = Layer.sync(this, () => ({
    engine: "embedded" as const,
    pool: new pg.Pool({ max: 1 }),
    ping: Effect.void,
    drained: Effect.void,
    tell: () => Effect.void,
    told: Stream.never
  }))
}

/** The SQLSTATE of a failed statement; undefined when the failure came from the connection. */
export const sqlStateOf = (error: SqlError.SqlError): string | undefined => {
  const cause = error.cause as { readonly code?: unknown } | undefined
  return typeof cause?.code === "string" && /^[0-9A-Z]{5}$/.test(cause.code) ? cause.code : undefined
}

/** Whether something went wrong because a row with this key is there already. */
export const isUniqueViolation = (defect: unknown): boolean =>
  defect instanceof SqlError.SqlError && sqlStateOf(defect) === "23505"

/**
 * What can be done about a failed statement: `retry` (serialization failure or deadlock: nothing was committed),
 * `unavailable` (no connection, shutting down, too many connections, cancelled), or `broken` (our own mistake).
 */
export const classify = (error: SqlError.SqlError): "retry" | "unavailable" | "broken" => {
  const state = sqlStateOf(error)
  if (state === "40001" || state === "40P01") return "retry"
  if (state === undefined) return "unavailable"
  return state.startsWith("08") || state.startsWith("57") || state === "53300" || state === "25006"
    ? "unavailable"
    : "broken"
}

const namedMost = 500 // texts; past it statements run unnamed rather than fill every backend's memory
const names = new Map<string, string>()

const nameOf = (text: string): string | undefined => {
  const known = names.get(text)
  if (known !== undefined) return known
  if (names.size >= namedMost) return undefined
  const name = `pod_${names.size}`
  names.set(text, name)
  return name
}

/**
 * A connection that prepares each parametrised statement once, by name: planning is most of a small read's cost.
 * Statement texts are fixed (arrays travel as one parameter), so the names stay few.
 */
export class NamedClient extends pg.Client {
  // The driver overloads `query` nine ways; only (text, values, callback), which the SQL client uses, is changed.
  override query(...args: ReadonlyArray<unknown>): never {
    const [text, values, callback] = args
    const name = typeof text === "string" && Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined
    const passed = name === undefined ? args : [{ name, text, values }, callback]
    return super.query(...(passed as Parameters<pg.Client["query"]>)) as never
  }
}
