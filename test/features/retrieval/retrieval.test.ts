/** Retrieval over HTTP: which records each caller finds, and which information an answer never contains. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { SearchStore } from "../../../src/features/search/SearchStore.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { setRole } from "../../support/membership.ts"
import { storages } from "../../support/storages.ts"

const search = async (caller: Caller, query: string, more: object = {}) => {
  const { body, status } = await caller.send("POST", "/api/hub/knowledge/search", { query, ...more })
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body
}
const blockOf = (result: any, substrate: string) => result.answers.find((each: any) => each.substrate === substrate)
const titles = (result: any, substrate = "semantic") =>
  blockOf(result, substrate)?.items.map(({ title }: { title: string }) => title)

for (const [where, storage] of storages) {
  describe(`search over all records ${where}`, () => {
    let pod: TestPod
    const make = async (caller: Caller, entity: object) => {
      const { body, status } = await caller.send("POST", "/api/hub/entities", { profileSlug: "note", ...entity })
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body
    }
    beforeAll(async () => {
      pod = await aPod(storage)
    })
    afterAll(() => pod.stop())

    it("a search without a credential gets 401, and a search without a question gets 400", async () => {
      assert.strictEqual((await pod.stranger.send("POST", "/api/hub/knowledge/search", { query: "a" })).status, 401)
      for (const body of [{}, { query: "" }, { query: "a", limit: 0 }, { query: "a", limit: 101 }, { qurey: "a" }]) {
        assert.strictEqual((await pod.owner.send("POST", "/api/hub/knowledge/search", body)).status, 400)
      }
    })

    it("the next search finds an entity that was just written, and does not find an entity that was just removed", async () => {
      const entity = await make(pod.owner, {
        title: "Quay inspection",
        description: "The crane on the northern quay is rusty."
      })
      const found = await search(pod.owner, "rusty crane")
      assert.deepStrictEqual(titles(found), ["Quay inspection"])
      const [item] = blockOf(found, "semantic").items
      assert.deepStrictEqual(
        item.marks.map(({ from, to }: { from: number; to: number }) => item.snippet.slice(from, to)),
        ["crane", "rusty"]
      )
      assert.strictEqual(item.why, "Contains “rusty” and “crane”.")
      await pod.owner.send("PATCH", `/api/hub/entities/${entity.id}`, { description: "The crane is painted." })
      assert.deepStrictEqual(titles(await search(pod.owner, "painted")), ["Quay inspection"])
      assert.deepStrictEqual(titles(await search(pod.owner, "rusty")), [])
      await pod.owner.send("DELETE", `/api/hub/entities/${entity.id}`)
      assert.deepStrictEqual(titles(await search(pod.owner, "painted crane")), [])
    })

    it("a search finds the text of a document, and its result contains the entity to which the document belongs, if there is one", async () => {
      const made = await make(pod.owner, { title: "Tide tables", content: "High water at noon near the lighthouse." })
      const [item] = blockOf(await search(pod.owner, "lighthouse"), "semantic").items
      assert.deepStrictEqual([item.id, item.type, item.documentId], [made.id, "entity", made.documentId])
      await pod.owner.send("POST", "/api/hub/documents", { title: "Loose page", content: "A schooner lies at anchor." })
      assert.deepStrictEqual(titles(await search(pod.owner, "schooner")), ["Loose page"])
    })

    it("a search never finds a record in the personal space of another person", async () => {
      const other = await pod.aPerson()
      await make(other, { title: "Secret treasure", description: "The zirconium chest is buried." })
      for (const query of ["zirconium", "zirconum", '"zirconium chest"', "type:note zirconium", "zirconium -sand"]) {
        const found = await search(pod.owner, query, { compare: true })
        assert.deepStrictEqual(titles(found), [], query)
        assert.deepStrictEqual(found.understanding.corrected, [], query)
      }
      assert.deepStrictEqual(titles(await search(other, "zirconum")), ["Secret treasure"])
    })

    it("a search ignores a requested workspace of which the caller is no member, but is refused if the caller's key is limited to another workspace", async () => {
      const other = await pod.aPerson()
      const theirs = await pod.aWorkspace(other, "Theirs")
      await make(pod.owner, { title: "Ours alone", description: "A marzipan anchor." })
      assert.deepStrictEqual(titles(await search(pod.owner, "marzipan", { workspaceId: theirs })), ["Ours alone"])
      const mine = await pod.aWorkspace(pod.owner, "Mine")
      const key = await pod.aKey(pod.owner, { workspaceId: mine })
      const refused = await key.send("POST", "/api/hub/knowledge/search", { query: "marzipan", workspaceId: theirs })
      assert.strictEqual(refused.status, 403)
    })

    it("a search with a key with a narrow grant is refused if the setting `POD_SCOPED_RETRIEVAL` is off", async () => {
      const key = await pod.aKey(pod.owner, { grant: { permissions: ["entity.note.read"] } })
      const { body, status } = await key.send("POST", "/api/hub/knowledge/search", { query: "crane" })
      assert.deepStrictEqual([status, body.code], [403, "GRANT_DOOR_UNSUPPORTED"])
    })

    it("phrases in quotes, words with a minus and filters in a question reduce what a search finds", async () => {
      await make(pod.owner, { title: "Blue whale", description: "the blue whale sings at night" })
      await make(pod.owner, { title: "Whale blue", description: "night sings the whale blue" })
      await make(pod.owner, { title: "Paint whale", profileSlug: "task", description: "paint the blue whale" })
      assert.sameMembers(titles(await search(pod.owner, '"blue whale"')), ["Blue whale", "Paint whale"])
      assert.sameMembers(titles(await search(pod.owner, "whale -paint")), ["Blue whale", "Whale blue"])
      assert.deepStrictEqual(titles(await search(pod.owner, "whale type:task")), ["Paint whale"])
      assert.deepStrictEqual(titles(await search(pod.owner, "whale before:2001")), [])
      const { understanding } = await search(pod.owner, "wahle")
      assert.deepStrictEqual(understanding.corrected, [{ from: "wahle", to: "whale" }])
    })

    it("a search for a phrase finds a long document in which the phrase crosses the border of two passages", async () => {
      // A passage ends at the word "copper" of this text.
      const content = `${"wave ".repeat(1198)}copper sextant ${"tide ".repeat(1000)}`
      await pod.owner.send("POST", "/api/hub/documents", { title: "Long log", content })
      assert.deepStrictEqual(titles(await search(pod.owner, '"copper sextant"')), ["Long log"])
      assert.deepStrictEqual(titles(await search(pod.owner, '"wave copper sextant tide"')), ["Long log"])
      assert.deepStrictEqual(titles(await search(pod.owner, '"sextant copper"')), [])
    })

    it("the search filter `project:` finds a project by its name, even if the person has hundreds of newer projects", async () => {
      const person = await pod.aPerson()
      const { id: projectId } = (await person.send("POST", "/api/hub/projects", { name: "Oldest" })).body
      await make(person, { title: "Filed gull", projectId })
      await make(person, { title: "Free gull" })
      for (let at = 0; at < 201; at++) await person.send("POST", "/api/hub/projects", { name: `Newer ${at}` })
      assert.deepStrictEqual(titles(await search(person, "project:oldest gull")), ["Filed gull"])
      assert.deepStrictEqual(titles(await search(person, "-project:oldest gull")), ["Free gull"])
    })

    it("a search with a filter by creator, or with a filter that excludes records, finds only records that the caller may read, and the answer lists the used filters", async () => {
      const agentId = (await pod.owner.mutate("agents.create", { name: "Scout", capabilities: ["*"] })).body.result.data
        .id as string
      const agent = await pod.aKey(pod.owner, { agentId })
      const workspaceId = await pod.aWorkspace(pod.owner, "Northern dock")
      const projectId = (await pod.owner.send("POST", "/api/hub/projects", { name: "Dredging", workspaceId })).body.id
      const other = await pod.aPerson()
      await make(other, { title: "Hidden buoy", description: "a buoy of somebody else" })
      await make(pod.owner, { title: "My buoy", description: "a buoy in the harbour" })
      await make(pod.owner, { title: "Filed buoy", workspaceId, projectId, profileSlug: "task" })
      const { proposalId } = await make(agent, { title: "Buoy of the agent" })
      const approved = await pod.owner.send("POST", `/api/hub/proposals/${proposalId}/approve`, {})
      assert.strictEqual(approved.status, 200)
      const me = (await search(pod.owner, "by:me buoy")).understanding.filters.makers[0]
      const cases: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
        [`by:${other.id} buoy`, []],
        [`by:${agentId} buoy`, ["Buoy of the agent"]],
        ["by:me buoy", ["My buoy", "Filed buoy"]],
        ["-by:me buoy", ["Buoy of the agent"]],
        ["-type:task buoy", ["My buoy", "Buoy of the agent"]],
        [`-project:${projectId} buoy`, ["My buoy", "Buoy of the agent"]],
        ["-project:dredging buoy", ["My buoy", "Buoy of the agent"]],
        ["-project:unknown buoy", ["My buoy", "Filed buoy", "Buoy of the agent"]],
        ['-in:"northern dock" buoy', ["My buoy", "Buoy of the agent"]],
        ["-after:2001 buoy", []],
        ["-before:2001 -by:me buoy", ["Buoy of the agent"]]
      ]
      for (const [query, expected] of cases) {
        const found = await search(pod.owner, query)
        assert.sameMembers(titles(found), [...expected], query)
        assert.isTrue(found.spaces == null, query)
      }
      assert.deepStrictEqual(titles(await search(agent, "by:me buoy")), ["Buoy of the agent"])
      const { understanding } = await search(pod.owner, "-type:task by:me buoy")
      assert.deepStrictEqual(understanding.filters, { makers: [me], without: { types: ["task"] } })
      const listed = await search(pod.owner, "which tasks are there? -project:dredging -in:elsewhere by:me")
      assert.notInclude(titles(listed, "structured"), "Filed buoy")
      const all = await search(pod.owner, "which tasks are there? by:me")
      assert.include(titles(all, "structured"), "Filed buoy")
    })

    it("the search filter `by:` finds a knowledge entry by the person who created it, and not by the person who wrote it last", async () => {
      const colleague = await pod.aPerson()
      const workspaceId = await pod.aWorkspace(pod.owner, "Rigging")
      await setRole(pod, storage, colleague.id, workspaceId, "editor")
      const key = "splice-a-rope"
      await pod.owner.send("POST", "/api/hub/knowledge", { key, value: "Unlay the rope.", workspaceId })
      const path = `/api/hub/knowledge/${key}?workspaceId=${workspaceId}`
      assert.strictEqual((await colleague.send("PUT", path, { value: "Unlay the strands." })).status, 200)
      const asked = "how do I splice a rope by:me"
      assert.deepStrictEqual(titles(await search(colleague, asked, { workspaceId }), "procedural"), [])
      assert.deepStrictEqual(titles(await search(pod.owner, asked, { workspaceId }), "procedural"), [key])
    })

    it("a question about a kind of record is answered with a list of records, and a how-to question with a knowledge entry", async () => {
      await make(pod.owner, { title: "Sweep the deck", profileSlug: "task", properties: { status: "open" } })
      const listed = await search(pod.owner, "which tasks are open?")
      assert.deepStrictEqual([listed.intent, listed.primary], ["structured", "structured"])
      assert.deepStrictEqual(titles(listed, "structured"), ["Sweep the deck"])
      await pod.owner.send("POST", "/api/hub/knowledge", {
        key: "moor-a-boat",
        value: { steps: ["Throw the hawser."] }
      })
      const how = await search(pod.owner, "how do I moor a boat")
      assert.deepStrictEqual(
        [how.intent, how.primary, titles(how, "procedural")],
        ["procedural", "procedural", ["moor-a-boat"]]
      )
      assert.deepStrictEqual(how.routedTo, ["semantic", "procedural"])
    })

    it("a search with `parseOnly` returns no records, and the operations `ask` and `search` give exactly the same answer to the same question", async () => {
      const parsed = await search(pod.owner, "which tasks are open?", { parseOnly: true })
      assert.deepStrictEqual([parsed.answers, parsed.intent, parsed.verdict], [[], "structured", "empty"])
      const body = { query: "crane on the quay", compare: true }
      const [asked, searched] = [
        await pod.owner.send("POST", "/api/hub/knowledge/ask", body),
        await pod.owner.send("POST", "/api/hub/knowledge/search", body)
      ]
      assert.deepStrictEqual(asked.body, searched.body)
    })
  })
}

describe("a search index that does not load in time", () => {
  const neverRead = Layer.effect(
    SearchStore,
    Effect.map(SearchStore, (store) => ({ ...store, page: () => Effect.never }))
  )
  it("if the search index does not load within the time limit, a search ends without results and says that the index is loading", async () => {
    const hooks = { adapters: neverRead, searchPatience: Duration.millis(1) }
    const pod = await aPod({ kind: "memory" }, {}, hooks)
    try {
      assert.strictEqual((await pod.owner.send("POST", "/api/hub/entities", { title: "Quay" })).status, 200)
      const found = await search(pod.owner, "quay")
      assert.deepStrictEqual([found.degraded, titles(found) ?? []], [["semantic:index-loading"], []])
    } finally {
      await pod.stop()
    }
  })
})
