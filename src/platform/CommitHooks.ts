/** Runs work after a transaction has committed, for example to tell a worker that a job waits. */
import { Effect, Exit, FiberRef } from "effect"

interface Pending {
  isOpen: boolean
  readonly works: Array<Effect.Effect<void>>
}

const current = FiberRef.unsafeMake<Pending | null>(null)

/**
 * The open transaction of the fiber, or null. A fiber can live longer than the transaction in which it was forked. Such
 * a fiber then has no transaction.
 */
const openHooks = Effect.map(FiberRef.get(current), (pending) => (pending?.isOpen === true ? pending : null))

/**
 * Runs the work after the transaction of the fiber has committed. The work never runs if the transaction fails. Without
 * a transaction the work runs at once.
 */
export const afterCommit = (work: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.flatMap(openHooks, (pending) => (pending === null ? work : Effect.sync(() => void pending.works.push(work))))

/**
 * Runs work that can take seconds, such as a call to another server. Inside a transaction such work is a defect, because
 * the transaction would keep its connection for so long. The embedded database has only one connection.
 */
export const outsideTransaction = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(openHooks, (pending) =>
    pending === null ? work : Effect.dieMessage("The pod must not do slow work inside a transaction.")
  )

/**
 * Wraps a function that runs transactions, so that registered work runs after each commit. An inner transaction gives
 * its registered work to the outer transaction.
 */
export const withCommitHooks =
  <EOwn>(transact: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | EOwn, R>) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | EOwn, R> =>
    Effect.flatMap(openHooks, (outer) => {
      if (outer !== null) return transact(work)
      const pending: Pending = { isOpen: true, works: [] }
      return Effect.onExit(transact(Effect.locally(work, current, pending)), (exit) => {
        pending.isOpen = false
        return Exit.isSuccess(exit) ? Effect.all(pending.works, { discard: true }) : Effect.void
      })
    })
