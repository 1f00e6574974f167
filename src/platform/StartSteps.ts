/**
 * The steps of a start and of a stop. At a terminal, the pod writes each step as a line with a mark, for a person.
 * Otherwise the pod writes a log line with the same facts, for a program.
 */
import { Effect } from "effect"
import { migrations } from "./Migrations.ts"

/** The name of the log annotation that marks an entry as a step. */
export const stepField = "step"

export const step = (name: string, text: string, facts: Readonly<Record<string, unknown>> = {}): Effect.Effect<void> =>
  Effect.logInfo(text).pipe(Effect.annotateLogs({ [stepField]: name, ...facts }))

/** Writes a time in seconds for people, such as `0.4 s`. */
export const secondsText = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

// the maximum number of names of migrations in one line
const namesMax = 5

export interface MadeSchema {
  /** Where the database is, such as `in ./data/pg` or `on PostgreSQL`. */
  readonly place: string
  /** True if the database had no tables of a pod before. */
  readonly isNew: boolean
  /**
   * The names of the migrations that were applied now. Empty for a new embedded database that was made from an image
   * with all its tables.
   */
  readonly applied: ReadonlyArray<string>
  readonly tookMs: number
}

/** Logs what a start did to the schema of the database. Logs nothing if the schema was not changed. */
export const schemaStep = ({ applied, isNew, place, tookMs }: MadeSchema): Effect.Effect<void> => {
  const facts = { isNew, migrations: isNew ? migrations.length : applied.length, durationMs: Math.round(tookMs) }
  if (isNew) {
    return step("database", `Database: made ${place}, ${migrations.length} migrations (${secondsText(tookMs)})`, facts)
  }
  if (applied.length === 0) return Effect.void
  const shown = applied.slice(0, namesMax).map((name) => name.replace(/\.sql$/, ""))
  const more = applied.length > namesMax ? [`and ${applied.length - namesMax} more`] : []
  const [names, what] = [
    [...shown, ...more].join(", "),
    applied.length === 1 ? "1 migration" : `${applied.length} migrations`
  ]
  return step("database", `Database: ${what} applied: ${names} (${secondsText(tookMs)})`, facts)
}
