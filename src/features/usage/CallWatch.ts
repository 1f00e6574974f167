/**
 * Wakes the streams that show people the calls with a key. If this node notes a call, the streams of its key wake
 * immediately. Every two seconds, one statement for all streams finds the calls that other nodes have stored.
 */
import { Effect } from "effect"
import type { News } from "../../doors/Batch.ts"
import type { NotedCall } from "./KeyCall.ts"
import type { UsageStore } from "./UsageStore.ts"

const lookEvery = "2 seconds"

interface Watcher {
  readonly known: ReadonlySet<string>
  readonly wake: () => void
}

/** `idsOf` reads the stored calls of keys. `unstored` returns the calls of a key that this node has only noted. */
export const makeCallWatch = Effect.fnUntraced(function* (
  idsOf: UsageStore["Type"]["ids"],
  unstored: (keyId: string) => ReadonlyArray<NotedCall>
) {
  const watchers = new Map<string, Set<Watcher>>()
  const isWatched = yield* Effect.makeLatch(false)

  const look = Effect.gen(function* () {
    for (const { id, keyId } of yield* idsOf([...watchers.keys()])) {
      for (const { known, wake } of watchers.get(keyId) ?? []) if (!known.has(id)) wake()
    }
  })

  yield* isWatched.await.pipe(
    Effect.zipRight(Effect.sleep(lookEvery)),
    // The pod only logs a failed check, because the database might answer again two seconds later. If the database
    // still does not answer, the next read of a stream reports the fault.
    Effect.zipRight(Effect.catchAllCause(look, (cause) => Effect.logDebug("could not look for calls", cause))),
    Effect.forever,
    Effect.forkScoped
  )

  return {
    /** Wakes the streams of a key after this node has noted a call with the key. */
    noted: (keyId: string): void => {
      for (const { wake } of watchers.get(keyId) ?? []) wake()
    },
    /** Tells a stream when the key has a call besides the calls with the ids `known`. */
    newsOf:
      (keyId: string, known: ReadonlySet<string>): News =>
      (changed) => {
        const wake = () => {
          stop()
          changed()
        }
        const watcher = { known, wake }
        const ofKey = watchers.get(keyId) ?? new Set()
        if (ofKey.size === 0) watchers.set(keyId, ofKey)
        ofKey.add(watcher)
        isWatched.unsafeOpen()
        // The process may have noted a call after the batch was read. If this call is stored already, the next check
        // (`look`) finds it.
        const missed = unstored(keyId).every(({ id }) => known.has(id)) ? undefined : setImmediate(wake)
        const stop = () => {
          clearImmediate(missed)
          ofKey.delete(watcher)
          if (ofKey.size === 0 && watchers.get(keyId) === ofKey) watchers.delete(keyId)
          if (watchers.size === 0) isWatched.unsafeClose()
        }
        return stop
      }
  }
})
