/**
 * Spans of OpenTelemetry, which measure the pod's own work. Code that makes spans asks once, at its start, whether
 * there is a collector. Without a collector the pod does no extra work.
 */
import { Cause, Context, DefaultServices, Effect, Exit, Option, Predicate, Tracer } from "effect"

/**
 * Everything that a span says about its work. The values are words from the pod's code and declarations. A span never
 * contains an id of a key, a person or a record. It also contains no path with the values of a request, and no text of
 * a statement.
 */
export interface SpanFacts {
  readonly "http.request.method"?: string
  /** The template of the path, such as `/api/hub/entities/:id`. */
  readonly "http.route"?: string
  readonly "http.response.status_code"?: number
  /** The code of a failure, or the name of its class. A span that has this attribute has failed. */
  readonly "error.type"?: string
  readonly "pod.surface"?: string
  readonly "pod.verdict"?: string
  readonly "pod.rung"?: string
  readonly "pod.permission"?: string
  readonly "db.system.name"?: string
  /** The kind of a statement: `read`, `write` or `session`. The kind shows what the statement can wait for. */
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

/**
 * Returns true if an attribute is allowed to leave the pod. Libraries make spans too, and the pod removes every
 * attribute for which this function returns false.
 */
export const isSpanFact = (name: string): name is keyof SpanFacts => Object.hasOwn(facts, name)

export interface Spans {
  readonly begin: (name: string, parent: Tracer.AnySpan | undefined, kind?: Tracer.SpanKind) => Tracer.Span
  readonly end: (span: Tracer.Span, facts: SpanFacts) => void
}

/** The tracer of the running program. None if its spans are not collected. */
export const collectingTracer: Effect.Effect<Option.Option<Tracer.Tracer>> = Effect.map(Effect.tracer, (tracer) =>
  tracer === Context.get(DefaultServices.liveServices, Tracer.Tracer) ? Option.none() : Option.some(tracer)
)

/** Returns an object that makes spans. Returns undefined if spans are not collected. */
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
          end: (span, facts) => {
            for (const [fact, value] of Object.entries(facts)) span.attribute(fact, value)
            // The span does not get the result of the work, because the text of a failure can contain private data.
            span.end(clock.unsafeCurrentTimeNanos(), Exit.void)
          }
        }
)

/**
 * Returns the name of a failure. A span contains only this name and not the message, because the name is fixed in the
 * code and the message can contain private data.
 */
const failureNameOf = (cause: Cause.Cause<unknown>): string => {
  if (Cause.isInterruptedOnly(cause)) return "interrupted"
  const failure = Cause.failureOption(cause)
  if (Option.isNone(failure)) return "defect"
  const tag = Predicate.hasProperty(failure.value, "_tag") ? failure.value._tag : undefined
  return typeof tag === "string" ? tag : "failure"
}

export const currentSpan = (context: Context.Context<never>): Tracer.AnySpan | undefined =>
  Option.getOrUndefined(Context.getOption(context, Tracer.ParentSpan))

/**
 * Measures the effect with a span. The parent of this span is the span of the caller. Spans that the effect makes are
 * children of this span.
 */
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
      // the effect does not require the span service, so providing it changes no requirement, and the cast is safe
    ) as Effect.Effect<A, E, R>
  })
