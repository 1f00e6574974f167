/** Checks that the files of deploy/otel use only metrics, labels and ports that a pod has. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Option, Redacted } from "effect"
import { readFileSync } from "node:fs"
import { parse } from "yaml"
import { projectRoot } from "../support/migrations.ts"
import { anEmbedded } from "../support/pgliteImage.ts"
import { aPod, type TestPod } from "../support/pod.ts"

const read = (name: string) => readFileSync(`${projectRoot}deploy/otel/${name}`, "utf8")

interface Panel {
  readonly title: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets: ReadonlyArray<{ readonly expr: string }>
}
const { panels, templating } = JSON.parse(read("dashboard.json")) as {
  readonly panels: ReadonlyArray<Panel>
  readonly templating: { readonly list: ReadonlyArray<{ readonly name: string }> }
}
const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))

/** The labels that the OpenTelemetry collector adds to metrics. */
const ofCollector: ReadonlySet<string> = new Set(["job", "instance"])

describe("the Grafana dashboard and the collector of deploy/otel", () => {
  let pod: TestPod
  let metrics: string
  const token = "0123456789abcdef-of-the-dashboard"
  beforeAll(async () => {
    pod = await aPod({ kind: "pglite", open: anEmbedded }, { metricsToken: Option.some(Redacted.make(token)) })
    await pod.owner.send("GET", "/api/hub/entities")
    const answer = await pod.stranger.send("GET", "/metrics", undefined, { authorization: `Bearer ${token}` })
    assert.strictEqual(answer.status, 200)
    metrics = String(answer.body)
  })
  afterAll(() => pod?.stop())

  /** Returns the names of the pod's metrics. A histogram has three names. */
  const known = () =>
    new Set(
      [...metrics.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = "", type = ""]) =>
        type === "histogram" ? ["_bucket", "_count", "_sum"].map((end) => name + end) : [name]
      )
    )

  it("each query of the Grafana dashboard in deploy/otel asks for metrics that the pod has", () => {
    const named = queries.flatMap((query) => [...query.matchAll(/\b(?:pod|process|nodejs)_\w+/g)].map(([name]) => name))
    assert.isAbove(named.length, 20)
    const names = known()
    assert.deepStrictEqual(
      named.filter((name) => !names.has(name)),
      []
    )
  })

  it("each metric of the pod itself is on the Grafana dashboard in deploy/otel", () => {
    const own = [...known()]
      .map((name) => name.replace(/_(?:bucket|count|sum)$/, ""))
      .filter((name) => name.startsWith("pod_"))
    assert.deepStrictEqual(
      [...new Set(own)].filter((name) => !queries.some((query) => query.includes(name))),
      []
    )
  })

  it("if a query of the Grafana dashboard groups its results by a label, a metric of the pod or of the collector has this label", () => {
    const labels = new Set([...metrics.matchAll(/[{,](\w+)="/g)].map(([, label]) => label))
    const declared = ["method", "route", "status", "kind", "verdict", "state", "queue", "version", "le"]
    const grouped = queries.flatMap((query) =>
      [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = ""]) => names.split(", "))
    )
    for (const label of grouped)
      assert.isTrue(labels.has(label) || declared.includes(label) || ofCollector.has(label), label)
    const source = readFileSync(`${projectRoot}src/surfaces/Metrics.ts`, "utf8")
    for (const label of declared.filter((one) => one !== "le")) assert.include(source, `"${label}"`)
  })

  it("the panels of the Grafana dashboard do not overlap, and the dashboard declares the variables that its panels use", () => {
    const cells = panels.flatMap(({ gridPos: { h, w, x, y } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`)
    )
    assert.lengthOf(new Set(cells), cells.length)
    const variables = new Set(
      queries.flatMap((query) => [...query.matchAll(/\$(?!__)(\w+)/g)].map(([, name = ""]) => name))
    )
    assert.includeMembers(
      templating.list.map(({ name }) => name),
      [...variables]
    )
  })

  it("the collector in deploy/otel uses the ports that the page about monitoring states, and uses every receiver, processor and exporter that it declares", () => {
    const page = readFileSync(`${projectRoot}docs/operate/monitoring.md`, "utf8")
    const { exporters, processors, receivers, service } = parse(read("collector.yaml"))
    assert.include(
      page,
      `OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:${receivers.otlp.protocols.http.endpoint.split(":")[1]}`
    )
    const [{ static_configs: targets }] = receivers.prometheus.config.scrape_configs
    assert.include(page, `POD_METRICS_PORT=${targets[0].targets[0].split(":")[1]}`)
    for (const [declared, part] of [
      [receivers, "receivers"],
      [processors, "processors"],
      [exporters, "exporters"]
    ] as const) {
      const used = Object.values<Readonly<Record<string, ReadonlyArray<string>>>>(service.pipelines).flatMap(
        (one) => one[part] ?? []
      )
      assert.sameMembers([...new Set(used)], Object.keys(declared))
    }
  })
})
