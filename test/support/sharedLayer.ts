/** One build of a layer for all tests of a suite. */
import { afterAll, beforeAll } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Scope } from "effect"

/**
 * Builds the layer before the tests of the enclosing describe and closes it after them; returns a layer of the
 * built services for use in a test. Not `layer` of @effect/vitest: that replaces `it.effect` of the whole file,
 * so tests declared after it would run inside its services too.
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
