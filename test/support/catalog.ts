/**
 * Facts about the tables, read from the database: which tables have row-level security, which columns the policies use,
 * and how to fill each table.
 */
import { SqlClient, type SqlError } from "@effect/sql"
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { sqlStateOf } from "../../src/platform/Database.ts"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { asOwner } from "./stores.ts"

/** The id of the space with the built-in rows, which every pod has and everybody can see. */
export const builtInSpaceId = "00000000-0000-0000-0000-000000000000"

export interface Table {
  readonly name: string
  readonly isSecured: boolean
  /** True if the database role of the pod has any right on the table. */
  readonly isOpen: boolean
  readonly hasSpace: boolean
  /** The conditions of the policies of the table, as PostgreSQL prints them. */
  readonly conditions: ReadonlyArray<string>
}

export const allTables = asOwner(
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<Table>`
      SELECT held.relname AS name, held.relrowsecurity AS "isSecured",
        has_table_privilege('pod_app', held.oid, 'SELECT, INSERT, UPDATE, DELETE') AS "isOpen",
        EXISTS (
          SELECT 1 FROM pg_attribute field
          WHERE field.attrelid = held.oid AND field.attname = 'space_id' AND NOT field.attisdropped) AS "hasSpace",
        ARRAY(
          SELECT condition
          FROM pg_policies policy, unnest(ARRAY[policy.qual, policy.with_check]) condition
          WHERE policy.tablename = held.relname AND policy.schemaname = 'public' AND condition IS NOT NULL) AS conditions
      FROM pg_class held
      WHERE held.relnamespace = 'public'::regnamespace AND held.relkind IN ('r', 'p')
      ORDER BY held.relname`
  )
)

/**
 * Returns the column that a policy of the table compares with this setting. Undefined if no policy compares a column
 * with this setting.
 */
export const policyColumn = (
  { conditions }: Table,
  setting: "spaces" | "person" | "kinds" | "objects"
): string | undefined =>
  conditions
    .map((condition) => new RegExp(`(\\w+) = (?:ANY \\()?\\(+ ?SELECT app_${setting}\\(\\)`).exec(condition)?.[1])
    .find((column) => column !== undefined)

const asksPerson = "\\( SELECT app_person\\("

/**
 * A policy that hides a row from other people in the same space. `column` contains the person who owns the row.
 * If `when` has values, only rows with these values are hidden.
 */
export interface Ownership {
  readonly column: string
  readonly when: Readonly<Record<string, unknown>>
}

/**
 * Returns the policy with which the table hides rows of one person from other people. Undefined if everybody who can
 * read a space sees all rows of the space.
 */
export const ownershipOf = ({ conditions }: Table): Ownership | undefined => {
  for (const condition of conditions) {
    const always = new RegExp(`AND \\((\\w+) = ${asksPerson}`).exec(condition)
    if (always !== null) return { column: always[1], when: {} }
    const flagged = new RegExp(`\\(\\(NOT (\\w+)\\) OR \\((\\w+) = ${asksPerson}`).exec(condition)
    if (flagged !== null) return { column: flagged[2], when: { [flagged[1]]: true } }
    const valued = new RegExp(`\\(\\((\\w+) <> '([^']*)'::text\\) OR \\((\\w+) = ${asksPerson}`).exec(condition)
    if (valued !== null) return { column: valued[3], when: { [valued[1]]: valued[2] } }
  }
  return undefined
}

interface Column {
  readonly name: string
  readonly type: string
}

/** Returns a value that the type and the checks of a column allow. */
const valueFor = (table: string, { name, type }: Column, checks: ReadonlyArray<string>): unknown => {
  const listed = checks
    .map((check) => new RegExp(`\\(${name} = ANY \\(ARRAY\\['([^']*)'`).exec(check)?.[1])
    .find((value) => value !== undefined)
  if (listed !== undefined) return listed
  switch (type) {
    case "uuid":
      return uuidv7()
    case "text":
      return `text ${uuidv7()}`
    case "int2":
    case "int4":
    case "int8":
      return randomBytes(3).readUIntBE(0, 3) % (type === "int2" ? 32_768 : 16_777_216)
    case "float4":
    case "float8":
    case "numeric":
      return 0.5
    case "bytea":
      return randomBytes(16)
    case "jsonb":
      return "{}"
    case "bool":
      return false
    case "timestamptz":
      return new Date(0)
    case "date":
      return "1970-01-01"
    case "_int4":
    case "_text":
    case "_uuid":
      return []
    default:
      throw new Error(`Say in test/support/catalog.ts what a ${type} such as ${table}.${name} may hold.`)
  }
}

/** Inserts a row with the given values. The other required columns get invented values. Runs as the current role. */
export const insertInto = (table: string, given: Readonly<Record<string, unknown>>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = yield* sql<Column>`
      SELECT field.attname AS name, type.typname AS type
      FROM pg_attribute field
      JOIN pg_type type ON type.oid = field.atttypid
      WHERE field.attrelid = ${`public.${table}`}::regclass AND field.attnum > 0 AND NOT field.attisdropped
        AND field.attnotnull AND NOT field.atthasdef AND field.attidentity = ''`
    const checks = yield* sql<{ readonly text: string }>`
      SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint
      WHERE conrelid = ${`public.${table}`}::regclass AND contype = 'c'`
    const texts = checks.map(({ text }) => text)
    const made = Object.fromEntries(columns.map((column) => [column.name, valueFor(table, column, texts)]))
    yield* sql`INSERT INTO ${sql(table)} ${sql.insert({ ...made, ...given })}`
  })

const columnsOf = (table: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ readonly name: string }>`
      SELECT attname AS name FROM pg_attribute
      WHERE attrelid = ${`public.${table}`}::regclass AND attnum > 0 AND NOT attisdropped`
  )

/**
 * Inserts a row into each table with a space column. Uses each given value if the table has a column of that name.
 * The other required columns get invented values. Inserts no row if the table already has a row with the same key.
 */
export const hideInEveryTable = (given: Readonly<Record<string, unknown>>) =>
  Effect.gen(function* () {
    const tables = (yield* allTables).filter(({ hasSpace }) => hasSpace)
    for (const { name } of tables) {
      const names = new Set((yield* asOwner(columnsOf(name))).map((column) => column.name))
      const values = Object.fromEntries(Object.entries(given).filter(([column]) => names.has(column)))
      yield* asOwner(insertInto(name, values)).pipe(
        Effect.catchAllDefect((defect) =>
          sqlStateOf(defect as SqlError.SqlError) === uniqueViolation ? Effect.void : Effect.die(defect)
        )
      )
    }
  })

const uniqueViolation = "23505"

/** A digest of the whole database. Every write changes the digest. */
export const databaseDigest = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* allTables
  const digests = yield* asOwner(
    Effect.forEach(tables, ({ name }) =>
      Effect.map(
        sql<{ readonly digest: string | null }>`
          SELECT md5(string_agg(held::text, '|' ORDER BY held::text)) AS digest FROM ${sql(name)} held`,
        ([row]) => [name, row?.digest ?? null] as const
      )
    )
  )
  return Object.fromEntries(digests)
})
