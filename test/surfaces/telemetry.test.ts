/**
 * Traces. Without a collector the pod makes no spans. With a collector, the spans show what the pod does, but no data
 * of people.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted, Tracer } from "effect"
import { samplingTracer } from "../../src/platform/Sampling.ts"
import { collectedSpans, inSpan } from "../../src/platform/Spans.ts"
import * as Telemetry from "../../src/platform/Telemetry.ts"
import { aCollector, type Collector, type ReceivedSpan } from "../support/collector.ts"
import { anEmbedded } from "../support/pgliteImage.ts"
import { aPod, type TestPod } from "../support/pod.ts"
import { aSettings } from "../support/settings.ts"

const factsOf = ({ attributes }: ReceivedSpan): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/**
 * Makes one span and then ends the exporter, so that the exporter sends the span. Returns false if the settings turn
 * tracing off.
 */
const sendOne = (overrides: Partial<Telemetry.TelemetrySettings>) =>
  Effect.gen(function* () {
    const spans = yield* collectedSpans
    if (spans === undefined) return false
    yield* inSpan(spans, "one", Effect.void)
    return true
  }).pipe(Effect.provide(Telemetry.layer({ ...aSettings(), ...overrides }, "1.2.3")), Effect.runPromise)

describe("the settings of tracing", () => {
  let collector: Collector
  beforeAll(async () => {
    collector = await aCollector()
  })
  afterAll(() => collector.stop())

  it("the pod makes no spans if it has no collector address, if the exporter is `none`, or if OpenTelemetry is disabled", async () => {
    const otlpEndpoint = Option.some(collector.url)
    assert.isFalse(await sendOne({}))
    assert.isFalse(await sendOne({ otlpEndpoint, otelTracesExporter: "none" }))
    assert.isFalse(await sendOne({ otlpEndpoint, otelDisabled: true }))
    assert.lengthOf(collector.received, 0)
  })

  it("the pod sends traces to the configured address in the configured format, with the configured headers and service name", async () => {
    const otlpHeaders = Option.some(Redacted.make("authorization=Bearer%20of-the-collector,x-team=ops"))
    const common = { otlpHeaders, otelServiceName: "shop", otelResourceAttributes: ["deployment.environment=test"] }
    assert.isTrue(await sendOne({ ...common, otlpEndpoint: Option.some(`${collector.url}/`) }))
    assert.isTrue(
      await sendOne({
        ...common,
        otlpProtocol: "http/json",
        otlpTracesEndpoint: Option.some(`${collector.url}/own/path`)
      })
    )
    const [binary, json] = collector.received
    assert.deepStrictEqual([binary?.path, json?.path], ["/v1/traces", "/own/path"])
    assert.strictEqual(binary?.headers["content-type"], "application/x-protobuf")
    assert.deepInclude(json?.headers, { authorization: "Bearer of-the-collector", "x-team": "ops" })
    for (const word of ["shop", "1.2.3", "deployment.environment"]) assert.include(json?.body.toString(), word)
    assert.include(binary?.body.toString("latin1"), "shop")
  })

  it("if the collector of traces cannot be reached, the pod still makes spans, and ends its exporter without an error", async () => {
    assert.isTrue(await sendOne({ otlpEndpoint: Option.some("http://127.0.0.1:1") }))
  })

  it("a trace sampler keeps all spans of a trace or none, and a parent-based sampler decides as the caller did", () => {
    const kept = (sampler: Parameters<typeof samplingTracer>[1], ratio: number, random: number, sampled?: boolean) => {
      const made: Array<string> = []
      const inner = Tracer.make({
        context: (run) => run(),
        span: (...given) => {
          made.push(given[0])
          return { ...Tracer.externalSpan({ traceId: "0", spanId: "0" }), sampled: true, _tag: "Span" } as never
        }
      })
      const tracer = samplingTracer(inner, sampler, ratio, () => random)
      const above =
        sampled === undefined
          ? Option.none()
          : // The last 14 digits of the trace id decide on sampling. Here they are half of their maximum.
            Option.some(Tracer.externalSpan({ traceId: `${"0".repeat(18)}80${"0".repeat(12)}`, spanId: "1", sampled }))
      const context = undefined as never
      const first = tracer.span("first", above, context, [], 0n, "server")
      tracer.span("second", Option.some(first), context, [], 0n, "internal")
      return made
    }
    const both = ["first", "second"]
    assert.deepStrictEqual(kept("always_on", 0, 0.9), both)
    assert.deepStrictEqual(kept("always_off", 1, 0), [])
    assert.deepStrictEqual(kept("traceidratio", 0.5, 0.4), both)
    assert.deepStrictEqual(kept("traceidratio", 0.5, 0.6), [])
    assert.deepStrictEqual(kept("traceidratio", 0.6, 0.9, false), both)
    assert.deepStrictEqual(kept("traceidratio", 0.4, 0.1, true), [])
    assert.deepStrictEqual(kept("parentbased_traceidratio", 0, 0.9, true), both)
    assert.deepStrictEqual(kept("parentbased_always_on", 1, 0, false), [])
  })

  it("before the pod sends a span, it removes the attributes, events and links that a library added", () => {
    const attributes = [
      { key: "db.query.text", value: { stringValue: "SELECT secret" } },
      { key: "pod.verdict", value: { stringValue: "deny" } },
      { key: "error.type", value: { stringValue: "GRANT_DENIED" } }
    ]
    const span = { name: "gate.decide", attributes, events: [{ name: "exception" }], links: [1] }
    const [sent] = Telemetry.tracesAsSent({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }).resourceSpans
    assert.deepStrictEqual(sent?.scopeSpans[0]?.spans[0], {
      name: "gate.decide",
      attributes: attributes.slice(1),
      events: [],
      links: [],
      status: { code: 2, message: "GRANT_DENIED" }
    })
  })
})

describe("the traces of a running pod", () => {
  let collector: Collector
  let pod: TestPod
  beforeAll(async () => {
    collector = await aCollector()
    const settings = aSettings()
    const tracing = Telemetry.layer(
      { ...settings, otlpEndpoint: Option.some(collector.url), otlpProtocol: "http/json", otelBatchMs: 10 },
      "1"
    )
    pod = await aPod({ kind: "pglite", open: anEmbedded }, {}, { logging: tracing })
  })
  afterAll(async () => {
    await pod?.stop()
    await collector.stop()
  })

  const named = (name: string, traceId?: string) =>
    collector.spans().filter((span) => span.name === name && (traceId === undefined || span.traceId === traceId))
  const below = (parent: ReceivedSpan | undefined, name: string) =>
    named(name).find(({ parentSpanId }) => parentSpanId === parent?.spanId)

  it("the span of a request belongs to the trace of the caller and contains the spans of the operation and its SQL statements", async () => {
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
    const id = (await pod.owner.send("POST", "/api/hub/entities", { title: "First words", profileSlug: "note" })).body
      .id as string
    const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
    const read = await pod.owner.send("GET", `/api/hub/entities/${id}`, undefined, { traceparent })
    assert.strictEqual(read.status, 200)
    await collector.until(() => named("GET /api/hub/entities/:id", traceId).length > 0)
    const [request] = named("GET /api/hub/entities/:id", traceId)
    assert.strictEqual(request?.parentSpanId, "00f067aa0ba902b7")
    assert.strictEqual(request?.kind, 2)
    assert.deepStrictEqual(factsOf(request), {
      "http.request.method": "GET",
      "http.route": "/api/hub/entities/:id",
      "http.response.status_code": 200
    })
    const operation = below(request, "entities.get")
    assert.deepStrictEqual(operation && factsOf(operation), { "pod.surface": "rest" })
    const statement = below(operation, "sql read")
    assert.deepInclude(statement && factsOf(statement), { "pod.statement.kind": "read" })
  })

  it("if a request says that its caller does not record the trace, the pod does not send the spans of this trace", async () => {
    const traceId = "5bf92f3577b34da6a3ce929d0e0e4736"
    await pod.owner.send("GET", "/api/hub/users/me", undefined, { traceparent: `00-${traceId}-00f067aa0ba902b7-00` })
    await pod.owner.send("GET", "/api/hub/users/me")
    await collector.until(() => named("GET /api/hub/users/me").length > 0)
    assert.isFalse(collector.spans().some((span) => span.traceId === traceId))
  })

  it("the trace of a write contains a span for the gate's decision, and after a refusal the operation's span has an error, and the request's span has none", async () => {
    const { body } = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: [] })
    const key = await pod.aKey(pod.owner, { agentId: body.result.data.id, grant: { permissions: ["entity.note"] } })
    const refused = await key.send("POST", "/api/hub/entities", { title: "Other words", profileSlug: "note" })
    assert.strictEqual(refused.status, 403)
    const denials = () => named("gate.decide").filter((span) => factsOf(span)["pod.verdict"] === "deny")
    const requestOf = (span: ReceivedSpan | undefined) =>
      collector.spans().find((each) => each.kind === 2 && each.traceId === span?.traceId)
    await collector.until(() => requestOf(denials()[0]) !== undefined)
    const allowed = named("gate.decide").find((span) => factsOf(span)["pod.verdict"] === "allow")
    assert.include(allowed && factsOf(allowed), { "pod.permission": "entity.create" })
    const request = requestOf(denials()[0])
    assert.strictEqual(request?.status.code, 0) // A correct refusal is not an error of the server.
    assert.deepInclude(below(request, "entities.create")?.status, { code: 2, message: "CAPABILITY_MISSING" })
  })

  it("each background job has its own trace without a parent span", async () => {
    await collector.until(() => collector.spans().some(({ name }) => name.startsWith("job ")))
    const job = collector.spans().find(({ name }) => name.startsWith("job "))
    assert.isUndefined(job?.parentSpanId)
    assert.deepInclude(job && factsOf(job), { "pod.job.attempt": 1 })
  })

  it("no span that the pod sends contains an id, a name, content of a record, the path of a request, or the text of an SQL statement", async () => {
    const strange = "0190a0a0-0000-7000-8000-00000000beef"
    const key = await pod.aKey(pod.owner, { keyName: "named by somebody" })
    await key.send("GET", `/api/hub/entities/${strange}`)
    await key.send("GET", `/api/hub/nowhere/${strange}`)
    await key.query(`events.${strange}`)
    await collector.until(() => named("GET none").length > 0 && named("GET /api/hub/entities/:id").length > 1)
    const sent = collector.received.map(({ body }) => body.toString()).join("\n")
    const hidden = [strange, key.id, key.secret, pod.ownerId, "owner@example.com", "First words", "Other words"]
    for (const text of [...hidden, "named by somebody", "Scribe", "SELECT ", "INSERT "]) assert.notInclude(sent, text)
    assert.notMatch(sent, /"(?:stringValue|name)":"[^"]*[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}/)
  })
})
