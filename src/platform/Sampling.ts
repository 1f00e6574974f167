/** Decides which traces are kept, as the samplers of OpenTelemetry do. */
import { Context, Option, Tracer } from "effect"
import type { Sampler } from "./settings/TelemetrySettings.ts"

/**
 * Computes a number from 0 to 1 from the last 56 bits of a trace id (W3C Trace Context level 2). The sampler compares
 * this number with the share of traces to keep.
 */
const shareOf = (traceId: string): number => parseInt(traceId.slice(-14), 16) / 2 ** 56

/** Makes a span that is not sent. Spans below it are not sent either. */
const unsampledSpan = (
  name: string,
  parent: Option.Option<Tracer.AnySpan>,
  startTime: bigint,
  kind: Tracer.SpanKind
): Tracer.Span => ({
  _tag: "Span",
  name,
  spanId: Option.match(parent, { onNone: () => "0".repeat(16), onSome: ({ spanId }) => spanId }),
  traceId: Option.match(parent, { onNone: () => "0".repeat(32), onSome: ({ traceId }) => traceId }),
  parent,
  context: Context.empty(),
  status: { _tag: "Started", startTime },
  attributes: new Map(),
  links: [],
  sampled: false,
  kind,
  end: () => undefined,
  attribute: () => undefined,
  event: () => undefined,
  addLinks: () => undefined
})

/**
 * Makes a tracer that drops some traces. `sampler` is the name of a sampler in OpenTelemetry. `ratio` is the share of
 * traces to keep. `random` returns a number between 0 and 1 for each new trace.
 */
export const samplingTracer = (
  tracer: Tracer.Tracer,
  sampler: Sampler,
  ratio: number,
  random: () => number = Math.random
): Tracer.Tracer => {
  const share = sampler.endsWith("always_on") ? 1 : sampler.endsWith("always_off") ? 0 : ratio
  const isKept = (parent: Option.Option<Tracer.AnySpan>): boolean => {
    if (Option.isNone(parent)) return random() < share
    // If the pod began the trace, the first span of the trace has already decided. If a caller began the trace, either
    // the caller or the trace id decides, depending on the sampler.
    if (parent.value._tag === "Span" || sampler.startsWith("parentbased")) return parent.value.sampled
    return shareOf(parent.value.traceId) < share
  }
  return Tracer.make({
    context: (run, fiber) => tracer.context(run, fiber),
    span: (name, parent, context, links, startTime, kind, options) =>
      isKept(parent)
        ? tracer.span(name, parent, context, links, startTime, kind, options)
        : unsampledSpan(name, parent, startTime, kind)
  })
}
