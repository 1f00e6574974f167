/**
 * Work that runs after a call has committed and before the pod answers the call, such as waiting for the end of other
 * transactions. Such work cannot run inside the call. The transaction of the call might still be open, so the call
 * would wait for its own transaction.
 */
import { Effect } from "effect"
import { type Authority, Reach } from "./Reach.ts"

const pendingEffects = new WeakMap<Authority, Array<Effect.Effect<void>>>()

/**
 * An authority is the credential that SQL statements check. For each authority that was made during a call, this map
 * has the authority with which the call began.
 */
const calls = new WeakMap<Authority, Authority>()

/**
 * Marks `derived` as an authority of the same call as `authority`, and returns `derived`. Work that is registered under
 * `derived` runs after the whole call has committed.
 */
export const inSameCall = (authority: Authority, derived: Authority): Authority => {
  if (derived !== authority) calls.set(derived, calls.get(authority) ?? authority)
  return derived
}

/** Returns the authority with which the call of this authority began. */
export const callOf = (authority: Authority): Authority => calls.get(authority) ?? authority

/** Registers work that the pod runs after the call has committed, and before it answers the call. */
export const beforeAnswer = (work: Effect.Effect<void>): Effect.Effect<void, never, Reach> =>
  Effect.map(Reach, ({ authority }) => {
    const ofCall = callOf(authority)
    const earlier = pendingEffects.get(ofCall) ?? []
    if (earlier.length === 0) pendingEffects.set(ofCall, earlier)
    earlier.push(work)
  })

/** Returns true if work was registered for the call with this authority. */
export const hasWorkBeforeAnswer = (authority: Authority): boolean => pendingEffects.has(authority)

/** Runs all work that was registered for the call with this authority, in the order of registration. */
export const runWorkBeforeAnswer = (authority: Authority): Effect.Effect<void> => {
  const works = pendingEffects.get(authority)
  return works === undefined ? Effect.void : Effect.forEach(works, (work) => work, { discard: true })
}
