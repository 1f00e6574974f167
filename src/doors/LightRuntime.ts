/** Makes the runtime in which the pod runs the calls. */
import { Context, Effect, FiberRef, Option, Runtime } from "effect"
import { collectingTracer } from "../platform/Spans.ts"

/**
 * The runtime of calls. It leaves out the services that are made at start, because providing `Reach` would copy them
 * for each call. It makes spans only if a tracer collects them.
 */
export const lightRuntime = Effect.zipWith(Effect.runtime(), collectingTracer, (started, tracer) => {
  const runtime = Runtime.updateContext(started, () => Context.empty())
  return Option.isNone(tracer) ? Runtime.setFiberRef(runtime, FiberRef.currentTracerEnabled, false) : runtime
})
