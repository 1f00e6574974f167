/** The SQL statements of an import: statements for the mark of an unfinished import, and statements for the rows. */
import { importMarker, type Owner } from "../platform/Migrations.ts"
import { nameOf } from "../platform/PostgresSession.ts"
import { spaceColumn } from "./TransferRowsSql.ts"
import { quoteName, quoteTable, type TransferColumn, type TransferTable } from "./TransferTablesSql.ts"
import { textLiteral } from "../platform/TextLiteral.ts"

/** Reads the id of the pod's owner. Returns null if the pod has no owner, or if the database has no pod. */
export const podOwner = async (owner: Owner): Promise<string | null> => {
  if (!(await hasSchema(owner))) return null
  const [row] = await owner.query("SELECT owner_id::text AS id FROM public.pod_state")
  return typeof row?.["id"] === "string" ? row["id"] : null
}

const exists = async (owner: Owner, table: string): Promise<boolean> => {
  const [row] = await owner.query("SELECT to_regclass($1) IS NOT NULL AS there", [table])
  return row?.["there"] === true
}

export const hasSchema = (owner: Owner): Promise<boolean> => exists(owner, "public.schema_migrations")

/** Returns true if people have used the pod in this database: it has an owner, a person, a space or an event. */
export const isUsed = async (owner: Owner): Promise<boolean> => {
  if (!(await exists(owner, "public.pod_state"))) return false
  const [row] = await owner.query(
    `SELECT EXISTS (SELECT FROM public.users) OR EXISTS (SELECT FROM public.auth_users)
       OR EXISTS (SELECT FROM public.spaces) OR EXISTS (SELECT FROM public.events)
       OR EXISTS (SELECT FROM public.pod_state WHERE owner_id IS NOT NULL) AS used`
  )
  return row?.["used"] === true
}

/** Returns true if a database without a pod has tables of another program. */
export const hasOtherTables = async (owner: Owner): Promise<boolean> => {
  const rows = await owner.query(
    "SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm') LIMIT 1"
  )
  return rows.length > 0
}

/** Returns how many connections to this database come from running nodes. */
export const runningPods = async (owner: Owner): Promise<number> => {
  const [row] = await owner.query(
    "SELECT count(*)::text AS open FROM pg_stat_activity WHERE datname = current_database() AND application_name = ANY ($1)",
    [[nameOf("work"), nameOf("listener"), nameOf("overseer")]]
  )
  return Number(row?.["open"])
}

// the id of the PostgreSQL lock that prevents two imports into one database at the same time; the number has no meaning
const importLock = 7_106_533

/**
 * Takes the lock for an import into this database. Returns false if another import runs. The lock ends with the
 * connection.
 */
export const takeImportLock = async (owner: Owner): Promise<boolean> => {
  const [row] = await owner.query(`SELECT pg_try_advisory_lock(${importLock}) AS taken`)
  return row?.["taken"] === true
}

export interface ImportMark {
  /** The state hash of the file that was being imported. */
  readonly hash: string
  /** How many rows of the file are already in the database. */
  readonly rows: number
}

export const readMark = async (owner: Owner): Promise<ImportMark | undefined> => {
  if (!(await exists(owner, importMarker))) return undefined
  const [row] = await owner.query(`SELECT hash, rows::text AS rows FROM ${importMarker}`)
  return row === undefined ? undefined : { hash: String(row["hash"]), rows: Number(row["rows"]) }
}

/**
 * Marks the database as incomplete. The mark stays until `removeMark` removes it, even if the process is killed. A
 * database without tables can get the mark too.
 */
export const setMark = (owner: Owner, hash: string): Promise<unknown> =>
  owner.exec(
    `BEGIN;
     CREATE TABLE ${importMarker} (
       only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row), hash text NOT NULL,
       rows bigint NOT NULL DEFAULT 0, began_at timestamptz NOT NULL DEFAULT now());
     INSERT INTO ${importMarker} (hash) VALUES (${textLiteral(hash)});
     COMMIT;`
  )

export const moveMark = (owner: Owner, rows: number): Promise<unknown> =>
  owner.query(`UPDATE ${importMarker} SET rows = $1::bigint`, [String(rows)])

/** Removes the mark of an unfinished import, so that a pod can start on the database again. */
export const removeMark = (owner: Owner): Promise<unknown> => owner.exec(`DROP TABLE ${importMarker}`)

/** Deletes the rows that the migrations and a first start have added. */
export const emptyTables = async (owner: Owner, tables: ReadonlyArray<TransferTable>): Promise<void> => {
  const own = tables.filter(({ name }) => name.startsWith("public."))
  await owner.exec(
    `TRUNCATE ${own.map(({ name }) => quoteTable(name)).join(", ")};
     DELETE FROM pgboss.job; DELETE FROM pgboss.archive; DELETE FROM pgboss.schedule; DELETE FROM pgboss.subscription;
     SELECT pgboss.delete_queue(name) FROM (SELECT name FROM pgboss.queue ORDER BY dead_letter IS NULL) AS queue;`
  )
}

export const dropPodSchema = (owner: Owner): Promise<unknown> =>
  owner.exec(`
    DO $$
    DECLARE found record;
    BEGIN
      DROP SCHEMA IF EXISTS pgboss CASCADE;
      FOR found IN
        SELECT relname, relkind FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') AND pg_has_role(relowner, 'USAGE')
          AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
      LOOP
        EXECUTE format('DROP %s IF EXISTS public.%I CASCADE', CASE found.relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END, found.relname);
      END LOOP;
      FOR found IN
        SELECT oid::regprocedure AS signature FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace AND pg_has_role(proowner, 'USAGE')
          AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
      LOOP
        EXECUTE format('DROP FUNCTION IF EXISTS %s CASCADE', found.signature);
      END LOOP;
    END $$`)

/** What happens to a row of the file if the database already has a row with the same key. */
export type OnConflict = "skip" | "replace" | "fail"

/**
 * The choices of `insertRows`: `none` is for a database that has no such rows. `replaceInSpace` replaces a row only if
 * it is in the same space, so that the file of one workspace takes no row from another workspace.
 */
type RowConflict = OnConflict | "none" | "replaceInSpace"

const valueOf = ({ name, type }: TransferColumn): string => {
  const key = textLiteral(name)
  return /^jsonb?$/.test(type) ? `(r -> ${key})::${type}` : `(r ->> ${key})::${type}`
}

/** Tables with a counter for each space. A counter never gets a lower value, so that no number is given twice. */
const counters = new Set(["public.stream_heads", "public.memory_heads"])

const conflictPart = (table: TransferTable, conflict: RowConflict): string => {
  const key = table.key.map(quoteName).join(", ")
  const others = table.columns.filter(({ name }) => !table.key.includes(name)).map(({ name }) => quoteName(name))
  const replaced = `ON CONFLICT (${key}) DO UPDATE SET ${others.map((name) => `${name} = EXCLUDED.${name}`).join(", ")}`
  if (table.name === "pgboss.queue") return replaced
  if (conflict === "none") return ""
  if (counters.has(table.name)) return `${replaced} WHERE kept.seq < EXCLUDED.seq`
  if (others.length === 0 || key === "") return "ON CONFLICT DO NOTHING"
  if (conflict === "replace") return replaced
  const column = quoteName(spaceColumn(table) ?? "")
  return conflict === "replaceInSpace"
    ? `${replaced} WHERE kept.${column} = EXCLUDED.${column}`
    : "ON CONFLICT DO NOTHING"
}

export interface InsertedRows {
  readonly added: number
  readonly replaced: number
}

/**
 * Inserts rows in one statement. Triggers that would add further rows are off, because the file already contains these
 * rows.
 */
export const insertRows = async (
  owner: Owner,
  table: TransferTable,
  values: ReadonlyArray<string>,
  conflict: RowConflict
): Promise<InsertedRows> => {
  const rows = `[${values.join(",")}]`
  const name = quoteTable(table.name)
  // A queue is a partition of the table of jobs. `pgboss.create_queue` makes this partition.
  if (table.name === "pgboss.queue") {
    await owner.query(
      "SELECT pgboss.create_queue(r ->> 'name', '{}'::json)::text FROM jsonb_array_elements($1::text::jsonb) AS r",
      [rows]
    )
  }
  if (table.hasTriggers) await owner.exec(`ALTER TABLE ${name} DISABLE TRIGGER USER`)
  const [counted] = await owner.query(
    `WITH written AS (
       INSERT INTO ${name} AS kept (${table.columns.map((column) => quoteName(column.name)).join(", ")})
       SELECT ${table.columns.map(valueOf).join(", ")} FROM jsonb_array_elements($1::text::jsonb) AS r
       ${conflictPart(table, conflict)}
       RETURNING ${conflict === "none" ? "true" : "kept.xmax::text = '0'"} AS is_new)
     SELECT count(*) FILTER (WHERE is_new)::text AS added, count(*) FILTER (WHERE NOT is_new)::text AS replaced FROM written`,
    [rows]
  )
  if (table.hasTriggers) await owner.exec(`ALTER TABLE ${name} ENABLE TRIGGER USER`)
  return { added: Number(counted?.["added"]), replaced: Number(counted?.["replaced"]) }
}

/**
 * Makes every consumer of the event log skip all events that these spaces have now. So the imported events trigger
 * nothing.
 */
export const skipEvents = (owner: Owner, spaces: ReadonlyArray<string>): Promise<unknown> =>
  owner.query(
    `INSERT INTO public.event_cursors AS kept (consumer, space_id, seq)
     SELECT consumer.name, head.space_id, head.seq
     FROM public.event_consumers consumer CROSS JOIN public.stream_heads head
     WHERE head.space_id::text = ANY ($1)
     ON CONFLICT (consumer, space_id) DO UPDATE SET seq = GREATEST(kept.seq, EXCLUDED.seq)`,
    [spaces]
  )
