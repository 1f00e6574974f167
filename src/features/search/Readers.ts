/** Who reads an index now. A search reads it in slices, and must see the same index until its end. */
import { Deferred, Effect, FiberId } from "effect"

export class Readers {
  private count = 0
  private left: Deferred.Deferred<void> | undefined

  come(): void {
    this.count++
  }

  go(): void {
    this.count--
    if (this.count > 0 || this.left === undefined) return
    Deferred.unsafeDone(this.left, Effect.void)
    this.left = undefined
  }

  /** Makes a change when nobody reads. */
  alone(change: () => void): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.count === 0) return Effect.succeed(change())
      this.left ??= Deferred.unsafeMake<void>(FiberId.none)
      return Effect.zipRight(Deferred.await(this.left), this.alone(change))
    })
  }
}

/** The readers of an index that no search knows yet. */
export const noReaders = new Readers()
