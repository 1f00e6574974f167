/**
 * Counts the searches that read an index at this moment. A search pauses between its steps, and must see the same index
 * until it ends. So a change of the index waits until no search reads the index.
 */
import { Deferred, Effect, FiberId } from "effect"

export class Readers {
  private count = 0
  private whenEmpty: Deferred.Deferred<void> | undefined

  begin(): void {
    this.count++
  }

  end(): void {
    this.count--
    if (this.count > 0 || this.whenEmpty === undefined) return
    Deferred.unsafeDone(this.whenEmpty, Effect.void)
    this.whenEmpty = undefined
  }

  /** Waits until no search reads the index. Then calls `change`. */
  exclusively(change: () => void): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.count === 0) return Effect.succeed(change())
      this.whenEmpty ??= Deferred.unsafeMake<void>(FiberId.none)
      return Effect.zipRight(Deferred.await(this.whenEmpty), this.exclusively(change))
    })
  }
}

/** The readers of an index that the pod is still building. No search can read such an index. */
export const noReaders = new Readers()
