/**
 * The pod logs what a key with the scope `probe` writes, but shows it in no listing, search, graph or export.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { Effect } from "effect"
import { Catalog } from "../../src/doors/Catalog.ts"
import type { Operation } from "../../src/doors/Operation.ts"
import { isProbing } from "../../src/doors/Probe.ts"
import { aPod, type Caller, type TestPod } from "../support/pod.ts"
import { onOneStorage } from "../support/storages.ts"
import { assertOk, assertProposed, assertRefused, eventsOf, procedureData } from "./attackScene.ts"

const word = "zanderfilet"

/** For each listing, the word for its records in the paths of the graph operations. */
const graphKinds = {
  entities: "entity",
  documents: "document",
  projects: "project",
  tracks: "track",
  views: "view",
  artifacts: "artifact"
} as const

onOneStorage("records that a key with the scope `probe` writes", (storage) => {
  let pod: TestPod
  let probe: Caller
  let real: { readonly id: string }
  let count = 0
  beforeAll(async () => {
    pod = await aPod(storage)
    const scope = ["hub-protocol.read", "hub-protocol.write", "mcp.read", "mcp.write", "probe"]
    probe = await pod.aKey(pod.owner, { scope })
    real = await created(pod.owner, "entities", { profileSlug: "note", title: "Real" })
  })
  afterAll(() => pod?.stop())

  const created = async (by: Caller, path: string, body: object): Promise<{ readonly id: string }> =>
    assertOk(await by.send("POST", `/api/hub/${path}`, body))

  /**
   * Creates one record of every kind with the probe key. In the result, the name of each field is the path of a
   * listing.
   */
  const probed = async () => {
    const title = `Probe ${word} ${(count += 1)}`
    return {
      entities: await created(probe, "entities", { profileSlug: "note", title, description: word }),
      documents: await created(probe, "documents", { title, content: word }),
      projects: await created(probe, "projects", { name: title }),
      tracks: await created(probe, "tracks", { name: title }),
      views: await created(probe, "views", { name: title, type: "table", config: {} }),
      artifacts: await created(probe, "artifacts", { workspaceId: null, userId: pod.ownerId, kind: "url", title })
    }
  }

  it("attack: no listing, search, graph or answer of `resolve` shows a record that a key with the scope `probe` wrote, not even to this key", async () => {
    const made = await probed()
    const ids = Object.values(made).map(({ id }) => id)
    for (const caller of [pod.owner, probe]) {
      const answers: Array<unknown> = []
      for (const path of Object.keys(made))
        answers.push(assertOk(await caller.send("GET", `/api/hub/${path}?limit=100`)))
      answers.push(assertOk(await caller.send("GET", `/api/hub/entities?q=${word}`)))
      answers.push(assertOk(await caller.send("POST", "/api/hub/knowledge/search", { query: word })))
      answers.push(assertOk(await caller.send("POST", "/api/hub/knowledge/ask", { query: word })).answers)
      answers.push(assertOk(await caller.send("GET", `/api/hub/graph/traverse?startEntityId=${real.id}`)))
      answers.push(assertOk(await caller.send("GET", `/api/hub/discover?userId=${pod.ownerId}`)))
      for (const [path, { id }] of Object.entries(made)) {
        const { displayName, type } = assertOk(await caller.send("GET", `/api/hub/resolve/${id}`))
        assert.deepStrictEqual([path, type, displayName], [path, "unknown", null])
        const graph = assertOk(
          await caller.send("GET", `/api/hub/graph/${graphKinds[path as keyof typeof made]}/${id}`)
        )
        assert.deepStrictEqual([path, graph.found, graph.object.name, graph.neighbors], [path, false, null, []])
      }
      answers.push(assertOk(await caller.send("POST", "/api/hub/resolve/titles", { ids })))
      const text = JSON.stringify(answers)
      for (const id of ids) assert.notInclude(text, id)
      assert.notInclude(text, "Probe ")
    }
    for (const [path, { id }] of Object.entries(made)) {
      if (path === "artifacts") continue // Artifacts have no operation that reads one record by its id.
      assertRefused(await pod.owner.send("GET", `/api/hub/${path}/${id}`), 404)
    }
  })

  it("a key with the scope `probe` can read the records that it wrote by their ids, and the event log has an event of each write", async () => {
    const made = await probed()
    for (const [path, { id }] of Object.entries(made))
      if (path !== "artifacts") assert.strictEqual(assertOk(await probe.send("GET", `/api/hub/${path}/${id}`)).id, id)
    const events = await eventsOf(pod.owner)
    for (const { id } of Object.values(made)) {
      const event = events.find(({ subjectId }) => subjectId === id)
      assert.deepInclude(event as object, { metadata: { kind: "probe" } }, id)
    }
  })

  it("attack: the only operations that show a key with the scope `probe` its own records are those that read one record by its id", async () => {
    const { procedures, rest, tools } = await pod.run(Effect.flatMap(Catalog, ({ compiled }) => compiled))
    const all: ReadonlyArray<Operation> = [...procedures.values(), ...rest, ...tools.values()]
    const shown = all.filter((operation) => isProbing(["probe"], operation))
    assert.sameMembers(
      shown.filter(({ kind }) => kind === "query").map(({ name }) => name),
      ["entities.get", "documents.get", "projects.get", "tracks.get", "views.get"]
    )
    assert.deepStrictEqual(
      shown.filter(({ door }) => door._tag === "Write" && door.reads !== undefined),
      []
    )
    assert.deepStrictEqual(
      all.filter((operation) => isProbing(["hub-protocol.read", "hub-protocol.write"], operation)),
      []
    )
  })

  it("attack: a key with the scope `probe` cannot approve, reject, edit, revert or withdraw a proposal, not even as the agent that made the proposal", async () => {
    const draft = { name: "Scribe", capabilities: ["*"] }
    const agentId = procedureData(await pod.owner.mutate("agents.create", draft)).id as string
    const agent = await pod.aKey(pod.owner, { agentId })
    const scope = ["hub-protocol.read", "hub-protocol.write", "probe"]
    const probeOfAgent = await pod.aKey(pod.owner, { agentId, scope })
    const { id } = await created(pod.owner, "entities", { profileSlug: "note", title: "Proposed" })
    const asked = async (title: string) =>
      assertProposed(await agent.send("PATCH", `/api/hub/entities/${id}`, { title }))
    const [approved, waiting] = [await asked("Approved"), await asked("Waiting")]
    assertOk(await pod.owner.send("POST", `/api/hub/proposals/${approved}/approve`, {}))
    for (const answer of [
      await probe.send("POST", `/api/hub/proposals/${waiting}/approve`, {}),
      await probe.send("POST", `/api/hub/proposals/${waiting}/reject`, {}),
      await probe.send("PATCH", `/api/hub/proposals/${waiting}`, { data: { title: "Edited" } }),
      await probe.send("POST", `/api/hub/proposals/${approved}/revert`),
      await probeOfAgent.send("PATCH", `/api/hub/proposals/${waiting}`, { data: { title: "Edited" } }),
      await probeOfAgent.send("POST", `/api/hub/proposals/${waiting}/reject`, {})
    ]) {
      assertRefused(answer, 403, "PROBE_UNSUPPORTED")
    }
    const { revision, status } = assertOk(await pod.owner.send("GET", `/api/hub/proposals/${waiting}`))
    assert.deepStrictEqual([revision, status], [1, "pending"])
  })

  it("attack: a key with the scope `probe` cannot change, delete or link an existing record or write facts, knowledge entries and profiles, and the refusal says this", async () => {
    const targetEntityId = (await created(pod.owner, "entities", { profileSlug: "note", title: "Other" })).id
    const forbidden = [
      await probe.send("PATCH", `/api/hub/entities/${real.id}`, { title: "Changed" }),
      await probe.send("DELETE", `/api/hub/entities/${real.id}`),
      await probe.send("POST", "/api/hub/knowledge", { key: "probe", value: 1 }),
      await probe.send("POST", "/api/hub/memory", { userId: pod.ownerId, fact: "I like probes." }),
      await probe.send("POST", "/api/hub/relations", { sourceEntityId: real.id, targetEntityId, type: "is" }),
      await probe.send("POST", "/api/hub/profiles", { slug: "probe", displayName: "Probe" })
    ]
    for (const answer of forbidden) {
      assertRefused(answer, 403, "PROBE_UNSUPPORTED")
      assert.match(answer.body.error, /may make no other writes/)
    }
    assert.strictEqual(assertOk(await pod.owner.send("GET", `/api/hub/entities/${real.id}`)).title, "Real")
  })

  it("attack: a client cannot log an event that looks like an event of a key with the scope `probe`", async () => {
    const forged = { type: "note.read", data: {}, metadata: { kind: "probe" } }
    assert.strictEqual((await pod.owner.mutate("events.log", forged)).status, 400)
  })
})
