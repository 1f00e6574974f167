/** Reads the next batch of calls for a person who watches a key, and says when to read another batch. */
import { Effect } from "effect"
import { anyNews, type Batch } from "../../doors/Batch.ts"
import { Reach } from "../../doors/Reach.ts"
import { EventWatch } from "../events/EventWatch.ts"
import type { KeyNotFound } from "../keys/Key.ts"
import { positionAfter, receivedAt } from "./CallPosition.ts"
import { type KeyCall, lastCallsOf } from "./KeyCall.ts"
import { KeyUsage } from "./KeyUsage.ts"

/**
 * Makes the function that reads the calls of a key after a position, oldest first. Without a position, the function
 * returns the current position and no call.
 */
export const callBatch = Effect.gen(function* () {
  const usage = yield* KeyUsage
  const { accessNews } = yield* EventWatch
  return (keyId: string, position: string | undefined): Effect.Effect<Batch<KeyCall>, KeyNotFound, Reach> =>
    Effect.gen(function* () {
      const reach = yield* Reach
      const calls = yield* usage.callsOf(keyId)
      const last = lastCallsOf(calls)
      const from = position ?? positionAfter(last)
      const isReceived = receivedAt(from)
      const received = last.filter(isReceived)
      const items = last
        .filter((call) => !isReceived(call))
        .toReversed()
        .map((value) => {
          received.push(value)
          return { position: positionAfter(received), value }
        })
      const known = new Set(calls.map(({ id }) => id))
      return {
        from,
        items,
        position: positionAfter(last),
        isMore: false,
        news: anyNews(usage.newsOf(keyId, known), accessNews(reach))
      }
    })
})
