/** Tells the streams and consumers of this process about new events, after the commit of each write. */
import { Effect } from "effect"

/** Tells the readers in this process about new writes to one database. */
export interface EventNews {
  /** Counts a write of this person, and wakes the readers that wait for it. The pod calls this after the commit. */
  readonly wrote: (personId: string) => void
  /**
   * Returns a number that grows with each write of the person. A reader compares two such numbers to learn whether it
   * missed a write.
   */
  readonly writesOf: (personId: string) => number
  /** Calls `wake` at each write of the person. Returns the function that stops these calls. */
  readonly wait: (personId: string, wake: () => void) => () => void
  /**
   * Waits for the next write of any caller, and returns the number of this write. Returns immediately if the number of
   * the last write is already higher than `known`.
   */
  readonly next: (known: number) => Effect.Effect<number>
}

// The maximum number of people whose last write the pod remembers. If there are more people, the pod acts as if every
// person had just written something.
const knownMax = 10_000

const make = (): EventNews => {
  let writes = 0
  let forgotten = 0
  const last = new Map<string, number>()
  const waiting = new Map<string, Set<() => void>>()
  const waitingForAll = new Set<() => void>()
  return {
    wrote: (personId) => {
      last.set(personId, ++writes)
      if (last.size > knownMax) {
        last.clear()
        forgotten = writes
      }
      for (const wake of waiting.get(personId) ?? []) wake()
      for (const wake of waitingForAll) wake()
    },
    next: (known) =>
      Effect.async((resume) => {
        if (writes > known) return resume(Effect.succeed(writes))
        const wake = () => {
          waitingForAll.delete(wake)
          resume(Effect.sync(() => writes))
        }
        waitingForAll.add(wake)
        return Effect.sync(() => waitingForAll.delete(wake))
      }),
    writesOf: (personId) => last.get(personId) ?? forgotten,
    wait: (personId, wake) => {
      const wakes = waiting.get(personId) ?? new Set()
      if (wakes.size === 0) waiting.set(personId, wakes)
      wakes.add(wake)
      return () => {
        wakes.delete(wake)
        if (wakes.size === 0 && waiting.get(personId) === wakes) waiting.delete(personId)
      }
    }
  }
}

const newsByDatabase = new WeakMap<object, EventNews>()

/**
 * Returns the `EventNews` of a database. Each pod has its own database client. So two pods in one process do not wake
 * each other's readers.
 */
export const newsOf = (database: object): EventNews => {
  const known = newsByDatabase.get(database) ?? make()
  newsByDatabase.set(database, known)
  return known
}
