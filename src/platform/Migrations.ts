/**
 * Brings the schema of a database up to date. It applies numbered SQL files in one direction only. The files are the
 * same for both database engines.
 */
import { SqlError } from "@effect/sql"
import { Data, Effect } from "effect"
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

export interface Migration {
  readonly name: string
  readonly text: string
  readonly digest: string
}

/** A connection with the rights of the owner of the database. `exec` runs a text with several statements. */
export interface Owner {
  readonly exec: (text: string) => Promise<unknown>
  readonly query: (text: string, values?: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Record<string, unknown>>>
}

/**
 * A newer version of the pod has written the database, or somebody has edited a released migration. Nothing was
 * changed.
 */
export class SchemaUnknown extends Data.TaggedError("SchemaUnknown")<{ readonly message: string }> {}

/** An import into this database has not ended, so its data is incomplete. Nothing was changed. */
export class ImportUnfinished extends Data.TaggedError("ImportUnfinished")<{ readonly message: string }> {}

/** A backup, or other work that must be done before a change of the schema, has failed. Nothing was changed. */
export class NotPrepared extends Data.TaggedError("NotPrepared")<{ readonly message: string }> {}

export interface MigrationPlan {
  /**
   * Runs before a migration changes the schema of a database that has data. The function gets the names of the
   * migrations that will run.
   */
  readonly before?: (owner: Owner, missing: ReadonlyArray<string>) => Effect.Effect<void, NotPrepared>
  /** Applies only the migrations with these names. */
  readonly only?: ReadonlyArray<string>
  /**
   * Only the import sets this. An import migrates a database that has the import marker. No other migration runs on
   * such a database.
   */
  readonly isImport?: boolean
}

/** A table that marks an import into the database as not finished. No pod starts on a database with this table. */
export const importMarker = "public.pod_import"

const folder = fileURLToPath(new URL("../../migrations/", import.meta.url))

export const migrations: ReadonlyArray<Migration> = readdirSync(folder)
  .filter((name) => name.endsWith(".sql"))
  .sort()
  .map((name) => {
    const text = readFileSync(`${folder}${name}`, "utf8")
    return { name, text, digest: createHash("sha256").update(text).digest("hex") }
  })

/**
 * Digests of earlier texts of some migrations, by the name of the migration. Some databases were made from these texts.
 * Together with the later migrations, an earlier text makes the same schema as the present text. Add nothing here,
 * because a released migration must not change. A test checks this.
 */
const otherTexts: Readonly<Record<string, ReadonlyArray<string>>> = {
  // The earlier text of this migration created an SQL function with another name. Migration 0102 gives this function
  // its present name.
  "0101_cursors_pass_events.sql": ["ba9f1966aa942c606173885de2bfe0b163a8b7e32223c81d504896b7263e0f22"]
}

/**
 * Returns true if this digest from a database is the digest of this migration, or of an earlier text of this migration.
 */
export const isMadeFrom = (digest: string, migration: Migration): boolean =>
  digest === migration.digest || (otherTexts[migration.name] ?? []).includes(digest)

/** The hash that identifies the schema. Every migration changes the hash, and `GET /health` shows it. */
export const schemaHash = createHash("sha256")
  .update(migrations.map((migration) => migration.digest).join("\n"))
  .digest("hex")
  .slice(0, 16)

const attempt = <A>(run: () => Promise<A>) =>
  Effect.tryPromise({
    try: run,
    catch: (cause) => new SqlError.SqlError({ cause, message: "Failed to migrate" })
  })

const ledger = `CREATE TABLE IF NOT EXISTS schema_migrations (
  name text PRIMARY KEY,
  digest text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
)`
/**
 * Makes the role of migration 0001 before the migrations run. A role belongs to the whole server, but an advisory lock
 * belongs to one database. Two pods that start on two new databases can make the role at the same time. So each pod
 * must accept that the role already exists.
 */
const makeRole = `DO $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'pod_app') THEN
    BEGIN
      CREATE ROLE pod_app NOLOGIN NOSUPERUSER NOBYPASSRLS NOINHERIT;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END;
  END IF;
  IF NOT EXISTS (
    SELECT 1 FROM pg_auth_members
    WHERE roleid = 'pod_app'::regrole AND member = current_user::regrole
  ) THEN
    BEGIN
      EXECUTE format('GRANT pod_app TO %I', current_user);
    EXCEPTION WHEN unique_violation THEN NULL;
    END;
  END IF;
END
$$`
// the id of the lock, an arbitrary number; because of the lock, two nodes that start together do not both migrate
const advisoryLock = 7_106_532

const refuseUnfinished = (owner: Owner) =>
  Effect.flatMap(
    attempt(() => owner.query(`SELECT to_regclass('${importMarker}') IS NOT NULL AS marked`)),
    ([row]) =>
      row?.["marked"] === true
        ? new ImportUnfinished({
            message:
              "An import into this database has not ended, so its data is incomplete. Run the same `pod import` again to finish it, or `pod import --undo` to empty the database."
          })
        : Effect.void
  )

/**
 * Compares the applied migrations with the files and returns the missing migrations. Fails if the pod does not know the
 * schema.
 */
const compare = Effect.fnUntraced(function* (applied: ReadonlyArray<Record<string, unknown>>) {
  for (const row of applied) {
    const known = migrations.find((migration) => migration.name === row["name"])
    if (known === undefined) {
      return yield* new SchemaUnknown({
        message: `The database has the migration ${String(row["name"])}, which this version of the pod does not know. Start the newer version of the pod that applied it.`
      })
    }
    if (!isMadeFrom(String(row["digest"]), known)) {
      return yield* new SchemaUnknown({
        message: `Migration ${known.name} was changed after it had been applied to this database. Restore the old file of this migration, and add a new migration instead.`
      })
    }
  }
  return migrations.filter((migration) => !applied.some((row) => row["name"] === migration.name))
})

/**
 * Applies the missing migrations, each file in its own transaction. Returns the names of the migrations that this call
 * has applied.
 */
export const migrate = (
  owner: Owner,
  { before, isImport = false, only }: MigrationPlan = {}
): Effect.Effect<ReadonlyArray<string>, SqlError.SqlError | SchemaUnknown | ImportUnfinished | NotPrepared> =>
  Effect.acquireUseRelease(
    attempt(() => owner.query(`SELECT pg_advisory_lock(${advisoryLock})`)),
    Effect.fnUntraced(function* () {
      if (!isImport) yield* refuseUnfinished(owner)
      yield* attempt(() => owner.exec(ledger))
      const applied = yield* attempt(() =>
        owner.query('SELECT name, digest FROM schema_migrations ORDER BY name COLLATE "C"')
      )
      const missing = (yield* compare(applied)).filter(({ name }) => only === undefined || only.includes(name))
      const names = missing.map(({ name }) => name)
      if (applied.length === 0) yield* attempt(() => owner.exec(makeRole))
      else if (missing.length > 0 && before !== undefined) yield* before(owner, names)
      for (const { name, text, digest } of missing) {
        yield* attempt(() =>
          owner.exec(
            `BEGIN;\n${text}\nINSERT INTO schema_migrations (name, digest) VALUES ('${name}', '${digest}');\nCOMMIT;`
          )
        ).pipe(Effect.tapError(() => attempt(() => owner.exec("ROLLBACK")).pipe(Effect.ignore)))
      }
      return names
    }),
    () => Effect.promise(() => owner.query(`SELECT pg_advisory_unlock(${advisoryLock})`).catch(() => []))
  )

export interface MigrationState {
  readonly name: string
  /**
   * `unknown`: a newer version of the pod applied this migration. `changed`: its file was changed after it had been
   * applied.
   */
  readonly state: "applied" | "pending" | "unknown" | "changed"
}

/**
 * Returns the applied migrations of the database and the missing migrations, ordered by name. Changes nothing. In a new
 * database, all migrations are missing.
 */
export const migrationStates = (owner: Owner): Effect.Effect<ReadonlyArray<MigrationState>, SqlError.SqlError> =>
  Effect.map(appliedMigrations(owner), statesOf)

/**
 * Compares applied migrations with the files, ordered by name. If the digests are absent, as in the report of a running
 * pod, the function finds no changed file. The pod itself compares the digests when it starts.
 */
export const statesOf = (
  applied: ReadonlyArray<{ readonly name: string; readonly digest?: string }>
): ReadonlyArray<MigrationState> => {
  const names = [...new Set([...migrations, ...applied].map(({ name }) => name))].sort()
  return names.map((name) => {
    const row = applied.find((one) => one.name === name)
    const known = migrations.find((one) => one.name === name)
    if (row === undefined) return { name, state: "pending" }
    if (known === undefined) return { name, state: "unknown" }
    return { name, state: row.digest === undefined || isMadeFrom(row.digest, known) ? "applied" : "changed" }
  })
}

/** Returns the migrations that the database has, by name. Changes nothing. */
export const appliedMigrations = (
  owner: Owner
): Effect.Effect<ReadonlyArray<Pick<Migration, "name" | "digest">>, SqlError.SqlError> =>
  attempt(async () => {
    const [found] = await owner.query("SELECT to_regclass('public.schema_migrations') IS NOT NULL AS there")
    if (found?.["there"] !== true) return []
    const rows = await owner.query('SELECT name, digest FROM public.schema_migrations ORDER BY name COLLATE "C"')
    return rows.map((row) => ({ name: String(row["name"]), digest: String(row["digest"]) }))
  })
