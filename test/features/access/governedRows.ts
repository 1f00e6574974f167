/**
 * Makes rows in every table with row-level security. Finds out which of these rows a statement without conditions sees.
 */
import { SqlClient } from "@effect/sql"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { authorizedRead } from "../../../src/doors/Authority.ts"
import type { Bounds } from "../../../src/doors/Reach.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { allTables, policyColumn, builtInSpaceId, insertInto, ownershipOf, type Table } from "../../support/catalog.ts"
import { aReach } from "../../support/reach.ts"
import { asOwner } from "../../support/stores.ts"

export const person = uuidv7()
const boundsOf = (space: string): Bounds => ({ spaces: [space], kinds: null, objects: null, projects: null })

export const securedTables = Effect.map(allTables, (tables) => tables.filter(({ conditions }) => conditions.length > 0))
export const spaceColumn = (table: Table) =>
  policyColumn(table, "spaces") ?? assert.fail(`${table.name}: no policy asks for the space`)

/** Returns the values that make a row private to the current person, for tables whose policy has private rows. */
export const privateValues = (table: Table): Readonly<Record<string, unknown>> => {
  const column = ownershipOf(table)?.column
  return column === undefined ? {} : { [column]: person }
}

/**
 * Every table with row-level security, with one row in each of the two spaces. Private rows belong to the current
 * person.
 */
export const filledTables = Effect.gen(function* () {
  const tables = yield* securedTables
  const [inside, outside] = [uuidv7(), uuidv7()]
  yield* asOwner(
    Effect.forEach(tables, (table) =>
      Effect.forEach([inside, outside], (space) =>
        insertInto(table.name, { ...privateValues(table), [spaceColumn(table)]: space })
      )
    )
  )
  return { tables, inside, outside, whole: boundsOf(inside) }
})

/**
 * Returns the spaces of the rows that a statement without conditions sees. The transaction has the database settings
 * that belong to `bounds`.
 */
export const visibleSpaces = (table: Table, bounds: Bounds) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* authorizedRead<{ readonly id: string }>(
      sql,
      aReach({ personId: person }),
      bounds,
      () => sql`
        SELECT held.${sql(spaceColumn(table))} AS id
        FROM ${sql(table.name)} held
        WHERE authority.spaces IS NOT NULL`
    )
    return rows.map(({ id }) => id).filter((id) => id !== builtInSpaceId)
  })

/** Returns the spaces of the rows that a statement sees if no database setting says who the caller is. */
export const visibleWithoutSettings = (table: Table) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ readonly id: string }>`SELECT ${sql(spaceColumn(table))} AS id FROM ${sql(table.name)}`
    return rows.map(({ id }) => id).filter((id) => id !== builtInSpaceId)
  })
