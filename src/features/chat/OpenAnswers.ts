/**
 * Limits how many answers of the language model one credential may wait for at the same time. Each holds a connection to
 * the client and one to the service. It counts for each process, as the limit of calls does.
 */
import { Effect } from "effect"
import { TooMany } from "../../doors/Failure.ts"

const answersMax = 20 // a chat server that serves a team with one key writes fewer at once
const retryAfterSeconds = 5 // about the time in which one of so many answers ends

const tooManyAnswers = new TooMany({
  why: `This credential waits for ${answersMax} answers already. Let one of them end, or close it.`,
  retryAfterSeconds
})

/** Makes the function that runs an answer, or fails with TooMany. The place is free when the answer ends, also because its reader has left. */
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
