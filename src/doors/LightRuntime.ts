/** The runtime that calls run in. */
import { Context, DefaultServices, Effect, FiberRef, Runtime, Tracer } from "effect"

/**
 * The runtime of calls. It does not have the services that are made at start, because providing Reach would copy them
 * for each call. It makes spans only if a tracer collects them.
 */
export const lightRuntime = Effect.zipWith(Effect.runtime(), Effect.tracer, (started, tracer) => {
  const runtime = Runtime.updateContext(started, () => Context.empty())
  return tracer === Context.get(DefaultServices.liveServices, Tracer.Tracer)
    ? Runtime.setFiberRef(runtime, FiberRef.currentTracerEnabled, false)
    : runtime
})
