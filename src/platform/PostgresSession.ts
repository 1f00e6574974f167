/**
 * Defines how the pod opens every connection to PostgreSQL: the name of the connection, and the settings on which its
 * statements depend.
 */
import { Redacted } from "effect"
import type pg from "pg"

export const appRole = "pod_app"

// the time limit of a statement, and of a transaction that waits for its next statement
const timeoutMs = 15_000

/**
 * The results and the speed of the pod's statements depend on these settings. An ALTER DATABASE or ALTER ROLE might
 * have changed any of them, so the pod sets them. With these values, dates are in ISO form, times are in UTC, tables
 * are found without the name of their schema, and results are complete.
 */
const always = {
  search_path: "public",
  datestyle: "ISO,YMD",
  intervalstyle: "postgres",
  timezone: "UTC",
  bytea_output: "hex",
  extra_float_digits: "1",
  standard_conforming_strings: "on",
  array_nulls: "on",
  transform_null_equals: "off",
  gin_fuzzy_search_limit: "0",
  row_security: "on",
  default_transaction_isolation: "read committed",
  // no separate limit, because the statement timeout also ends a statement that waits for a lock
  lock_timeout: "0",
  // no limit, because the pool keeps unused connections for a while
  idle_session_timeout: "0",
  statement_timeout: `${timeoutMs}`,
  idle_in_transaction_session_timeout: `${timeoutMs}`,
  // Just-in-time compilation is off. The planner estimates a high cost for the generic plans of listings, so PostgreSQL
  // would compile about fifty functions at every call. A page would take 968 ms instead of 12 ms (measured, 100,000
  // rows, tables never analysed).
  jit: "off"
} as const

interface Purpose {
  readonly name: string
  readonly settings: Readonly<Record<string, string>>
}

/**
 * In this mode, the server plans each prepared statement only once, and this plan is for all values. One plan fits all
 * values, because the statements have fixed texts and read indexes up to a limit. By default, the server assumes that
 * `LIMIT $1` reads a tenth of a large space. This seems expensive, so the server plans a listing again at each call,
 * which takes 1,050 µs instead of 340 µs (measured over 100,000 rows).
 */
export const planCacheMode = "force_generic_plan"

const purposes = {
  /**
   * Connections that run the statements of calls. A revocation finds these connections by their name, and waits for
   * their transactions.
   */
  work: {
    name: "pod",
    settings: {
      role: appRole,
      plan_cache_mode: planCacheMode
    }
  },
  /** Connections that look at the transactions of other connections. */
  overseer: { name: "pod overseer", settings: { role: "none", statement_timeout: "5000" } },
  /** The connection that receives the signals of other nodes. */
  listener: { name: "pod listener", settings: { role: "none" } },
  /**
   * Connections with the rights of the owner of the database, for migrations, backups and imports. They have no time
   * limits.
   */
  migration: {
    name: "pod migration",
    settings: { statement_timeout: "0", idle_in_transaction_session_timeout: "0" }
  }
} as const satisfies Record<string, Purpose>

export type PurposeName = keyof typeof purposes

/** Returns the name under which PostgreSQL lists the connections of a purpose. */
export const nameOf = (purpose: PurposeName): string => purposes[purpose].name

/** Returns the settings of a connection that the pod opens for this purpose. */
export const settingsOf = (purpose: PurposeName): Readonly<Record<string, string>> => ({
  ...always,
  ...purposes[purpose].settings
})

const escapeValue = (value: string): string => value.replaceAll(/[\\\s]/g, "\\$&")

const optionsOf = (purpose: PurposeName, more: Readonly<Record<string, string>>): string =>
  Object.entries({ ...settingsOf(purpose), ...more })
    .map(([name, value]) => `-c ${name}=${escapeValue(value)}`)
    .join(" ")

/**
 * Returns true if a URL parameter describes how to reach the server. The driver would use any other parameter as a
 * setting of the session.
 */
const isAboutReaching = (parameter: string): boolean =>
  /^(?:host|port|user|password|ssl.*|uselibpqcompat)$/.test(parameter)

/**
 * The driver checks the certificate of the server in these modes too, but warns of them at each start. The pod names
 * this check as it is. So an update of the driver cannot weaken the check either.
 */
const checksCertificate = new Set(["prefer", "require", "verify-ca"])

const nameCheck = ({ searchParams }: URL): void => {
  if (checksCertificate.has(searchParams.get("sslmode") ?? "") && !searchParams.has("uselibpqcompat")) {
    searchParams.set("sslmode", "verify-full")
  }
}

/**
 * Returns the driver's configuration for a connection. The settings in `more` replace those of the purpose. Options in
 * the URL are kept and come first. If two options set the same thing, the server uses the later option, which is the
 * option of the pod.
 */
export const connectionFor = (
  purpose: PurposeName,
  url: Redacted.Redacted,
  more: Readonly<Record<string, string>> = {}
): Pick<pg.ClientConfig, "connectionString" | "application_name" | "options"> => {
  const address = new URL(Redacted.value(url))
  const urlOptions = address.searchParams.get("options")
  for (const parameter of new Set(address.searchParams.keys())) {
    if (!isAboutReaching(parameter)) address.searchParams.delete(parameter)
  }
  nameCheck(address)
  return {
    connectionString: address.href,
    application_name: nameOf(purpose),
    options: urlOptions === null ? optionsOf(purpose, more) : `${urlOptions} ${optionsOf(purpose, more)}`
  }
}
