/** Implements `SampleStore` in SQL. */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { authorizedRead } from "../../doors/Authority.ts"
import { Reach } from "../../doors/Reach.ts"
import { sampleTemplate, sampleType } from "../../shared/SampleMark.ts"
import { authorizedWrite } from "../events/AppendEvent.ts"
import { removalEvent, SampleStore } from "./SampleStore.ts"

export const layer = Layer.effect(
  SampleStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return {
      list: Effect.gen(function* () {
        const reach = yield* Reach
        const rows = yield* authorizedRead<{ readonly id: string; readonly is_own: boolean }>(
          sql,
          reach,
          reach.bounds("workspace", "read"),
          ({ within }) => sql`
            SELECT space.id, space.owner_id = authority.person::uuid AS is_own
            FROM spaces space
            WHERE ${within("space")}
              AND space.kind = 'workspace'
              AND space.archived_at IS NULL
              AND space.template_id = ${sampleTemplate}
              AND space.workspace_type = ${sampleType}
            ORDER BY space.created_at, space.id`
        )
        return rows.map(({ id, is_own }) => ({ id, isOwn: is_own }))
      }),

      remove: Effect.fnUntraced(function* (id, passed) {
        const reach = yield* Reach
        const { personId } = reach.principal
        const bounds = reach.bounds("workspace", "delete")
        // The event goes to the person's own log, so the statement must also be allowed to write in the person's own
        // space.
        const spaces = [...new Set([...bounds.spaces, personId])]
        const rows = yield* authorizedWrite<{ readonly id: string }>(
          sql,
          reach,
          { bounds: { ...bounds, spaces }, passed, event: removalEvent(id) },
          ({ within }) => ({
            // `authority` has a row only if the credential of the caller is valid. The database function below gets its
            // argument from this row, so it does not run without a valid credential.
            changed: sql`
              SELECT removed.id, authority.person::uuid AS space_id
              FROM authority
              JOIN spaces space ON space.id = ${id}::uuid AND ${within("space")},
              LATERAL remove_sample_workspace(space.id) AS removed (id)
              WHERE removed.id IS NOT NULL`
          })
        )
        return rows.length > 0
      })
    }
  })
)
