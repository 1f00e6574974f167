/**
 * The procedures that tell clients about a pod, such as statistics, status and preferences. Answers contain no data of
 * other people.
 */
import { assert, it } from "@effect/vitest"
import { Option } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { afterAll, beforeAll } from "vitest"
import { version } from "../../../src/Version.ts"
import { aModelStub, replies } from "../../support/modelStub.ts"
import { projectRoot } from "../../support/migrations.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { onOneStorage } from "../../support/storages.ts"

const data = async (caller: Caller, name: string, input?: unknown) => {
  const { body, status } = await caller.query(name, input)
  assert.strictEqual(status, 200, `${name}: ${JSON.stringify(body)}`)
  return body.result.data
}

const narrow = { grant: { permissions: ["entity.note.read"] } }

/**
 * All procedures of this test that read. A grant cannot limit what they read, so they refuse a key with a narrow grant.
 */
const reads = [
  "agentConfigs.list",
  "capabilities.list",
  "channelGateway.list",
  "files.listBuckets",
  "health.migrations",
  "inbox.stats",
  "intelligence.listSpecialisations",
  "intelligence.agentDefinitions",
  "intelligence.getServiceCommands",
  "intelligence.getLatestMemoryState",
  "intelligence.getServiceManifest",
  "intelligence.listSystemSkills",
  "intelligence.listRegisteredServices",
  "mcpServers.list",
  "preferences.get",
  "preferences.getViewModes",
  "preferences.getIntelligenceServices",
  "setup.status",
  "system.getCapabilities",
  "system.getDashboardMetrics",
  "system.getServiceHealth",
  "system.getDataPodStats",
  "typesense.getStats",
  "typesense.getQueueStatus",
  "widgetDefinitions.list"
]

onOneStorage("the tRPC procedures that report on a pod", (storage) => {
  let pod: TestPod
  beforeAll(async () => {
    pod = await aPod(storage)
  })
  afterAll(() => pod.stop())

  it("every tRPC procedure that reports on the pod refuses a suspended person and a key with a narrow grant", async () => {
    const key = await pod.aKey(pod.owner, narrow)
    for (const name of reads) {
      const { body, status } = await key.query(name)
      assert.strictEqual(status, 403, name)
      assert.strictEqual(body.error.data.reason, "GRANT_DOOR_UNSUPPORTED", name)
    }
    const person = await pod.aPerson()
    const theirs = await pod.aKey(person)
    await pod.owner.send("PATCH", `/api/hub/people/${person.id}`, { isSuspended: true })
    for (const caller of [person, theirs]) {
      for (const name of reads) assert.strictEqual((await caller.query(name)).status, 401, name)
    }
  })

  it("the statistics of a pod count the caller's own records, and not the records of another person", async () => {
    const [one, other] = [await pod.aPerson(), await pod.aPerson()]
    const workspaceId = await pod.aWorkspace(one)
    const before = await data(one, "system.getDataPodStats")
    assert.deepInclude(before, { entities: 0, documents: 0, memoryFacts: 0, attachments: 0, workspaces: 1 })
    for (const profileSlug of ["note", "note", "task"]) {
      await one.send("POST", "/api/hub/entities", { title: "counted", profileSlug, workspaceId })
    }
    await one.send("POST", "/api/hub/documents", { title: "Plan", content: "Text", type: "text", workspaceId })
    await one.send("PUT", "/api/hub/knowledge/deploy", { value: 1, workspaceId })
    await other.send("POST", "/api/hub/entities", { title: "theirs", profileSlug: "note" })
    await other.send("POST", "/api/hub/documents", { title: "Theirs", content: "Text", type: "text" })
    const after = await data(one, "system.getDataPodStats")
    assert.deepInclude(after, { entities: 3, documents: 1, knowledgeEntries: 1, workspaces: 1 })
    assert.deepStrictEqual(after.entitiesByProfile, { note: 2, task: 1 })
    assert.isAbove(after.events24h, before.events24h)
    const { buckets } = await data(one, "files.listBuckets")
    assert.deepStrictEqual(
      buckets.map(({ createdAt, name }: Record<string, string | null>) => [name, createdAt !== null]),
      [
        ["attachments", false],
        ["documents", true]
      ]
    )
    assert.deepInclude(await data(await pod.aPerson(), "system.getDataPodStats"), { entities: 0, documents: 0 })
  })

  it("the dashboard shows only the caller's own events, and counts a refusal as an error", async () => {
    const [one, other] = [await pod.aPerson(), await pod.aPerson()]
    const workspaceId = await pod.aWorkspace(one)
    await one.mutate("events.log", { type: "pump.started", workspaceId })
    await other.mutate("events.log", { type: "secret.thing" })
    const calm = await data(one, "system.getDashboardMetrics")
    assert.deepInclude(calm.health, { status: "healthy", errorRate: 0 })
    const key = await pod.aKey(one, narrow)
    assert.strictEqual((await key.send("POST", "/api/hub/entities", { title: "no", profileSlug: "note" })).status, 403)
    const refused = await data(one, "system.getDashboardMetrics")
    assert.strictEqual(refused.health.status, "critical")
    const [latest] = refused.latestEvents
    assert.deepInclude(latest, { type: "access.refused", userId: one.id, isError: true })
    assert.deepStrictEqual([...new Set(refused.latestEvents.map((each: { userId: string }) => each.userId))], [one.id])
    assert.notInclude(JSON.stringify(refused), "secret.thing")
    assert.deepStrictEqual(refused.connections, { activeSSEClients: 0, activeHandlers: 1 })
    assert.isAbove(refused.tools.totalTools, 5)
  })

  it("the list of agent configurations shows for each agent its roles in workspaces and the number of its active keys", async () => {
    const person = await pod.aPerson()
    const workspaceId = await pod.aWorkspace(person)
    const { body } = await person.mutate("agents.create", { name: "Scribe", capabilities: ["entity.note"] })
    const agentId: string = body.result.data.id
    await person.mutate("agents.update", { agentId, writesRequireProposal: false })
    await person.send("POST", "/api/hub/workspaces/enroll-agent", { agentUserId: agentId, workspaceId, role: "editor" })
    const [first, second] = [await pod.aKey(person, { agentId }), await pod.aKey(person, { agentId })]
    await person.mutate("apiKeys.revoke", { keyId: second.id })
    const [config, ...others] = await data(person, "agentConfigs.list")
    assert.lengthOf(others, 0)
    assert.deepInclude(config, { agentId, name: "Scribe", capabilities: ["entity.note"], relaxed: true, keyCount: 1 })
    assert.deepStrictEqual(config.roles, [{ workspaceId, role: "editor" }])
    assert.notInclude(JSON.stringify(config), first.secret)
    assert.deepStrictEqual(await data(await pod.aPerson(), "agentConfigs.list"), [])
  })

  it("each person has their own preferences, and an agent can read but not set the preferences of the person who owns the agent", async () => {
    const [person, other] = [await pod.aPerson(), await pod.aPerson()]
    const standard = await data(person, "preferences.get")
    assert.deepInclude(standard, { userId: person.id, theme: "system", uiPreferences: {}, onboardingCompleted: false })
    const set = await person.mutate("preferences.set", { theme: "dark", viewModes: { documents: "list" } })
    assert.deepInclude(set.body.result.data, { theme: "dark", userId: person.id })
    const modes = { entities: "grid", documents: "list", views: "grid" }
    assert.deepStrictEqual(await data(person, "preferences.getViewModes"), modes)
    assert.deepInclude(await data(other, "preferences.get"), { userId: other.id, theme: "system" })
    assert.deepStrictEqual(await data(person, "preferences.getIntelligenceServices"), {
      preferences: {},
      available: []
    })

    const { body } = await person.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
    const agent = await pod.aKey(person, { agentId: body.result.data.id })
    assert.deepInclude(await data(agent, "preferences.get"), { userId: person.id, theme: "dark" })
    assert.strictEqual((await agent.mutate("preferences.set", { theme: "light" })).status, 403)
    const reader = await pod.aKey(person, { grant: { permissions: ["notification"] } })
    assert.strictEqual((await reader.mutate("preferences.set", { theme: "light" })).status, 403)
    const named = await person.mutate("preferences.set", { userId: other.id, theme: "light" })
    assert.include([400, 403], named.status)
    assert.strictEqual((await person.mutate("preferences.set", { theme: "pink" })).status, 400)
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`c${at}`, "model-service"]))
    assert.strictEqual((await person.mutate("preferences.set", { intelligenceServices: many })).status, 400)
    assert.deepInclude(await data(other, "preferences.get"), { theme: "system" })
    assert.deepInclude(await data(person, "preferences.get"), { theme: "dark" })
  })

  it("free-form preferences are merged by their names, so that concurrent changes of two clients are both kept", async () => {
    const person = await pod.aPerson()
    const { body } = await person.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
    const agent = await pod.aKey(person, { agentId: body.result.data.id })
    const merge = (uiPreferences: object, caller: Caller = person) =>
      caller.mutate("preferences.merge", { uiPreferences })
    assert.strictEqual((await merge({ tab: 1 }, agent)).status, 403)
    assert.strictEqual((await person.mutate("preferences.merge", { theme: "dark" })).status, 400)
    await person.mutate("preferences.set", { theme: "dark", uiPreferences: { asleep: { old: "x" }, list: [1, 2] } })
    await Promise.all(Array.from({ length: 6 }, (_, at) => merge({ asleep: { [`tab${at}`]: at } })))
    const last = await merge({ asleep: { old: null, tab0: null }, list: [3], gone: null })
    assert.deepStrictEqual(last.body.result.data.uiPreferences, {
      asleep: { tab1: 1, tab2: 2, tab3: 3, tab4: 4, tab5: 5 },
      list: [3]
    })
    assert.strictEqual(last.body.result.data.theme, "dark")
    const long = "x".repeat(40_000)
    const answers = []
    for (let at = 0; at < 40 && answers.at(-1) !== 400; at++)
      answers.push((await merge({ [`long${at}`]: long })).status)
    assert.strictEqual(answers.at(-1), 400)
  })

  it("the status of the search index covers only the spaces of the caller, and neither a member of the pod nor an agent can start a new indexing", async () => {
    const person = await pod.aPerson()
    const workspaceId = await pod.aWorkspace(person)
    for (const title of ["harbour", "pump"]) {
      await person.send("POST", "/api/hub/entities", { title, profileSlug: "note", workspaceId })
    }
    const unread = await data(person, "typesense.getQueueStatus")
    const waitingIn = (found: { readonly spaces: ReadonlyArray<{ workspaceId: string; waiting: number | null }> }) =>
      found.spaces.find((space) => space.workspaceId === workspaceId)?.waiting
    assert.isNull(waitingIn(unread))
    const stats = await data(person, "typesense.getStats")
    assert.strictEqual(stats.objects, 2)
    assert.deepInclude(
      stats.spaces.find((space: { workspaceId: string }) => space.workspaceId === workspaceId),
      { objects: 2, status: "ready" }
    )
    await person.send("POST", "/api/hub/entities", { title: "crane", profileSlug: "note", workspaceId })
    assert.strictEqual(waitingIn(await data(person, "typesense.getQueueStatus")), 1)
    assert.strictEqual((await data(await pod.aPerson(), "typesense.getStats")).objects, 0)

    const key = await pod.aKey(person)
    for (const caller of [person, key]) {
      assert.strictEqual((await caller.mutate("typesense.initializeCollections")).status, 403)
    }
    const ownerKey = await pod.aKey(pod.owner)
    for (const caller of [pod.owner, ownerKey]) {
      const { body, status } = await caller.mutate("typesense.initializeCollections")
      assert.strictEqual(status, 200, JSON.stringify(body))
      assert.strictEqual(body.result.data.status, "initialized")
    }
    const { body } = await pod.owner.mutate("agents.create", { name: "Helper", capabilities: ["*"] })
    const agent = await pod.aKey(pod.owner, { agentId: body.result.data.id })
    assert.strictEqual((await agent.mutate("typesense.initializeCollections")).status, 403)
    const narrowOwner = await pod.aKey(pod.owner, { ...narrow })
    assert.strictEqual((await narrowOwner.mutate("typesense.initializeCollections")).status, 403)
    assert.strictEqual(waitingIn(await data(person, "typesense.getQueueStatus")), null)
  })

  it("the tRPC procedures about the pod return its version, setup, migrations, MCP endpoint, channels and widgets", async () => {
    assert.deepStrictEqual(await data(pod.owner, "setup.status"), { initialized: true, version })
    const { durability, engine, migrations, sizeBytes, total } = await data(pod.owner, "health.migrations")
    assert.lengthOf(migrations, total)
    if (storage.kind !== "memory") assert.deepInclude(migrations[0], { version: "0001" })
    assert.strictEqual(engine, storage.kind === "pglite" ? "embedded" : storage.kind)
    assert.isNull(durability)
    if (storage.kind === "memory") assert.isNull(sizeBytes)
    else assert.isAbove(sizeBytes, 1_000_000)
    const [server, ...servers] = await data(pod.owner, "mcpServers.list")
    assert.lengthOf(servers, 0)
    assert.match(server.url, /\/mcp$/)
    assert.deepInclude(server, { id: "pod", transport: "streamable-http" })
    assert.includeMembers(
      (await data(pod.owner, "widgetDefinitions.list")).map(({ kind }: { readonly kind: string }) => kind),
      ["table", "kanban"]
    )
    const person = await pod.aPerson()
    assert.deepStrictEqual(
      (await data(person, "channelGateway.list")).map(({ id }: { readonly id: string }) => id),
      ["in_pod"]
    )
    const made = await person.mutate("webhooks.create", {
      name: "Bell",
      url: "https://hooks.example.com/in",
      eventTypes: ["entity.note.create"]
    })
    assert.strictEqual(made.status, 200, JSON.stringify(made.body))
    const [, webhook] = await data(person, "channelGateway.list")
    assert.deepInclude(webhook, { type: "webhook", name: "Bell", status: "active" })
    assert.notInclude(JSON.stringify(webhook), "hooks.example.com")
    assert.deepStrictEqual(await data(pod.owner, "inbox.stats"), { unread: 0, snoozed: 0 })
  })

  it("a pod without a model returns empty lists of model services, and `null` for the manifest of the model service and for the state of the memory feature", async () => {
    for (const name of reads.filter(
      (each) => each.startsWith("intelligence.get") || each.startsWith("intelligence.li")
    )) {
      const expected = name.endsWith("Manifest") || name.endsWith("MemoryState") ? null : []
      assert.deepStrictEqual(await data(pod.owner, name), expected, name)
    }
  })
})

/** For each source file that asks the language model, the endpoints that use this file. */
const askingTheModel: Readonly<Record<string, ReadonlyArray<string>>> = {
  "chat/Chat.ts": ["chat.turn", "openai.complete"],
  "retrieval/Answers.ts": ["retrieval.answer"],
  "skills/SkillRuns.ts": ["externalSkills.invoke"],
  "workflows/TextAnalysis.ts": ["n8n.analyze"]
}

/** Source files that use the language model but never ask it for a text. */
const onlyAbout = [
  "chat/OpenAiHandlers.ts", // This file only reads the name of the model.
  "health/PodProbes.ts", // This file only checks whether the model answers.
  "intelligence/ModelServices.ts", // This file only reads the name of the model.
  "providers/CurrentModel.ts" // This file only provides the model to other files.
]

it("each source file that uses the language model is listed in this test, either with its operations or as a file that asks the model nothing", () => {
  const folder = `${projectRoot}src/features/`
  const using = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) =>
      name.endsWith(".ts") && /(?:yield\*|flatMap\(|map\() ?LanguageModel\b/.test(readFileSync(folder + name, "utf8"))
  )
  assert.sameMembers(using, [...Object.keys(askingTheModel), ...onlyAbout])
})

onOneStorage("the model services of a pod", (storage) => {
  it("a list of model services contains no URL of a service and no skills of a service that is down, and the pod calls a service only once for several lists", async () => {
    const stub = await aModelStub()
    const pod = await aPod(storage, {
      languageModelUrl: Option.some(stub.url),
      languageModelName: Option.some("a-model")
    })
    stub.reply(replies.json(200, { data: [] }))
    const known = async () => (await data(pod.owner, "capabilities.list")).intelligenceServices
    assert.deepInclude((await known())[0], { id: "model-service", serviceId: "a-model", health: "unknown" })
    assert.lengthOf(stub.asked(), 0)
    const skills = await data(pod.owner, "intelligence.listSystemSkills")
    assert.deepInclude(skills[0], { id: "retrieval.answer", serviceId: "a-model", scope: "pod" })
    assert.lengthOf(stub.asked(), 1)
    assert.deepInclude((await known())[0], { health: "ok" })
    assert.deepInclude((await data(pod.owner, "intelligence.agentDefinitions"))[0], { id: "a-model" })
    const commands = await data(pod.owner, "intelligence.getServiceCommands")
    assert.deepInclude(commands[0], { method: "POST", path: "/api/hub/knowledge/answer" })
    assert.sameMembers(
      commands.map(({ id }: { readonly id: string }) => id),
      Object.values(askingTheModel).flat()
    )
    assert.lengthOf(await data(pod.owner, "intelligence.listSpecialisations", { serviceId: "another" }), 0)
    assert.lengthOf(stub.asked(), 1)
    assert.strictEqual((await data(pod.owner, "intelligence.getServiceManifest")).service.serviceId, "a-model")
    await stub.stop()
    assert.strictEqual((await data(pod.owner, "system.getServiceHealth")).status, "degraded")
    for (const name of ["listSystemSkills", "listSpecialisations", "agentDefinitions", "getServiceCommands"]) {
      assert.deepStrictEqual(await data(pod.owner, `intelligence.${name}`), [], name)
    }
    const registered = await data(pod.owner, "intelligence.listRegisteredServices")
    assert.deepInclude(registered[0], { serviceId: "a-model", health: "down" })
    assert.notInclude(JSON.stringify(registered), stub.url)
    await pod.stop()
  })
})
