/**
 * Work that runs after a call has committed and before it is answered, such as waiting until other transactions end. It cannot
 * run inside the call: the call's own transaction may still be open, so the call would wait for itself.
 */
import { Effect } from "effect"
import { type Authority, Reach } from "./Reach.ts"

/**
 * The registered work, by the authority of its call. A reach that is derived from the reach of the call has the same
 * authority object.
 */
const pending = new WeakMap<Authority, Array<Effect.Effect<void>>>()

/** Registers work to run after the call has committed. */
export const afterCommit = (work: Effect.Effect<void>): Effect.Effect<void, never, Reach> =>
  Effect.map(Reach, ({ authority }) => {
    const known = pending.get(authority) ?? []
    if (known.length === 0) pending.set(authority, known)
    known.push(work)
  })

/** Whether work was registered under an authority. */
export const hasAfterCommit = (authority: Authority): boolean => pending.has(authority)

/** Runs all work that was registered under an authority, in the order of registration. */
export const runAfterCommit = (authority: Authority): Effect.Effect<void> => {
  const works = pending.get(authority)
  return works === undefined ? Effect.void : Effect.forEach(works, (work) => work, { discard: true })
}
