/**
 * Turns: work with the same name runs one after the other on this node. Somebody who waits too long for the turn
 * continues without it, so a turn never stops a call.
 */
import { Effect } from "effect"

interface Queue {
  readonly semaphore: Effect.Semaphore
  /** How many have the turn or wait for it. */
  users: number
}

export type Turns = <A, E, R>(name: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Makes the turns of one place in the code. Somebody waits at most `patienceMs` milliseconds for a turn. */
export const makeTurns = (patienceMs: number): Turns => {
  const queues = new Map<string, Queue>()
  const enter = (name: string): Queue => {
    const queue = queues.get(name) ?? { semaphore: Effect.unsafeMakeSemaphore(1), users: 0 }
    queue.users += 1
    queues.set(name, queue)
    return queue
  }
  const leave = (name: string, queue: Queue) => {
    queue.users -= 1
    if (queue.users === 0) queues.delete(name)
  }
  return (name, work) =>
    Effect.acquireUseRelease(
      Effect.sync(() => enter(name)),
      ({ semaphore }) =>
        Effect.acquireUseRelease(
          // A mutation cannot be interrupted. Here the wait becomes interruptible, so that it can end without the turn.
          Effect.timeoutTo(Effect.interruptible(semaphore.take(1)), {
            duration: patienceMs,
            onSuccess: () => true,
            onTimeout: () => false
          }),
          () => work,
          (hasTurn) => (hasTurn ? semaphore.release(1) : Effect.void)
        ),
      (queue) => Effect.sync(() => leave(name, queue))
    )
}
