/** Tells whether the pod accepts requests. The pod accepts requests after it has started, until it begins to stop. */
import { Context, Effect, Layer, Ref } from "effect"
import { Unavailable } from "../../doors/Failure.ts"
import { databaseUnavailable } from "../../doors/Recovery.ts"
import { Database, writeFaultOf } from "../../platform/Database.ts"

export class Readiness extends Context.Tag("pod/Readiness")<
  Readiness,
  {
    /**
     * Succeeds if the pod is ready. Fails if the pod is stopping, or if the database does not answer or cannot store
     * anything.
     */
    readonly check: Effect.Effect<void, Unavailable>
    readonly drain: Effect.Effect<void>
    /** Succeeds after the start has finished, even if the pod is not ready. Fails before the start has finished. */
    readonly started: Effect.Effect<void, Unavailable>
    /** Records that the start has finished. */
    readonly finishStart: Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const database = yield* Database
      const isDraining = yield* Ref.make(false)
      const hasStarted = yield* Ref.make(false)
      return {
        check: Effect.gen(function* () {
          if (yield* Ref.get(isDraining)) {
            return yield* new Unavailable({
              why: "The pod is stopping and accepts no new requests. Try again shortly.",
              retryAfterSeconds: 5
            })
          }
          yield* Effect.mapError(database.ping, (error) =>
            writeFaultOf(error) === undefined
              ? new Unavailable({
                  why: "The database of the pod does not answer. Try again shortly.",
                  retryAfterSeconds: 1
                })
              : databaseUnavailable(error)
          )
          yield* Effect.mapError(database.writable, databaseUnavailable)
        }),
        drain: Ref.set(isDraining, true),
        started: Effect.flatMap(Ref.get(hasStarted), (has) =>
          has
            ? Effect.void
            : new Unavailable({ why: "The pod is still starting. Try again shortly.", retryAfterSeconds: 1 })
        ),
        finishStart: Ref.set(hasStarted, true)
      }
    })
  )
}
