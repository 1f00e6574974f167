/** Profiles in SQL. */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { governed } from "../../doors/Authority.ts"
import { Reach } from "../../doors/Reach.ts"
import { Profiles } from "./Profiles.ts"

export const layer = Layer.effect(
  Profiles,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return {
      kinds: Effect.gen(function* () {
        const reach = yield* Reach
        const bounds = {
          spaces: reach.principal.memberships.map(({ spaceId }) => spaceId),
          kinds: null,
          objects: null,
          projects: null
        }
        const rows = yield* governed<{ readonly id: string; readonly slug: string }>(
          sql,
          reach,
          bounds,
          (authority) => sql`
            WITH ${authority}
            SELECT profile.id, profile.slug
            FROM authority LEFT JOIN profiles profile
              ON profile.space_id = ANY (authority.spaces::uuid[])
              OR profile.space_id = '00000000-0000-0000-0000-000000000000'`
        )
        return new Set(rows.map(({ slug }) => slug))
      }).pipe(Effect.catchTag("SqlError", Effect.die))
    }
  })
)
