/** Deletes expired rows: stored answers, sessions, setup links and old invitations. */
import { SqlClient } from "@effect/sql"
import { Effect, Layer, Schedule } from "effect"

const every = "1 hour"

/** One round. It deletes no records of people, and several processes may run it at the same time. */
export const sweep = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM idempotency_keys WHERE created_at < now() - interval '24 hours'`
  yield* sql`DELETE FROM auth_sessions WHERE expires_at < now()`
  yield* sql`DELETE FROM setup_links WHERE expires_at < now()`
  yield* sql`DELETE FROM invitations WHERE expires_at < now() - interval '30 days'`
})

/** Sweeps at the start and every hour until the pod stops. A round that fails is logged and the next one comes. */
export const layer = Layer.scopedDiscard(
  sweep.pipe(
    Effect.sandbox,
    Effect.ignoreLogged,
    Effect.repeat(Schedule.jittered(Schedule.spaced(every))),
    Effect.forkScoped
  )
)
