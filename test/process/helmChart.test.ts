/**
 * Renders the chart of deploy/helm without a cluster. Tests which values the chart refuses, and that the pod has every
 * port, path and variable that the chart uses.
 */
import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { parse, parseAllDocuments } from "yaml"
import { settingsTable } from "../../src/platform/settings/Settings.ts"
import { ChartRefused, renderChart } from "../support/helmTemplate.ts"
import { projectRoot } from "../support/migrations.ts"

const read = (name: string) => readFileSync(`${projectRoot}deploy/helm/${name}`, "utf8")
const defaults = parse(read("values.yaml"))
const chart = parse(read("Chart.yaml"))

type Values = Readonly<Record<string, unknown>>
const needed = {
  image: { ...defaults.image, repository: "registry.example.com/pod" },
  publicUrl: "https://pod.example.com"
}
const onPostgres = { database: { secret: "pod-database" }, secrets: { secret: "pod-secrets" } }

/** Returns the objects that the chart makes from these values. */
const made = (values: Values) => {
  const scope = {
    Values: { ...defaults, ...needed, ...values },
    Release: { Name: "team" },
    Chart: { AppVersion: chart.appVersion }
  }
  const documents = parseAllDocuments(renderChart(read("templates/pod.yaml"), scope))
  for (const { errors } of documents) assert.deepStrictEqual(errors, [])
  const [set, service, budget] = documents.map((one) => one.toJS())
  const [container] = set.spec.template.spec.containers
  const env = new Map<string, string>(
    container.env.map((one: { name: string; value: string }) => [one.name, one.value])
  )
  return { set, service, budget, container, env }
}

describe("the Helm chart", () => {
  it("the Helm chart refuses several replicas of the server with the embedded database, several replicas without shared secrets, and missing values", () => {
    for (const [values, why] of [
      [{ replicas: 2 }, "embedded database"],
      [{ replicas: 2, secrets: onPostgres.secrets }, "embedded database"],
      [{ replicas: 2, database: onPostgres.database }, "same secrets"],
      [{ publicUrl: "" }, "publicUrl"],
      [{ image: defaults.image }, "image.repository"]
    ] as const) {
      assert.throws(() => made(values), ChartRefused, why)
    }
  })

  it("by default the Helm chart runs one replica of the server with the embedded database, and keeps the data in a separate folder on the volume", () => {
    const { container, env, set } = made({})
    assert.strictEqual(set.spec.replicas, 1)
    assert.isFalse(env.has("POD_DATABASE_URL_FILE"))
    const mount = container.volumeMounts.find(({ name }: { name: string }) => name === "data").mountPath
    assert.match(env.get("POD_DATA_DIR") ?? "", new RegExp(`^${mount}/.`))
    assert.strictEqual(container.image, `registry.example.com/pod:${chart.appVersion}`)
  })

  it("the Helm chart can run several replicas of the server with PostgreSQL and shared secrets, and the replicas read the secrets from mounted files", () => {
    const { container, env, set } = made({ ...onPostgres, replicas: 3, settings: { POD_RATE_LIMIT: 1200 } })
    assert.strictEqual(set.spec.replicas, 3)
    assert.strictEqual(set.spec.updateStrategy.type, "OnDelete")
    assert.strictEqual(env.get("POD_RATE_LIMIT"), "1200")
    const files = [...env].filter(([name]) => name.endsWith("_FILE")).map(([, path]) => path)
    assert.lengthOf(files, 4)
    const mounts: ReadonlyArray<string> = container.volumeMounts.map((one: { mountPath: string }) => one.mountPath)
    for (const path of files)
      assert.isTrue(
        mounts.some((mount) => path.startsWith(`${mount}/`)),
        path
      )
    const volumes = [
      ...set.spec.template.spec.volumes,
      ...set.spec.volumeClaimTemplates.map((one: { metadata: object }) => one.metadata)
    ]
    assert.sameMembers(
      container.volumeMounts.map((one: { name: string }) => one.name),
      volumes.map((one: { name: string }) => one.name)
    )
  })

  it("the containers of the Helm chart run without the rights of root, on a file system that they can only read outside of their volumes", () => {
    const { container, set } = made({})
    assert.isTrue(set.spec.template.spec.securityContext.runAsNonRoot)
    assert.deepInclude(container.securityContext, { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true })
    assert.deepStrictEqual(container.securityContext.capabilities, { drop: ["ALL"] })
    const mounts = container.volumeMounts.map((one: { mountPath: string }) => one.mountPath)
    assert.includeMembers(mounts, ["/data", "/tmp"])
  })

  it("the Helm chart takes secret settings and the password of the registry from Secrets, and names no Secret that the operator did not name", () => {
    const { container, set } = made({
      settingsSecret: "pod-settings",
      image: { ...needed.image, pullSecret: "registry" }
    })
    assert.deepStrictEqual(container.envFrom, [{ secretRef: { name: "pod-settings" } }])
    assert.deepStrictEqual(set.spec.template.spec.imagePullSecrets, [{ name: "registry" }])
    const plain = made({})
    assert.notProperty(plain.container, "envFrom")
    assert.notProperty(plain.set.spec.template.spec, "imagePullSecrets")
  })

  it("the Helm chart spreads several replicas over the nodes and lets Kubernetes stop only one of them at a time", () => {
    const several = made({ ...onPostgres, replicas: 3 })
    const labels = several.set.spec.selector.matchLabels
    assert.deepInclude(several.budget.spec, { maxUnavailable: 1, selector: { matchLabels: labels } })
    const [spread] = several.set.spec.template.spec.topologySpreadConstraints
    assert.deepStrictEqual(spread.labelSelector.matchLabels, labels)
    const single = made({})
    assert.isUndefined(single.budget)
    assert.notProperty(single.set.spec.template.spec, "topologySpreadConstraints")
  })

  it("the Helm chart uses the ports, probe paths and variables of the pod", () => {
    const { container, env, service } = made({ ...onPostgres, trustProxy: "10.0.0.0/8" })
    const port = Number(Option.getOrThrow(settingsTable.port.defaultText))
    const ports = new Map<string, number>(
      container.ports.map((one: { name: string; containerPort: number }) => [one.name, one.containerPort])
    )
    assert.strictEqual(ports.get("http"), port)
    assert.strictEqual(String(ports.get("metrics")), env.get("POD_METRICS_PORT"))
    for (const { targetPort, port: served } of service.spec.ports) assert.strictEqual(ports.get(targetPort), served)
    assert.strictEqual(container.readinessProbe.httpGet.path, "/readyz")
    assert.strictEqual(container.livenessProbe.httpGet.path, "/livez")
    assert.strictEqual(container.startupProbe.httpGet.path, "/startupz")
    const known = new Set<string>(Object.values(settingsTable).map(({ name }) => name))
    for (const name of env.keys()) {
      assert.isTrue(name === "NODE_OPTIONS" || known.has(name.replace(/_FILE$/, "")), name)
    }
  })

  it("the Helm chart has the version of the package, and the page about Kubernetes says that the chart was not installed in a cluster", () => {
    const { version } = JSON.parse(readFileSync(`${projectRoot}package.json`, "utf8"))
    assert.deepStrictEqual([chart.version, chart.appVersion], [version, version])
    assert.include(readFileSync(`${projectRoot}docs/operate/kubernetes.md`, "utf8"), "**not installed in a cluster**")
    assert.sameMembers(readdirSync(`${projectRoot}deploy/helm/templates`), ["NOTES.txt", "pod.yaml"])
  })
})
