/**
 * Gives a read of the console a time limit. Without a limit, a panel of a pod that does not answer would wait for ever
 * and never show a reason.
 */
import { Refusal } from "./refusal.ts"

// milliseconds; the pod itself ends a slow statement after 15 s, and this answer should still arrive
export const readTimeMs = 20_000

/** The code of a read that the console has given up. The pod did not send this code. */
export const noAnswerCode = "NO_ANSWER"

/**
 * Runs a read. If it has no answer in time, aborts it and fails with a `Refusal` that says so. If `outer` is aborted,
 * the read is aborted too.
 */
export const inTime = <A>(
  read: (signal: AbortSignal) => Promise<A>,
  outer: AbortSignal | undefined,
  limitMs = readTimeMs
): Promise<A> =>
  new Promise((resolve, reject) => {
    const late = new AbortController()
    const timer = setTimeout(() => {
      reject(
        new Refusal(0, { error: `The pod has not answered within ${limitMs / 1000} seconds.`, code: noAnswerCode })
      )
      late.abort()
    }, limitMs)
    read(outer === undefined ? late.signal : AbortSignal.any([outer, late.signal]))
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
