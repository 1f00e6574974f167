/** The runtime that calls run in. */
import { Context, DefaultServices, Effect, FiberRef, Runtime, Tracer } from "effect"

/**
 * The runtime of calls: without the services of the start, which every Reach provided would copy, and without spans
 * where nobody collects them, for then they are made to be thrown away.
 */
export const lightRuntime = Effect.zipWith(Effect.runtime(), Effect.tracer, (started, tracer) => {
  const runtime = Runtime.updateContext(started, () => Context.empty())
  return tracer === Context.get(DefaultServices.liveServices, Tracer.Tracer)
    ? Runtime.setFiberRef(runtime, FiberRef.currentTracerEnabled, false)
    : runtime
})
