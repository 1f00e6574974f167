/** Answers a request with an idempotency key: runs its handler once, and gives each repetition the stored answer. */
import { Effect } from "effect"
import { Database } from "../platform/Database.ts"
import type { Attempt, Call } from "./Call.ts"
import type { Failure } from "./Failure.ts"
import { answerNotKept, Fingerprints, idempotencyKey } from "./Idempotency.ts"
import { makeKeptAnswers } from "./KeptAnswers.ts"
import type { Reach } from "./Reach.ts"

/** Makes the function that runs the handler of a request with an idempotency key, or returns its stored answer. */
export const makeRepeatedRequests = Effect.gen(function* () {
  const once = yield* makeKeptAnswers
  const fingerprints = yield* Fingerprints
  // A repeated request can get the stored answer while the first request still waits for other transactions. So the
  // repeated request also waits until these transactions end.
  const drained = Effect.orDie((yield* Database).drained)
  return Effect.fnUntraced(function* (
    { operation, progress }: Attempt,
    { describe, header }: NonNullable<Call["idempotent"]>,
    raw: unknown,
    answerEffect: Effect.Effect<unknown, Failure, Reach>
  ) {
    const fingerprint = fingerprints.of({ key: yield* idempotencyKey(header), ...describe(raw) })
    progress.isReplay = false
    const outcome = yield* once(fingerprint, !operation.answersSecret, answerEffect).pipe(
      Effect.tapError((failure) => (failure === answerNotKept ? drained : Effect.void))
    )
    progress.isReplay = outcome.isReplay
    if (outcome.isReplay) yield* drained
    return outcome.answer
  })
})
