/**
 * Every procedure of the specification (§4.9) must answer on /trpc for a session and on /api/hub/trpc for a key.
 * Without a credential, every procedure must refuse the call.
 */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { aPod, type Answer, type Caller, type TestPod } from "../support/pod.ts"

/** The table of the specification: routers with their queries and mutations. */
const routers: Readonly<Record<string, { readonly queries?: string; readonly mutations?: string }>> = {
  apiKeys: { queries: "list listSystemKeys", mutations: "create revoke" },
  events: { queries: "list get", mutations: "log" },
  agentConfigs: { queries: "list" },
  capabilities: { queries: "list" },
  channelGateway: { queries: "list" },
  connectors: { queries: "status" },
  files: { queries: "listBuckets" },
  health: { queries: "alive ready migrations metrics" },
  inbox: { queries: "stats" },
  intelligence: {
    queries:
      "listSpecialisations agentDefinitions getServiceCommands getLatestMemoryState getServiceManifest listSystemSkills listRegisteredServices"
  },
  mcpServers: { queries: "list" },
  notifCenter: { queries: "unreadCount getPrefs", mutations: "markAllRead dismissAll" },
  preferences: { queries: "get getViewModes getIntelligenceServices" },
  profileRelations: { queries: "list" },
  profiles: { queries: "list" },
  propertyDefs: { queries: "list" },
  relationDefs: { queries: "list" },
  relations: { queries: "listTypes" },
  secretsVault: {
    queries: "hasVault getVaultMetadata getCategories getTags sharedWithMe getSecurityStats",
    mutations: "recordUnlock generateRecoveryKey"
  },
  setup: { queries: "status" },
  system: { queries: "getCapabilities getDashboardMetrics getServiceHealth getDataPodStats" },
  typesense: { queries: "getStats getQueueStatus", mutations: "initializeCollections" },
  svc: { queries: "me" },
  webhooks: { queries: "list" },
  widgetDefinitions: { queries: "list" },
  workspaces: { queries: "list" }
}

interface Procedure {
  readonly name: string
  readonly kind: "query" | "mutation"
}

const named = (router: string, names: string | undefined, kind: Procedure["kind"]): ReadonlyArray<Procedure> =>
  (names ?? "").split(" ").flatMap((name) => (name === "" ? [] : [{ name: `${router}.${name}`, kind }]))

const procedures = Object.entries(routers).flatMap(([router, { mutations, queries }]) => [
  ...named(router, queries, "query"),
  ...named(router, mutations, "mutation")
])

const missingId = "0190a0a0-0000-7000-8000-00000000dead"

/** The inputs of the procedures that refuse an empty input. */
const inputs: Readonly<Record<string, unknown>> = {
  "apiKeys.create": { keyName: "reader", scope: ["hub-protocol.read"], grant: { permissions: ["*"] } },
  "apiKeys.revoke": { keyId: missingId },
  "events.get": { eventId: missingId },
  "events.log": { type: "pump.started" }
}

/** The statuses other than 200 that are right for these inputs according to the documentation. */
const documented: Readonly<Record<string, ReadonlyArray<number>>> = {
  "apiKeys.revoke": [404],
  "events.get": [404],
  "secretsVault.recordUnlock": [404]
}

const call = (caller: Caller, { kind, name }: Procedure, input = inputs[name]) =>
  kind === "query" ? caller.query(name, input) : caller.mutate(name, input)

let pod: TestPod
beforeAll(async () => {
  pod = await aPod({ kind: "memory" })
})
afterAll(() => pod.stop())

describe("the procedures of the specification", () => {
  it("the specification of the API lists 57 procedures", () => {
    assert.lengthOf(procedures, 57)
  })

  it("a call of any procedure gets the status 200 or a documented refusal, both with a session and with a key with full access", async () => {
    const key = await pod.aKey(pod.owner)
    for (const [through, caller] of [
      ["a session", pod.owner],
      ["a key", key]
    ] as const) {
      for (const procedure of procedures) {
        const { body, status }: Answer = await call(caller, procedure)
        // Only a person may create and list keys, so the pod refuses these calls with a key.
        const isKeys = procedure.name.startsWith("apiKeys.") && caller === key
        const allowed = isKeys ? [403] : [200, ...(documented[procedure.name] ?? [])]
        assert.include(allowed, status, `${procedure.name} through ${through}: ${JSON.stringify(body)}`)
        if (status === 200) assert.isDefined(body.result.data, `${procedure.name} through ${through}`)
        else assert.notMatch(body.error.message, /no procedure/i, procedure.name)
      }
    }
  })

  it("every procedure refuses a call without a credential, and /trpc refuses keys", async () => {
    const key = await pod.aKey(pod.owner)
    const onSessionPath = { headers: key.headers }
    for (const procedure of procedures) {
      const path = procedure.name
      const [method, body] = procedure.kind === "query" ? (["GET", undefined] as const) : (["POST", {}] as const)
      for (const base of ["/trpc", "/api/hub/trpc"]) {
        const { status } = await pod.stranger.send(method, `${base}/${path}`, body)
        assert.strictEqual(status, 401, `${base}/${path}`)
      }
      const { status } = await pod.as(onSessionPath.headers).send(method, `/trpc/${path}`, body)
      assert.include([401, 404], status, `/trpc/${path} with a key`)
    }
  })

  it("the public manifest says of each type of views whether a view can really have it, and lists the kinds of widgets", async () => {
    const { body } = await pod.stranger.send("GET", "/api/hub/manifest")
    const implementedTypes = new Set<string>()
    for (const { configKeys, implemented, type, when } of body.viewTypes) {
      const { status } = await pod.owner.send("POST", "/api/hub/views", { name: type, type })
      assert.deepStrictEqual([status, implemented], implemented ? [200, true] : [400, false], type)
      assert.isNotEmpty(when, type)
      assert.isArray(configKeys, type)
      if (implemented) implementedTypes.add(type)
    }
    assert.isAtLeast(implementedTypes.size, 10)
    for (const type of ["timeline", "graph", "gantt", "mindmap"]) assert.isFalse(implementedTypes.has(type), type)
    assert.isNotEmpty(body.rules)
    assert.deepStrictEqual(body.browserNativeCells, [])
    const { body: widgets } = await pod.owner.query("widgetDefinitions.list")
    assert.deepStrictEqual(
      body.bentoBlockKinds,
      widgets.result.data.map(({ kind }: { readonly kind: string }) => kind)
    )
  })

  it("the public manifest lists every procedure of the specification", async () => {
    const { body } = await pod.stranger.send("GET", "/api/hub/manifest")
    const listed = new Set(
      body.doors
        .filter(({ surface }: { readonly surface: string }) => surface === "procedure")
        .map(({ name }: { readonly name: string }) => name)
    )
    assert.deepStrictEqual(
      procedures.filter(({ name }) => !listed.has(name)),
      []
    )
  })
})
