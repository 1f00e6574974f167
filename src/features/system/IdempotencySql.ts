/** The stored answers of mutations, for repeated requests. The transaction of a mutation also stores its answer. */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { answerNotKept, Idempotency, keptForm, replay } from "../../doors/Idempotency.ts"

export const layer = Layer.effect(
  Idempotency,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return {
      once: (principalId, print, keepsAnswer, effect) =>
        Effect.gen(function* () {
          // This row works as a lock. A repeated request at the same time waits here until the transaction of the first
          // request ends. Then it finds the stored answer. If the first request was rolled back, the repeated one runs
          // itself. An answer that is older than a day is replaced.
          const taken = yield* sql`
            INSERT INTO idempotency_keys (principal_id, fingerprint)
            VALUES (${principalId}, ${print})
            ON CONFLICT (principal_id, fingerprint) DO UPDATE
              SET created_at = now(), answer = NULL
              WHERE idempotency_keys.created_at < now() - interval '24 hours'
            RETURNING principal_id`
          if (taken.length === 0) {
            const [kept] = yield* sql<{ readonly answer: string | null }>`
              SELECT answer FROM idempotency_keys
              WHERE principal_id = ${principalId} AND fingerprint = ${print}`
            if (kept?.answer == null) return yield* answerNotKept
            return replay(kept.answer)
          }
          const answer = yield* effect
          if (keepsAnswer) {
            yield* sql`
              UPDATE idempotency_keys SET answer = ${keptForm(answer)}
              WHERE principal_id = ${principalId} AND fingerprint = ${print}`
          }
          return { answer, isReplay: false }
        }).pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die)) as never
    }
  })
)
