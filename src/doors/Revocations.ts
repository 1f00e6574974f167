/**
 * Keeps a list of the running reads and open streams of each credential, of each user who holds a credential, and of
 * each person, on this node. So a revocation can end them at once. A mutation is in the list only if it can send parts
 * of its answer.
 */
import { Context, Effect, Layer } from "effect"
import type { Database } from "../platform/Database.ts"
import { dieOnSqlError } from "../platform/SqlDefect.ts"
import { beforeAnswer } from "./BeforeAnswer.ts"
import type { Reach } from "./Reach.ts"

export class Revocations extends Context.Tag("pod/Revocations")<
  Revocations,
  {
    /**
     * Registers the function that ends one running call. `id` is the id of the credential, of its holder or of the
     * person. Returns a function that cancels the registration.
     */
    readonly watch: (id: string, end: () => void) => () => void
    /**
     * Registers a listener. The listener gets the id of each credential, credential holder or person whose calls are
     * ended. The cache of credentials then forgets this id.
     */
    readonly listen: (ended: (id: string) => void) => void
    /**
     * Ends every registered call of the credential, credential holder or person with this id. Without this method, such
     * a call ends later, when its next statement checks the credential.
     */
    readonly end: (id: string) => void
    /**
     * Returns how many running reads and open streams of the credential, credential holder or person with this id are
     * registered.
     */
    readonly watchedBy: (id: string) => number
  }
>() {
  static readonly layer = Layer.sync(this, () => {
    const watched = new Map<string, Set<() => void>>()
    const listeners: Array<(id: string) => void> = []
    return {
      watchedBy: (id) => watched.get(id)?.size ?? 0,
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
 * Registers work that runs after a change is committed that narrows what a credential may write, but ends no credential.
 * The work waits until all transactions that began earlier have ended. So when the pod has answered the change, nothing
 * more is stored that only the former rights allowed.
 */
export const waitBeforeAnswer = (database: typeof Database.Service): Effect.Effect<void, never, Reach> =>
  beforeAnswer(dieOnSqlError(database.drained))

/**
 * Registers work that runs after a revocation or suspension is committed. The work ends the registered calls of these
 * credentials, credential holders or persons on this node, and notifies the other nodes. Then it waits until all
 * transactions that began earlier have ended.
 */
export const endCallsBeforeAnswer =
  (database: typeof Database.Service, revocations: typeof Revocations.Service) =>
  (...ids: ReadonlyArray<string>): Effect.Effect<void, never, Reach> => {
    const ended = Effect.gen(function* () {
      // The ids of a request can have capital letters, because the database accepts these. But every node lists its
      // running calls by ids in lower case.
      for (const id of ids.map((each) => each.toLowerCase())) {
        revocations.end(id)
        yield* database.notify({ kind: "revoked", id })
      }
      yield* database.drained
    }).pipe(dieOnSqlError)
    return beforeAnswer(ended)
  }
