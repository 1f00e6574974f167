/** Counts the SQL statements of the calls of a pod. The pod measures each statement of a call with a span. */
import { Layer, Option, Tracer } from "effect"

const runs = 3

export interface CountedStatements {
  /** The logging layer of the pod whose statements are counted. */
  readonly logging: Layer.Layer<never>
  /**
   * Runs the work a few times, and returns the least number of statements that a run took. The first run fills the
   * caches. An entry of a cache can expire in a later run, so one run is not enough. The work must commit no write,
   * because the pod's own work after a commit belongs to the same call.
   */
  readonly during: (work: () => Promise<unknown>) => Promise<number>
}

export const countedStatements = (): CountedStatements => {
  // Work of the pod that follows an earlier call has the number of that call, and is not counted.
  const callOf = new WeakMap<object, number>()
  let calls = 0
  let firstCall = Infinity
  let count = 0
  const tracer = Tracer.make({
    context: (run) => run(),
    span: (name, parent, context, links, startTime, kind) => {
      const span: Tracer.Span = {
        _tag: "Span",
        name,
        spanId: "0",
        traceId: "0",
        parent,
        context,
        status: { _tag: "Started", startTime },
        attributes: new Map(),
        links,
        sampled: true,
        kind,
        end: () => undefined,
        attribute: () => undefined,
        event: () => undefined,
        addLinks: () => undefined
      }
      // A job of the pod is no call.
      const begin = () => (kind === "server" ? ++calls : 0)
      const call = Option.match(parent, { onNone: begin, onSome: (above) => callOf.get(above) ?? 0 })
      callOf.set(span, call)
      if (name.startsWith("sql ") && call >= firstCall) count += 1
      return span
    }
  })
  return {
    logging: Layer.setTracer(tracer),
    during: async (work) => {
      await work()
      let least = Infinity
      for (let run = 0; run < runs; run++) {
        count = 0
        firstCall = calls + 1
        await work()
        least = Math.min(least, count)
      }
      return least
    }
  }
}
