/** The calls in flight by credential, by who holds it and by person, so that ending one ends them at once in this process. */
import { Context, Effect, Layer } from "effect"
import type { Database } from "../platform/Database.ts"
import { afterwards } from "./Afterwards.ts"
import type { Reach } from "./Reach.ts"

export class Revocations extends Context.Tag("pod/Revocations")<
  Revocations,
  {
    /** Registers what ends a call of this credential, holder or person; answers how to take it off again. */
    readonly watch: (id: string, end: () => void) => () => void
    /** Registers who is told of everything that ended, such as what remembers credentials. */
    readonly listen: (ended: (id: string) => void) => void
    /** Ends every watched call of the credential, the holder or the person. Correctness does not rest on it: statements check. */
    readonly end: (id: string) => void
  }
>() {
  static readonly layer = Layer.sync(this, () => {
    const watched = new Map<string, Set<() => void>>()
    const listeners: Array<(id: string) => void> = []
    return {
      listen: (ended) => void listeners.push(ended),
      watch: (id, end) => {
        const ends = watched.get(id) ?? new Set()
        if (ends.size === 0) watched.set(id, ends)
        ends.add(end)
        return () => {
          ends.delete(end)
          if (ends.size === 0 && watched.get(id) === ends) watched.delete(id)
        }
      },
      end: (id) => {
        for (const ended of listeners) ended(id)
        for (const end of watched.get(id) ?? []) end()
      }
    }
  })
}

/**
 * What follows the commit of a flag that ends credentials, or all that one holder or one person presents: ends what runs
 * here, tells the other nodes, and waits for what began before it.
 */
export const endingAfterwards =
  (database: typeof Database.Service, revocations: typeof Revocations.Service) =>
  (...ids: ReadonlyArray<string>): Effect.Effect<void, never, Reach> => {
    const ended = Effect.gen(function* () {
      for (const id of ids) {
        revocations.end(id)
        yield* database.tell({ kind: "revoked", id })
      }
      yield* database.drained
    }).pipe(Effect.catchTag("SqlError", Effect.die))
    return afterwards(ended)
  }
