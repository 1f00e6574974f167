/** The calls in flight by credential, so that revoking one ends them at once in this process. */
import { Context, Layer } from "effect"

export class Revocations extends Context.Tag("pod/Revocations")<
  Revocations,
  {
    /** Registers what ends a call; answers how to take it off again. */
    readonly watch: (credentialId: string, end: () => void) => () => void
    /** Registers who is told of every ended credential, such as what remembers them. */
    readonly listen: (ended: (credentialId: string) => void) => void
    /** Ends every watched call of the credential. Correctness does not rest on it: statements check for themselves. */
    readonly end: (credentialId: string) => void
  }
>() {
  static readonly layer = Layer.sync(this, () => {
    const watched = new Map<string, Set<() => void>>()
    const listeners: Array<(credentialId: string) => void> = []
    return {
      listen: (ended) => void listeners.push(ended),
      watch: (credentialId, end) => {
        const ends = watched.get(credentialId) ?? new Set()
        if (ends.size === 0) watched.set(credentialId, ends)
        ends.add(end)
        return () => {
          ends.delete(end)
          if (ends.size === 0 && watched.get(credentialId) === ends) watched.delete(credentialId)
        }
      },
      end: (credentialId) => {
        for (const ended of listeners) ended(credentialId)
        for (const end of watched.get(credentialId) ?? []) end()
      }
    }
  })
}
