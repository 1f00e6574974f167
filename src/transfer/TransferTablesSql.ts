/**
 * The tables of a database that an export contains. The list comes from the catalog of the database, so that no new
 * table can be forgotten.
 */
import type { Owner } from "../platform/Migrations.ts"

export interface TransferColumn {
  readonly name: string
  readonly type: string
}

export interface TransferTable {
  /** The name with its schema, such as `public.entities`. */
  readonly name: string
  readonly columns: ReadonlyArray<TransferColumn>
  /** The columns of the primary key, in the order of the key. */
  readonly key: ReadonlyArray<string>
  /** True if the pod has triggers that run when rows of this table change. */
  readonly hasTriggers: boolean
  /** The tables to which the rows of this table refer by foreign keys. */
  readonly needs: ReadonlyArray<string>
}

/**
 * Tables that are not exported, because they belong to one database and not to its pod: the list of applied migrations,
 * the mark of an import, the backups, the table for test writes, and the version of the job tables.
 */
const excludedTables = new Set([
  "public.schema_migrations",
  "public.pod_import",
  "public.backups",
  "public.write_probes",
  "pgboss.version"
])

const catalog = `
  SELECT format('%s.%s', space.nspname, class.relname) AS name,
    (SELECT json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) ORDER BY attnum)
      FROM pg_attribute
      WHERE attrelid = class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '')::text AS columns,
    (SELECT json_agg(attname ORDER BY array_position(entry.indkey::int2[], attnum))
      FROM pg_index entry JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (entry.indkey::int2[])
      WHERE indrelid = class.oid AND indisprimary)::text AS key,
    EXISTS (SELECT FROM pg_trigger WHERE tgrelid = class.oid AND NOT tgisinternal) AS triggered,
    (SELECT json_agg(DISTINCT format('%s.%s', other_space.nspname, other.relname))
      FROM pg_constraint
      JOIN pg_class other ON other.oid = confrelid
      JOIN pg_namespace other_space ON other_space.oid = other.relnamespace
      WHERE conrelid = class.oid AND contype = 'f' AND confrelid <> class.oid)::text AS needs
  FROM pg_class class JOIN pg_namespace space ON space.oid = class.relnamespace
  WHERE space.nspname IN ('public', 'pgboss') AND class.relkind IN ('r', 'p') AND NOT class.relispartition
  ORDER BY space.nspname COLLATE "C", class.relname COLLATE "C"`

/** For each partitioned table, the tables that must be filled first, because the partitions refer to these tables. */
const alsoNeeds: Readonly<Record<string, ReadonlyArray<string>>> = { "pgboss.job": ["pgboss.queue"] }

const parseList = (text: unknown): ReadonlyArray<unknown> => {
  const value: unknown = typeof text === "string" ? JSON.parse(text) : []
  return Array.isArray(value) ? value : []
}
const names = (text: unknown): ReadonlyArray<string> => parseList(text).map(String)

/**
 * Orders the tables so that each table comes after the tables to which it refers. If several orders are possible, the
 * tables are ordered by name.
 */
const inDependencyOrder = (tables: ReadonlyArray<TransferTable>): ReadonlyArray<TransferTable> => {
  const ordered = new Set<TransferTable>()
  const add = (table: TransferTable): void => {
    if (ordered.has(table)) return
    for (const name of table.needs) {
      const needed = tables.find((one) => one.name === name)
      if (needed !== undefined) add(needed)
    }
    ordered.add(table)
  }
  tables.forEach(add)
  return [...ordered]
}

/** Lists every table with rows of the pod, in the order in which an import can fill them. */
export const transferTables = async (owner: Owner): Promise<ReadonlyArray<TransferTable>> => {
  const rows = await owner.query(catalog)
  const tables = rows.flatMap((row): ReadonlyArray<TransferTable> => {
    const name = String(row["name"])
    if (excludedTables.has(name)) return []
    return [
      {
        name,
        // The SQL statement makes objects with exactly these fields, so the cast is safe.
        columns: parseList(row["columns"]) as ReadonlyArray<TransferColumn>,
        key: names(row["key"]),
        hasTriggers: row["triggered"] === true,
        needs: [...names(row["needs"]), ...(alsoNeeds[name] ?? [])]
      }
    ]
  })
  return inDependencyOrder(tables)
}

/**
 * Tables with data that a thief could use, such as keys, passwords, sessions, the vault, and webhooks with their
 * signing secrets. The list also has the tables that are useless without this data.
 */
export const secretTables: ReadonlyArray<string> = [
  "api_keys",
  "auth_accounts",
  "auth_sessions",
  "auth_verifications",
  "calendar_feeds",
  "idempotency_keys",
  "invitations",
  "secret_checks",
  "setup_links",
  "vault_entries",
  "vault_shares",
  "vaults",
  "webhook_deliveries",
  "webhook_states",
  "webhooks"
].map((name) => `public.${name}`)

/** Quotes a name for use in an SQL statement. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`
export const quoteTable = (name: string): string => name.split(".").map(quoteName).join(".")
