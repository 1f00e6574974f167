/**
 * The settings of tracing. Their names and meanings are those of OpenTelemetry, so the pod can use the variables that a
 * platform already sets.
 */
import { optional, secret, withDefault } from "./Setting.ts"
import { listOf, oneOf, textWhere, trueOrFalse, webUrl, wholeNumber } from "./SettingText.ts"

const pairs = listOf(
  "pairs such as name=value, separated by commas",
  textWhere("a pair such as name=value", (text) => /^[^=\s]+\s*=/.test(text))
)

const shareText = textWhere("a number between 0 and 1", (text) => /^(?:0(?:\.\d+)?|1(?:\.0+)?)$/.test(text))

const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio"
] as const

/**
 * Which traces are sent: all, none or a share. With `parentbased`, the caller decides about a trace that the caller has
 * begun.
 */
export type Sampler = (typeof samplers)[number]

export const telemetrySettings = {
  otlpEndpoint: optional({
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    area: "Telemetry",
    schema: webUrl,
    example: "http://localhost:4318",
    whenAbsent: "no traces",
    doc: "Address of a collector that accepts traces over HTTP; the pod adds /v1/traces to the address."
  }),
  otlpTracesEndpoint: optional({
    name: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    area: "Telemetry",
    schema: webUrl,
    example: "http://localhost:4318/v1/traces",
    whenAbsent: "below OTEL_EXPORTER_OTLP_ENDPOINT",
    doc: "Whole address for traces, instead of the address that the pod makes from OTEL_EXPORTER_OTLP_ENDPOINT."
  }),
  otlpHeaders: secret({
    name: "OTEL_EXPORTER_OTLP_HEADERS",
    area: "Telemetry",
    schema: textWhere("1 to 4000 printable characters", (text) => /^[\x20-\x7e]{1,4000}$/.test(text)),
    fix: "write pairs such as authorization=Bearer%20…, separated by commas",
    whenAbsent: "none",
    doc: "Headers for the collector, such as its credential."
  }),
  otlpProtocol: withDefault({
    name: "OTEL_EXPORTER_OTLP_PROTOCOL",
    area: "Telemetry",
    schema: oneOf("http/protobuf", "http/json"),
    default: "http/protobuf",
    doc: "Format of the traces. The pod does not support gRPC."
  }),
  otelDisabled: withDefault({
    name: "OTEL_SDK_DISABLED",
    area: "Telemetry",
    schema: trueOrFalse,
    default: "false",
    doc: "true: the pod sends no traces, even if other settings ask for traces."
  }),
  otelTracesExporter: withDefault({
    name: "OTEL_TRACES_EXPORTER",
    area: "Telemetry",
    schema: oneOf("otlp", "none"),
    default: "otlp",
    doc: "none: the pod sends no traces."
  }),
  otelServiceName: withDefault({
    name: "OTEL_SERVICE_NAME",
    area: "Telemetry",
    schema: textWhere("1 to 200 characters", (text) => text.length >= 1 && text.length <= 200),
    default: "pod",
    doc: "Name of the service in traces."
  }),
  otelResourceAttributes: withDefault({
    name: "OTEL_RESOURCE_ATTRIBUTES",
    area: "Telemetry",
    schema: pairs,
    default: "",
    example: "deployment.environment.name=production",
    doc: "Further attributes of the service in traces."
  }),
  otelSampler: withDefault({
    name: "OTEL_TRACES_SAMPLER",
    area: "Telemetry",
    schema: oneOf(...samplers),
    default: "parentbased_always_on",
    doc: "Which traces are sent. parentbased follows the header traceparent of a caller; use another sampler if strangers can call the pod."
  }),
  otelSamplerRatio: withDefault({
    name: "OTEL_TRACES_SAMPLER_ARG",
    area: "Telemetry",
    schema: shareText,
    default: "1",
    example: "0.1",
    doc: "Share of the traces that a sampler with traceidratio in its name sends."
  }),
  otelBatchMs: withDefault({
    name: "OTEL_BSP_SCHEDULE_DELAY",
    area: "Telemetry",
    schema: wholeNumber(10, 600_000),
    default: "5000",
    doc: "Milliseconds between two batches of spans."
  }),
  otelBatchMax: withDefault({
    name: "OTEL_BSP_MAX_EXPORT_BATCH_SIZE",
    area: "Telemetry",
    schema: wholeNumber(1, 10_000),
    default: "512",
    doc: "Spans of one batch; a full batch is sent at once."
  })
}
