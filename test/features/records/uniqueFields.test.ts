/** Compares the unique fields of the record types with the unique indexes of their tables. */
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Thread } from "../../../src/features/conversations/Thread.ts"
import { Facet } from "../../../src/features/facets/Facet.ts"
import { FocusSession } from "../../../src/features/focusSessions/FocusSession.ts"
import { ProfileType } from "../../../src/features/profiles/Profile.ts"
import { PropertyDef } from "../../../src/features/profiles/PropertyDef.ts"
import { Provider } from "../../../src/features/providers/Provider.ts"
import { columnOf, type Unique } from "../../../src/features/records/RecordType.ts"
import { Relation } from "../../../src/features/relations/Relation.ts"
import { SetupIssuer } from "../../../src/features/setup/SetupIssuer.ts"
import { asOwner, onEachDatabase } from "../../support/stores.ts"

interface Index {
  readonly table: string
  readonly columns: ReadonlyArray<string>
  readonly condition: string
}

const withUnique: ReadonlyArray<{ readonly table: string; readonly unique: Unique | undefined }> = [
  Facet,
  FocusSession,
  ProfileType,
  PropertyDef,
  Provider,
  Relation,
  SetupIssuer,
  Thread
]

const describe = (table: string, columns: ReadonlyArray<string>, when: string | undefined) =>
  `${table}: ${columns.toSorted().join(", ")}${when === undefined ? "" : ` when ${when}`}`

const declared = withUnique.map(({ table, unique }) =>
  describe(table, ["space_id", ...(unique?.fields ?? []).map(columnOf)], unique?.when && columnOf(unique.when))
)

/** Returns the boolean column in the condition of an index, if the condition has a boolean column. */
const whenOf = (condition: string) => /\(is_\w+ AND|AND is_\w+\)/.exec(condition)?.[0].match(/is_\w+/)?.[0]

onEachDatabase("unique fields of records", (stores) => {
  it.effect(
    "each unique index of a table of records is declared in the record type, and the record type declares no other unique index",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const found = yield* asOwner(sql<Index>`
        SELECT of.relname AS table, pg_get_expr(index.indpred, index.indrelid) AS condition,
          ARRAY(SELECT pg_get_indexdef(index.indexrelid, at, true) FROM generate_series(1, index.indnkeyatts) at) AS columns
        FROM pg_index index
        JOIN pg_class of ON of.oid = index.indrelid
        WHERE index.indisunique AND NOT index.indisprimary
          AND pg_get_expr(index.indpred, index.indrelid) LIKE '%archived_at IS NULL%'
        ORDER BY of.relname`)
        const indexes = found.map(({ columns, condition, table }) => describe(table, columns, whenOf(condition)))
        assert.deepStrictEqual(indexes.toSorted(), declared.toSorted())
      }).pipe(Effect.provide(stores))
  )
})
