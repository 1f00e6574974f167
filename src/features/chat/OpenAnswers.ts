/**
 * Limits the number of answers of the language model that run for one credential at the same time. Each answer keeps a
 * connection to the client and a connection to the model service open. Each process of the pod counts only its own
 * answers.
 */
import { Effect } from "effect"
import { TooMany } from "../../doors/Failure.ts"

// The maximum number of answers of one credential that run at the same time. It is enough for a chat server that serves
// a whole team with one key.
const answersMax = 20
const retryAfterSeconds = 5 // seconds; after this time, one of the running answers has probably ended

const tooManyAnswers = new TooMany({
  why: `This credential already waits for ${answersMax} answers, and more are not allowed. Wait until one answer ends, or close one.`,
  retryAfterSeconds
})

/**
 * Makes the function that runs an answer. The function fails with TooMany if the credential already waits for too many
 * answers. An answer counts until it has ended or its reader has closed the connection.
 */
export const openAnswers = () => {
  const counts = new Map<string, number>()
  const add = (credentialId: string, change: 1 | -1) => {
    const open = (counts.get(credentialId) ?? 0) + change
    if (open === 0) counts.delete(credentialId)
    else counts.set(credentialId, open)
  }
  return <A, E, R>(credentialId: string, answer: Effect.Effect<A, E, R>): Effect.Effect<A, E | TooMany, R> =>
    Effect.acquireUseRelease(
      Effect.suspend(() => {
        if ((counts.get(credentialId) ?? 0) >= answersMax) return Effect.fail(tooManyAnswers)
        return Effect.sync(() => add(credentialId, 1))
      }),
      () => answer,
      () => Effect.sync(() => add(credentialId, -1))
    )
}
