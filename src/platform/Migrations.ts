/** Brings a database's schema up to date: numbered SQL files, forward only, the same on both engines. */
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

/** A connection that may change the schema. `exec` takes several statements at once. */
export interface Owner {
  readonly exec: (text: string) => Promise<unknown>
  readonly query: (text: string) => Promise<ReadonlyArray<Record<string, unknown>>>
}

/**
 * A newer version of the pod has written the database, or somebody has edited a released migration. Nothing was
 * changed.
 */
export class SchemaUnknown extends Data.TaggedError("SchemaUnknown")<{ readonly message: string }> {}

const folder = fileURLToPath(new URL("../../migrations/", import.meta.url))

/** The files of `migrations/`, in their order. */
export const migrations: ReadonlyArray<Migration> = readdirSync(folder)
  .filter((name) => name.endsWith(".sql"))
  .sort()
  .map((name) => {
    const text = readFileSync(`${folder}${name}`, "utf8")
    return { name, text, digest: createHash("sha256").update(text).digest("hex") }
  })

/** Identifies the schema: changes with every migration. `GET /health` answers it. */
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
 * Makes the role of migration 0001 first. A role belongs to the whole server, but an advisory lock to one database: two pods
 * that start on two new databases make the role at the same time, and the second one must accept that it exists.
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
const advisoryLock = 7_106_532 // the id of the lock, any fixed number: two pods that start together must not both migrate

/** Applies the missing migrations, each file in its own transaction. Returns the names that were applied now. */
export const migrate = (owner: Owner): Effect.Effect<ReadonlyArray<string>, SqlError.SqlError | SchemaUnknown> =>
  Effect.acquireUseRelease(
    attempt(() => owner.query(`SELECT pg_advisory_lock(${advisoryLock})`)),
    () =>
      Effect.gen(function* () {
        yield* attempt(() => owner.exec(ledger))
        const applied = yield* attempt(() => owner.query("SELECT name, digest FROM schema_migrations ORDER BY name"))
        for (const row of applied) {
          const known = migrations.find((migration) => migration.name === row.name)
          if (known === undefined) {
            return yield* new SchemaUnknown({
              message: `The database holds migration ${String(row.name)}, which this version of the pod does not know. Start the newer version that wrote it.`
            })
          }
          if (known.digest !== row.digest) {
            return yield* new SchemaUnknown({
              message: `Migration ${known.name} was changed after it had been applied to this database. Restore the file and add a new migration instead.`
            })
          }
        }
        const missing = migrations.filter((migration) => !applied.some((row) => row.name === migration.name))
        if (missing.length === migrations.length) yield* attempt(() => owner.exec(makeRole))
        for (const { name, text, digest } of missing) {
          yield* attempt(() =>
            owner.exec(
              `BEGIN;\n${text}\nINSERT INTO schema_migrations (name, digest) VALUES ('${name}', '${digest}');\nCOMMIT;`
            )
          ).pipe(Effect.tapError(() => attempt(() => owner.exec("ROLLBACK")).pipe(Effect.ignore)))
        }
        return missing.map((migration) => migration.name)
      }),
    () => Effect.promise(() => owner.query(`SELECT pg_advisory_unlock(${advisoryLock})`).catch(() => []))
  )
