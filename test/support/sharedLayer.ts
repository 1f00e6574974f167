/** Builds a layer once for all tests of a suite. */
import { afterAll, beforeAll } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Scope } from "effect"

/**
 * Builds the layer before the tests of the enclosing `describe`, and closes it after them. Returns a layer with the
 * built services, for the tests. `layer` of @effect/vitest cannot do this, because it replaces `it.effect` in the whole
 * file. Tests that are declared later would then also run with its services.
 */
export const sharedLayer = <R, E>(make: () => Layer.Layer<R, E>): Layer.Layer<R> => {
  const scope = Effect.runSync(Scope.make())
  let built: Context.Context<R> | undefined
  beforeAll(async () => {
    built = await Effect.runPromise(Layer.buildWithScope(make(), scope))
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return Layer.effectContext(
    Effect.suspend(() => (built === undefined ? Effect.dieMessage("the layer was not built") : Effect.succeed(built)))
  )
}
