/** How every connection of the pod to PostgreSQL is opened: its name there, and the settings its statements rest on. */
import { Redacted } from "effect"
import type pg from "pg"

export const appRole = "pod_app"

const timeoutMs = 15_000 // of a statement, and of a transaction that waits for its next one

/**
 * What the pod's statements mean and cost depends on these, and an ALTER DATABASE or ALTER ROLE may have changed any of
 * them: dates are read in ISO form, times are in UTC, tables are found without naming their schema, results are complete.
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
  lock_timeout: "0", // a statement that waits for a lock is ended by its own bound
  idle_session_timeout: "0", // the pool keeps connections that nobody uses for a while
  statement_timeout: `${timeoutMs}`,
  idle_in_transaction_session_timeout: `${timeoutMs}`,
  // Generic plans of listings look dear to the planner, which then compiles about fifty functions at every call: 968 ms
  // for a page that takes 12 ms without (measured, 100,000 rows, tables never analysed).
  jit: "off"
} as const

interface Purpose {
  readonly name: string
  readonly settings: Readonly<Record<string, string>>
}

const purposes = {
  /** Carries out what callers ask for. What runs under this name is what a revocation waits for. */
  work: {
    name: "pod",
    settings: {
      role: appRole,
      // Statements have fixed texts and walk indexes to a limit, so one plan serves every value. Left to itself the
      // server takes LIMIT $1 of a large space for a tenth of it, finds that dear, and plans a listing anew at each
      // call: 1,050 µs instead of 340 over 100,000 rows (measured).
      plan_cache_mode: "force_generic_plan"
    }
  },
  /** Looks at the transactions of other connections. */
  overseer: { name: "pod overseer", settings: { role: "none", statement_timeout: "5000" } },
  /** Hears what other pods tell. */
  listener: { name: "pod listener", settings: { role: "none" } },
  /** Brings the schema up to date, which takes as long as it takes. */
  migration: {
    name: "pod migration",
    settings: { statement_timeout: "0", idle_in_transaction_session_timeout: "0" }
  }
} as const satisfies Record<string, Purpose>

export type PurposeName = keyof typeof purposes

/** The name under which PostgreSQL lists the connections of a purpose. */
export const nameOf = (purpose: PurposeName): string => purposes[purpose].name

/** The settings in force on a connection of a purpose. */
export const settingsOf = (purpose: PurposeName): Readonly<Record<string, string>> => ({
  ...always,
  ...purposes[purpose].settings
})

const escaped = (value: string): string => value.replaceAll(/[\\\s]/g, "\\$&")

const optionsOf = (purpose: PurposeName): string =>
  Object.entries(settingsOf(purpose))
    .map(([name, value]) => `-c ${name}=${escaped(value)}`)
    .join(" ")

/** The parameters of an address that say how the server is reached; the driver would take any other as a setting. */
const isAboutReaching = (parameter: string): boolean =>
  /^(?:host|port|user|password|ssl.*|uselibpqcompat)$/.test(parameter)

/**
 * The driver's configuration for a connection. Options that the address brings are kept, and come first: of two
 * that set the same, the server obeys the later one, which is the pod's.
 */
export const connectionFor = (
  purpose: PurposeName,
  url: Redacted.Redacted
): Pick<pg.ClientConfig, "connectionString" | "application_name" | "options"> => {
  const address = new URL(Redacted.value(url))
  const brought = address.searchParams.get("options")
  for (const parameter of new Set(address.searchParams.keys())) {
    if (!isAboutReaching(parameter)) address.searchParams.delete(parameter)
  }
  return {
    connectionString: address.href,
    application_name: nameOf(purpose),
    options: brought === null ? optionsOf(purpose) : `${brought} ${optionsOf(purpose)}`
  }
}
