/** What a transaction leaves to be done once it has committed, such as telling a worker that there is a job. */
import { Effect, Exit, FiberRef } from "effect"

interface Pending {
  isOpen: boolean
  readonly works: Array<Effect.Effect<void>>
}

const current = FiberRef.unsafeMake<Pending | null>(null)

/** The open transaction of the fiber. A fiber that outlives the transaction it was forked in has none. */
const open = Effect.map(FiberRef.get(current), (pending) => (pending?.isOpen === true ? pending : null))

/** Runs the work when the transaction of the fiber has committed, and never if it fails; at once outside a transaction. */
export const afterCommit = (work: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.flatMap(open, (pending) => (pending === null ? work : Effect.sync(() => void pending.works.push(work))))

/**
 * The same way to run a transaction, which then does what its work left for after the commit. A transaction within another one
 * leaves its part to the outer one.
 */
export const runningAfterCommit =
  <EOwn>(transact: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | EOwn, R>) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | EOwn, R> =>
    Effect.flatMap(open, (outer) => {
      if (outer !== null) return transact(work)
      const pending: Pending = { isOpen: true, works: [] }
      return Effect.onExit(transact(Effect.locally(work, current, pending)), (exit) => {
        pending.isOpen = false
        return Exit.isSuccess(exit) ? Effect.all(pending.works, { discard: true }) : Effect.void
      })
    })
