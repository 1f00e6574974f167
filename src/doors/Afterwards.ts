/**
 * What has to follow the commit of a call and precede its answer, such as waiting for others to end. Inside the call its own
 * transaction may still be open; waiting there would be waiting for oneself.
 */
import { Effect } from "effect"
import { type Authority, Reach } from "./Reach.ts"

/** By what the statements of a call check, which every reach that is made from the call's own keeps. */
const pending = new WeakMap<Authority, Array<Effect.Effect<void>>>()

/** Has something done once the call is committed. */
export const afterwards = (work: Effect.Effect<void>): Effect.Effect<void, never, Reach> =>
  Effect.map(Reach, ({ authority }) => {
    const known = pending.get(authority) ?? []
    if (known.length === 0) pending.set(authority, known)
    known.push(work)
  })

/** All that was asked for under an authority, in its order; nothing where nothing was. */
export const settleAfterwards = (authority: Authority): Effect.Effect<void> => {
  const works = pending.get(authority)
  return works === undefined ? Effect.void : Effect.forEach(works, (work) => work, { discard: true })
}
