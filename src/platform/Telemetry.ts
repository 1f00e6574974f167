/**
 * Sends spans over HTTP to a collector of OpenTelemetry, if the settings name one. Without a collector, the pod does
 * not load the code that sends spans.
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { Duration, Effect, Layer, Option, Redacted } from "effect"
import { withoutLastSlashes } from "./ParsedUrl.ts"
import { samplingTracer } from "./Sampling.ts"
import type { SettingsShape } from "./settings/Settings.ts"
import { isSpanFact } from "./Spans.ts"

export type TelemetrySettings = Pick<
  SettingsShape,
  | "otlpEndpoint"
  | "otlpTracesEndpoint"
  | "otlpHeaders"
  | "otlpProtocol"
  | "otelDisabled"
  | "otelTracesExporter"
  | "otelServiceName"
  | "otelResourceAttributes"
  | "otelSampler"
  | "otelSamplerRatio"
  | "otelBatchMs"
  | "otelBatchMax"
>

/** Returns the address of the collector to which spans are sent. Returns none if the pod sends no spans. */
export const tracesAddress = (settings: TelemetrySettings): Option.Option<string> => {
  if (settings.otelDisabled || settings.otelTracesExporter === "none") return Option.none()
  return Option.orElse(settings.otlpTracesEndpoint, () =>
    Option.map(settings.otlpEndpoint, (base) => `${withoutLastSlashes(base)}/v1/traces`)
  )
}

/**
 * Reads pairs from a text such as `name=value,other=value`. The values are encoded as in a URL (W3C Baggage). A pair
 * without a name is left out.
 */
export const pairsOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text.split(",").flatMap((pair) => {
      const [name = "", ...value] = pair.split("=")
      return name.trim() === "" || value.length === 0 ? [] : [[name.trim(), decodeText(value.join("=").trim())]]
    })
  )

const decodeText = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The fields of an OTLP span that this file reads or changes. */
interface SentSpan {
  readonly name: string
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: { readonly stringValue?: string } }>
}

interface SentTraces {
  readonly resourceSpans: ReadonlyArray<{
    readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<SentSpan> }>
  }>
}

const unset = 0
// the status code ERROR of OTLP
const errorStatus = 2

const textOf = ({ attributes }: SentSpan, name: string): string | undefined =>
  attributes.find(({ key }) => key === name)?.value.stringValue

/**
 * Returns the span in the form in which it leaves the pod. The span keeps only the attributes of `SpanFacts`, so
 * attributes that a library added are removed. The span gets its final name here, because the route of a request is
 * known only at the end.
 */
const asSent = (span: SentSpan) => {
  const error = textOf(span, "error.type")
  const route = textOf(span, "http.route")
  return {
    ...span,
    name: route === undefined ? span.name : `${span.name} ${route}`,
    attributes: span.attributes.filter(({ key }) => isSpanFact(key)),
    events: [],
    links: [],
    status: error === undefined ? { code: unset } : { code: errorStatus, message: error }
  }
}

/** Returns the traces as they leave the pod. The argument is what the exporter has collected. */
export const tracesAsSent = ({ resourceSpans }: SentTraces) => ({
  resourceSpans: resourceSpans.map((resource) => ({
    ...resource,
    scopeSpans: resource.scopeSpans.map((scope) => ({ ...scope, spans: scope.spans.map(asSent) }))
  }))
})

/**
 * Collects the spans of the whole program that uses this layer. While the collector does not answer, spans are dropped
 * and the pod continues.
 */
export const layer = (settings: TelemetrySettings, version: string): Layer.Layer<never> => {
  const address = tracesAddress(settings)
  if (Option.isNone(address)) return Layer.empty
  return Layer.unwrapScoped(
    Effect.gen(function* () {
      const OtlpTracer = yield* Effect.promise(() => import("@effect/opentelemetry/OtlpTracer"))
      const { OtlpSerialization, layerJson, layerProtobuf } = yield* Effect.promise(
        () => import("@effect/opentelemetry/OtlpSerialization")
      )
      const encoding = Layer.effect(
        OtlpSerialization,
        Effect.map(OtlpSerialization, (inner) => ({
          ...inner,
          // The exporter makes `collected` in this form, but declares the type `unknown` for it. So the cast is safe.
          traces: (collected) => inner.traces(tracesAsSent(collected as SentTraces))
        }))
      ).pipe(Layer.provide(settings.otlpProtocol === "http/json" ? layerJson : layerProtobuf))
      const tracer = yield* OtlpTracer.make({
        url: address.value,
        resource: {
          serviceName: settings.otelServiceName,
          serviceVersion: version,
          attributes: pairsOf(settings.otelResourceAttributes.join(","))
        },
        headers: pairsOf(Option.match(settings.otlpHeaders, { onNone: () => "", onSome: Redacted.value })),
        exportInterval: Duration.millis(settings.otelBatchMs),
        maxBatchSize: settings.otelBatchMax
      }).pipe(Effect.provide(Layer.merge(encoding, FetchHttpClient.layer)))
      return Layer.setTracer(samplingTracer(tracer, settings.otelSampler, Number(settings.otelSamplerRatio)))
    })
  )
}
