/** Implements `PodNameStore` in SQL. */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { emptyBounds, Reach } from "../../doors/Reach.ts"
import { authorizedWrite } from "../events/AppendEvent.ts"
import { renameEvent } from "./PodName.ts"
import { PodNameStore } from "./PodNameStore.ts"
import { dieOnSqlError } from "../../platform/SqlDefect.ts"

export const layer = Layer.effect(
  PodNameStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return {
      name: sql<{ readonly name: string | null }>`SELECT name FROM pod_state`.pipe(
        Effect.map(([row]) => row?.name ?? undefined),
        dieOnSqlError
      ),
      rename: Effect.fnUntraced(function* (name, passed) {
        const reach = yield* Reach
        const { personId } = reach.principal
        const [row] = yield* authorizedWrite<{ readonly id: string | null }>(
          sql,
          reach,
          { bounds: { ...emptyBounds, spaces: [personId] }, passed, event: renameEvent(personId, name) },
          () => ({
            changed: sql`
                UPDATE pod_state pod SET name = ${name}::text
                FROM authority JOIN users caller ON caller.id = authority.person::uuid
                WHERE caller.id = pod.owner_id OR caller.is_administrator
                RETURNING caller.id, caller.id AS space_id`
          })
        )
        return row !== undefined && row.id !== null
      })
    }
  })
)
