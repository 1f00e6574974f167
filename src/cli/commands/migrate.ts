/**
 * `pod migrate`: shows the state of the schema, updates it without starting the pod, or moves the pod to PostgreSQL.
 */
import * as Args from "@effect/cli/Args"
import * as Options from "@effect/cli/Options"
import { Effect, Option, Redacted } from "effect"
import type { MigrationState } from "../../platform/Migrations.ts"
import { parsedUrl } from "../../platform/ParsedUrl.ts"
import { version } from "../../Version.ts"
import { fieldsOf, rowsOf, textOf } from "../AnswerFields.ts"
import { badUsage } from "../CliFailure.ts"
import { group, leaf } from "../CommandTree.ts"
import { type Connection, connectToRunning } from "../Connection.ts"
import { Globals } from "../Globals.ts"
import { failureOf, localData, localWork } from "../LocalWork.ts"
import { Output } from "../Output.ts"
import { procedureOver } from "../PodClient.ts"
import { optionalPassword, passwordFile } from "../Passwords.ts"

/** Asks a running pod for its migrations. While the pod runs, no other process can read its embedded database. */
const statesOver = Effect.fnUntraced(function* (connection: Connection) {
  const { timeoutMs } = yield* Globals
  const answer = yield* procedureOver(connection, "health.migrations", timeoutMs)
  const applied = rowsOf(fieldsOf(answer)["migrations"]).map(({ description, version }) => ({
    name: `${textOf(version)}_${textOf(description).replaceAll(" ", "_")}.sql`
  }))
  const { statesOf } = yield* Effect.promise(() => import("../../platform/Migrations.ts"))
  return statesOf(applied)
})

const countText = (count: number): string => (count === 1 ? "1 migration" : `${count} migrations`)

const linesOf = (states: ReadonlyArray<MigrationState>, state: MigrationState["state"]): ReadonlyArray<string> =>
  states.filter((each) => each.state === state).map(({ name }) => `  ${state.padEnd(7)}  ${name}`)

/** What to do about a schema that does not fit this version of the pod. Undefined if the schema fits. */
const remedyOf = (states: ReadonlyArray<MigrationState>, isRunning: boolean): string | undefined => {
  const has = (state: MigrationState["state"]) => states.some((each) => each.state === state)
  if (has("unknown")) return "A newer version of the pod has changed this database. Start that version or a newer one."
  if (has("changed")) return "Restore the files of the changed migrations: install this version of the pod again."
  if (!has("pending")) return undefined
  return isRunning
    ? "The running pod has an older version. Restart the pod with this version: it makes a backup and applies the migrations."
    : "To apply the migrations: pod start, or pod migrate up. Both make a backup first."
}

/** The state of the schema for people: a summary, what to do, and the migrations that need attention. */
const statesText = (states: ReadonlyArray<MigrationState>, isRunning: boolean, all: boolean): string => {
  const count = (state: MigrationState["state"]) => states.filter((each) => each.state === state).length
  const remedy = remedyOf(states, isRunning)
  const last = states.findLast(({ state }) => state === "applied")?.name
  return [
    remedy === undefined
      ? `The schema is up to date for version ${version} of the pod.`
      : `The schema does not fit version ${version} of the pod.`,
    `  Applied  ${countText(count("applied"))}${last === undefined ? "" : `, the last one ${last}`}`,
    `  Pending  ${count("pending") === 0 ? "none" : countText(count("pending"))}`,
    ...(remedy === undefined ? [] : [remedy]),
    ...linesOf(states, "unknown"),
    ...linesOf(states, "changed"),
    ...linesOf(states, "pending"),
    ...(all ? linesOf(states, "applied") : [])
  ].join("\n")
}

const status = leaf(
  "status",
  {
    summary:
      "Show whether the schema of the database fits this version of the pod, and list the migrations that are missing. The pod can be running. The exit code is 0 even if migrations are missing.",
    examples: [
      "pod migrate status",
      "pod migrate status --all",
      "pod migrate status --json",
      "pod migrate status --url https://pod.example.com"
    ]
  },
  {
    all: Options.boolean("all").pipe(
      Options.withDescription("List the applied migrations too. With --json they are always listed.")
    )
  },
  Effect.fnUntraced(function* ({ all }) {
    const output = yield* Output
    const over = yield* connectToRunning(yield* Globals)
    const ofDatabase = Effect.gen(function* () {
      const { settings } = yield* localWork
      const { migrationsOf } = yield* localData
      return yield* Effect.mapError(migrationsOf(settings), failureOf)
    })
    const states = yield* over === undefined ? ofDatabase : statesOver(over)
    output.data(states, { text: (found) => statesText(found, over !== undefined, all) })
  })
)

const up = leaf(
  "up",
  {
    summary: "Make a backup, then apply the missing migrations without starting the pod.",
    examples: ["pod migrate up"]
  },
  {},
  Effect.fnUntraced(function* () {
    const { settings } = yield* localWork
    const { migrateData } = yield* localData
    const applied = yield* Effect.mapError(migrateData(settings), failureOf)
    const output = yield* Output
    output.data(
      { applied },
      {
        text: () =>
          applied.length === 0
            ? "The schema is up to date."
            : `Applied ${applied.length} migrations, up to ${applied.at(-1)}.`
      }
    )
  })
)

/**
 * Adds the password to the URL of a database. The password comes from a file or from `PGPASSWORD`, as in other
 * PostgreSQL programs, or the person types it. The password can be empty, for a database that needs no password.
 */
const withPassword = Effect.fnUntraced(function* (urlText: string, file: Option.Option<string>) {
  const url = parsedUrl(urlText)
  if (url === undefined || !/^postgres(?:ql)?:$/.test(url.protocol))
    return yield* badUsage("The URL of a database begins with postgres://.")
  if (url.password !== "") {
    const output = yield* Output
    output.note("Other users of this machine can see a password in an argument. Use `--password-file` or `PGPASSWORD`.")
    return Redacted.make(urlText)
  }
  const password = yield* optionalPassword(file, "PGPASSWORD", "Password of the database, empty if it needs none")
  // Assigning `url.password` does not encode a percent sign, so this code encodes the whole password first.
  url.password = encodeURIComponent(Redacted.value(password))
  return Redacted.make(url.href)
})

const toPostgres = leaf(
  "to-postgres",
  {
    summary:
      "Move an embedded pod to an empty PostgreSQL database, and compare the state of both. The pod must not run.",
    examples: [
      "pod migrate to-postgres postgres://user@host:5432/pod",
      "pod migrate to-postgres postgres://user@host:5432/pod --password-file ./password",
      "PGPASSWORD=… pod migrate to-postgres postgres://user@host:5432/pod --data-dir ./data"
    ]
  },
  {
    url: Args.text({ name: "url" }).pipe(
      Args.withDescription("The URL of the database, as in POD_DATABASE_URL, without the password.")
    ),
    passwordFile
  },
  Effect.fnUntraced(function* ({ passwordFile: file, url: urlText }) {
    const url = yield* withPassword(urlText, file)
    const { progress, settings } = yield* localWork
    if (Option.isSome(settings.databaseUrl)) {
      return yield* badUsage("POD_DATABASE_URL is set, so this pod is not embedded. Unset it for this command.")
    }
    const { moveData } = yield* localData
    const report = yield* Effect.mapError(moveData(settings, url, progress), failureOf)
    const output = yield* Output
    output.data(
      { rows: report.added, hash: report.hash },
      {
        text: ({ hash }) => `Moved the pod; both databases have the state hash ${hash.slice(0, 12)}….`
      }
    )
    output.note(
      `Set POD_DATABASE_URL and start the pod. Its secrets stay in ${settings.dataDir}/secrets; the embedded database there is unchanged and no longer used.`
    )
  })
)

export const migrateCommand = group("migrate", "Update the schema of the database, or move the pod to PostgreSQL.", [
  status,
  up,
  toPostgres
])
