/**
 * Spans of OpenTelemetry, which measure the pod's own work. Code that makes spans asks once, at its start, whether
 * there is a collector, so that a pod without one does no extra work.
 */
import { Cause, Context, DefaultServices, Effect, Exit, Option, Tracer } from "effect"

/**
 * Everything that a span says about its work. These are words of the pod and of its declarations: no id of a key, a person or
 * a record, no path as it was sent, and no text of a statement.
 */
export interface SpanFacts {
  readonly "http.request.method"?: string
  /** The template of the path, such as `/api/hub/entities/:id`. */
  readonly "http.route"?: string
  readonly "http.response.status_code"?: number
  /** The code of a failure, or the name of its class. A span with it has failed. */
  readonly "error.type"?: string
  readonly "pod.surface"?: string
  readonly "pod.verdict"?: string
  readonly "pod.rung"?: string
  readonly "pod.permission"?: string
  readonly "db.system.name"?: string
  /** `read`, `write` or `session`: what a statement may wait for. */
  readonly "pod.statement.kind"?: string
  readonly "pod.job.attempt"?: number
}

const facts: Readonly<Record<keyof SpanFacts, true>> = {
  "http.request.method": true,
  "http.route": true,
  "http.response.status_code": true,
  "error.type": true,
  "pod.surface": true,
  "pod.verdict": true,
  "pod.rung": true,
  "pod.permission": true,
  "db.system.name": true,
  "pod.statement.kind": true,
  "pod.job.attempt": true
}

/** Whether an attribute is one that leaves the pod. Libraries make spans too, with other attributes. */
export const isSpanFact = (name: string): name is keyof SpanFacts => Object.hasOwn(facts, name)

export interface Spans {
  readonly begin: (name: string, parent: Tracer.AnySpan | undefined, kind?: Tracer.SpanKind) => Tracer.Span
  readonly end: (span: Tracer.Span, facts: SpanFacts) => void
}

/** The tracer of the running program; none if nobody collects its spans. */
export const collectingTracer: Effect.Effect<Option.Option<Tracer.Tracer>> = Effect.map(Effect.tracer, (tracer) =>
  tracer === Context.get(DefaultServices.liveServices, Tracer.Tracer) ? Option.none() : Option.some(tracer)
)

/** Makes spans; undefined if nobody collects them. */
export const collectedSpans: Effect.Effect<Spans | undefined> = Effect.zipWith(
  collectingTracer,
  Effect.clock,
  (found, clock) =>
    Option.isNone(found)
      ? undefined
      : {
          begin: (name, parent, kind = "internal") =>
            found.value.span(
              name,
              Option.fromNullable(parent),
              Context.empty(),
              [],
              clock.unsafeCurrentTimeNanos(),
              kind
            ),
          end: (span, said) => {
            for (const [fact, value] of Object.entries(said)) span.attribute(fact, value)
            // The exit of the work is not passed on, because the text of a failure can hold anything.
            span.end(clock.unsafeCurrentTimeNanos(), Exit.void)
          }
        }
)

/** A span has only the name of a failure, which is a name in the code. */
const failureNameOf = (cause: Cause.Cause<unknown>): string => {
  if (Cause.isInterruptedOnly(cause)) return "interrupted"
  const failure = Cause.failureOption(cause)
  if (Option.isNone(failure)) return "defect"
  const { _tag: tag } = failure.value as { readonly _tag?: unknown }
  return typeof tag === "string" ? tag : "failure"
}

export const currentSpan = (context: Context.Context<never>): Tracer.AnySpan | undefined =>
  Option.getOrUndefined(Context.getOption(context, Tracer.ParentSpan))

/** Measures the effect by a span below the span of its caller. What the effect calls makes its spans below this one. */
export const inSpan = <A, E, R>(
  spans: Spans,
  name: string,
  effect: Effect.Effect<A, E, R>,
  factsOf: (value: A) => SpanFacts = () => ({})
): Effect.Effect<A, E, R> =>
  Effect.withFiberRuntime<A, E, R>((fiber) => {
    const span = spans.begin(name, currentSpan(fiber.currentContext))
    return Effect.provideService(effect, Tracer.ParentSpan, span).pipe(
      Effect.onExit((exit) =>
        Effect.sync(() =>
          spans.end(span, Exit.isSuccess(exit) ? factsOf(exit.value) : { "error.type": failureNameOf(exit.cause) })
        )
      )
    ) as Effect.Effect<A, E, R> // a service that the effect did not ask for leaves its needs as they are
  })
