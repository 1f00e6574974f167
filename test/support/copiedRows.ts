/**
 * Copies rows of a database in great number, so that a test sees how the costs of a read grow. The copies of number n in
 * all tables belong together: the copied role of number n has the copied entity of number n.
 */
import type pg from "pg"

interface Column {
  readonly name: string
  readonly type: string
  readonly isGenerated: boolean
}

/** The id of the copy of number n, the same in every table. It has the form of a UUID of version 7. */
const copiedId = `(lpad(to_hex(1700000000000 + n), 12, '0') || '7' || substr(md5(n::text), 1, 3) || 'a' ||
  substr(md5(n::text), 4, 15))::uuid`

/** Columns of ids that say whose row it is and where it is. A copy has the same owner and the same space. */
const keptIds = new Set(["space_id", "user_id", "person_id", "actor_id", "owner_id", "workspace_id"])

const integers = new Set(["bigint", "integer"])

/** Returns the SQL of the changed columns, so that a copy violates no unique index of the table. */
const changedColumns = (
  columns: ReadonlyArray<Column>,
  uniques: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyMap<string, string> => {
  const changed = new Map<string, string>()
  const typeOf = (name: string) => columns.find((column) => column.name === name)?.type ?? ""
  for (const names of uniques) {
    if (names.some((name) => changed.has(name))) continue
    const ids = names.filter((name) => typeOf(name) === "uuid")
    const id = ids.find((name) => name === "id") ?? ids.find((name) => !keptIds.has(name)) ?? ids.at(-1)
    const text = names.find((name) => typeOf(name) === "text")
    const number = names.find((name) => integers.has(typeOf(name)))
    if (id !== undefined && !keptIds.has(id)) changed.set(id, copiedId)
    else if (text !== undefined) changed.set(text, `"${text}" || '-' || n`)
    else if (number !== undefined) changed.set(number, `"${number}" + 1000000 + n`)
    else if (id !== undefined) changed.set(id, copiedId)
  }
  return changed
}

/**
 * Makes copies of one row of each of these tables, with the numbers from `first` to `last`. Triggers do not run. Returns
 * the tables of which there are copies. Needs a connection of a superuser.
 */
export const copyRows = async (
  client: pg.Client,
  tables: ReadonlyArray<string>,
  first: number,
  last: number
): Promise<ReadonlyArray<string>> => {
  const copied: Array<string> = []
  await client.query("SET session_replication_role = replica")
  for (const table of tables) {
    const { rows: columns } = await client.query<Column>(
      `SELECT attname AS name, format_type(atttypid, NULL) AS type, attgenerated <> '' OR attidentity <> '' AS "isGenerated"
       FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
      [table]
    )
    const { rows: uniques } = await client.query<{ readonly names: ReadonlyArray<string> }>(
      `SELECT array(SELECT attname::text FROM pg_attribute WHERE attrelid = indrelid AND attnum = ANY (indkey)) AS names
       FROM pg_index WHERE indrelid = $1::regclass AND indisunique ORDER BY indisprimary DESC`,
      [table]
    )
    const changed = changedColumns(
      columns,
      uniques.map(({ names }) => names)
    )
    const written = columns.filter(({ isGenerated }) => !isGenerated).map(({ name }) => name)
    const { rowCount } = await client.query(
      `INSERT INTO "${table}" (${written.map((name) => `"${name}"`).join(", ")})
       SELECT ${written.map((name) => changed.get(name) ?? `"${name}"`).join(", ")}
       FROM (SELECT * FROM "${table}" LIMIT 1) one, generate_series(${first}, ${last}) n
       ON CONFLICT DO NOTHING`
    )
    if ((rowCount ?? 0) > 0) copied.push(table)
  }
  await client.query("SET session_replication_role = origin")
  await client.query("VACUUM ANALYZE")
  return copied
}
