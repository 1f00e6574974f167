/** Implements `PreferenceStore` in SQL. */
import { SqlClient, type Statement } from "@effect/sql"
import { Effect, Layer } from "effect"
import { authorizedRead, ownRows } from "../../doors/Authority.ts"
import { inSpaces, Reach } from "../../doors/Reach.ts"
import { authorizedWrite } from "../events/AppendEvent.ts"
import type { Passed } from "../gate/Passed.ts"
import { type PreferenceChange, standardPreferences, type StoredPreferences } from "./Preference.ts"
import { changedEvent, PreferenceStore } from "./PreferenceStore.ts"

interface Row {
  readonly id: string
  readonly content: Partial<StoredPreferences>
}

/** Adds the standard values of fields that did not exist yet when the row was stored. */
const complete = (content: Row["content"] | undefined): StoredPreferences => ({
  ...standardPreferences,
  ...content,
  viewModes: { ...standardPreferences.viewModes, ...content?.viewModes }
})

/**
 * Writes the change into the person's row. If the row already exists, it must also meet `condition`. Returns undefined
 * if the statement wrote nothing.
 */
const writePreferences = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  change: PreferenceChange,
  passed: Passed,
  condition: Statement.Fragment = sql.literal("")
) {
  const reach = yield* Reach
  const { personId } = reach.principal
  const bounds = inSpaces(reach.bounds("preference", "update"), [personId])
  const { viewModes, ...fields } = change
  // The database merges the change into the row. So two simultaneous changes do not overwrite each other.
  const [row] = yield* authorizedWrite<Row>(sql, reach, { bounds, passed, event: changedEvent(change) }, () => ({
    changed: sql`
        INSERT INTO preferences AS kept (space_id, person_id, content)
        SELECT ${personId}::uuid, authority.person::uuid,
          ${JSON.stringify(fields)}::jsonb || jsonb_build_object('viewModes', ${JSON.stringify(viewModes ?? {})}::jsonb)
        FROM authority
        WHERE ${personId}::uuid = ANY (authority.spaces)
        ON CONFLICT (person_id, space_id) DO UPDATE
          SET content = kept.content || excluded.content || jsonb_build_object(
            'viewModes', coalesce(kept.content -> 'viewModes', '{}') || (excluded.content -> 'viewModes')),
            updated_at = now()
          ${condition}
        RETURNING kept.person_id AS id, kept.space_id, kept.content`
  }))
  return row
})

/** Reads the preferences of the caller's person, if the caller is allowed to do the action on preferences. */
const readPreferences = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, action: "read" | "update") {
  const reach = yield* Reach
  const own = ownRows(sql)
  const [row] = yield* authorizedRead<Row>(
    sql,
    reach,
    inSpaces(reach.bounds("preference", action), [reach.principal.personId]),
    () => sql`
      SELECT kept.person_id AS id, kept.content
      FROM preferences kept
      WHERE ${own("kept")}`
  )
  return complete(row?.content)
})

export const layer = Layer.effect(
  PreferenceStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    get: readPreferences(sql, "read"),
    base: readPreferences(sql, "update"),

    change: (change, passed) => Effect.map(writePreferences(sql, change, passed), (row) => complete(row?.content)),

    changeFrom: (base, change, passed) =>
      Effect.map(
        writePreferences(
          sql,
          change,
          passed,
          sql`
            WHERE coalesce(kept.content -> 'uiPreferences', '{}') = ${JSON.stringify(base.uiPreferences)}::jsonb
              AND coalesce(kept.content -> 'graphPreferences', '{}') = ${JSON.stringify(base.graphPreferences)}::jsonb`
        ),
        (row) => (row === undefined ? undefined : complete(row.content))
      )
  }))
)
