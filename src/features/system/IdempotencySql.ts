/**
 * The SQL store of the answers of mutations, for repeated requests. A mutation and its stored answer are written in one
 * transaction.
 */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { answerNotKept, type Fingerprint, Idempotency, keptForm, replay } from "../../doors/Idempotency.ts"
import { byteaArray } from "../../platform/ArrayLiteral.ts"
import { dieOnSqlError } from "../../platform/SqlDefect.ts"

interface BegunRow {
  readonly fingerprint: Uint8Array
}

export const layer = Layer.effect(
  Idempotency,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const begin = (principalId: string, hash: Buffer) => sql<BegunRow>`
      INSERT INTO idempotency_keys (principal_id, fingerprint)
      VALUES (${principalId}, ${hash})
      ON CONFLICT (principal_id, fingerprint) DO UPDATE
        SET created_at = now(), answer = NULL
        WHERE idempotency_keys.created_at < now() - interval '24 hours'
      RETURNING fingerprint`

    /**
     * Inserts one row for each hash of the request. The pod makes one hash with each of its secrets. Two nodes can have
     * the same secrets in a different order. The statement sorts the hashes, so both nodes lock the rows in the same
     * order. So one node waits for the other, and there is no deadlock.
     */
    const beginAll = (principalId: string, print: Fingerprint) => sql<BegunRow>`
      INSERT INTO idempotency_keys (principal_id, fingerprint)
      SELECT ${principalId}, hash FROM unnest(${byteaArray(print)}::bytea[]) hash ORDER BY hash
      ON CONFLICT (principal_id, fingerprint) DO UPDATE
        SET created_at = now(), answer = NULL
        WHERE idempotency_keys.created_at < now() - interval '24 hours'
      RETURNING fingerprint`

    return {
      once: (principalId, print, keepsAnswer, effect) =>
        Effect.gen(function* () {
          const hashes = byteaArray(print)
          // The inserted row is a lock. A simultaneous repeated request waits here until the transaction of the first
          // request ends. Then the repeated request finds the stored answer. But if the first transaction was rolled
          // back, the repeated request does the work itself. If the stored answer is older than a day, the statement
          // removes the answer, and the work runs again.
          const begun = yield* print.length === 1 ? begin(principalId, print[0]) : beginAll(principalId, print)
          if (begun.length < print.length) {
            if (begun.length > 0) {
              // The first request stored fewer rows, because the pod had fewer secrets at that time. Only the rows of
              // the first request can have the answer. So this statement deletes the further rows that the repeated
              // request has just added.
              yield* sql`
                DELETE FROM idempotency_keys
                WHERE principal_id = ${principalId}
                  AND fingerprint = ANY (${byteaArray(begun.map(({ fingerprint }) => Buffer.from(fingerprint)))}::bytea[])`
            }
            const [stored] = yield* sql<{ readonly answer: string | null }>`
              SELECT answer FROM idempotency_keys
              WHERE principal_id = ${principalId} AND fingerprint = ANY (${hashes}::bytea[])`
            if (stored?.answer == null) return yield* answerNotKept
            return replay(stored.answer)
          }
          const answer = yield* effect
          if (keepsAnswer) {
            yield* sql`
              UPDATE idempotency_keys SET answer = ${keptForm(answer)}
              WHERE principal_id = ${principalId} AND fingerprint = ANY (${hashes}::bytea[])`
          }
          return { answer, isReplay: false }
        }).pipe(sql.withTransaction, dieOnSqlError)
    }
  })
)
