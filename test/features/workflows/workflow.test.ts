/** The routes for workflows of n8n, over HTTP: their scopes, what they write and find, and the answers of the model. */
import { assert, it } from "@effect/vitest"
import { Option } from "effect"
import { aModelStub, replies } from "../../support/modelStub.ts"
import { aPod } from "../../support/pod.ts"
import { onOneStorage } from "../../support/storages.ts"

const mount = "/api/n8n"

onOneStorage("workflows", (storage) => {
  it("each route for n8n workflows needs its own scope, and every refusal contains a sentence in its field `error`", async () => {
    const pod = await aPod(storage)
    const bodies = {
      entities: { type: "note", content: "x" },
      search: { query: "x" },
      analyze: { content: "x", analysisTypes: ["tags"] }
    }
    const hub = await pod.aKey(pod.owner)
    for (const [route, body] of Object.entries(bodies)) {
      for (const [caller, status] of [
        [pod.stranger, 401],
        [hub, 403]
      ] as const) {
        const answer = await caller.send("POST", `${mount}/${route}`, body)
        assert.strictEqual(answer.status, status, JSON.stringify(answer.body))
        assert.include(answer.body.error, " ")
      }
    }
    const analyst = await pod.aKey(pod.owner, { scope: ["ai:analyze"] })
    assert.strictEqual((await analyst.send("POST", `${mount}/analyze`, bodies.analyze)).status, 503)
    await pod.stop()
  })

  it("an n8n workflow can add and find a note, a task and a project, but a workflow with the key of an agent only proposes these records", async () => {
    const pod = await aPod(storage)
    const writer = await pod.aKey(pod.owner, { scope: ["write:entities"] })
    for (const type of ["note", "task", "project"]) {
      const body = {
        type,
        content: `The ${type} of the crane\nwith a second line`,
        tags: ["harbour"],
        metadata: { from: "n8n" }
      }
      const answer = await writer.send("POST", `${mount}/entities`, body)
      assert.deepStrictEqual([answer.status, answer.body.success], [200, true], JSON.stringify(answer.body))
      const path = type === "project" ? "projects" : "entities"
      const { body: kept } = await pod.owner.send("GET", `/api/hub/${path}/${answer.body.entityId}`)
      assert.strictEqual(kept.title ?? kept.name, `The ${type} of the crane`)
      const event = await pod.owner.query("events.get", { eventId: answer.body.eventId })
      assert.deepInclude(event.body.result.data, {
        id: answer.body.eventId,
        type: type === "project" ? "project.create" : `entity.${type}.create`,
        subjectId: answer.body.entityId
      })
    }
    const withoutLog = await pod.aKey(pod.owner, { scope: ["write:entities"], grant: { permissions: ["entity.note"] } })
    const unlogged = await withoutLog.send("POST", `${mount}/entities`, { type: "note", content: "No log" })
    assert.deepStrictEqual([unlogged.status, unlogged.body.eventId], [200, undefined])
    const reader = await pod.aKey(pod.owner, { scope: ["read:entities"] })
    const found = await reader.send("POST", `${mount}/search`, { query: "crane", type: "task" })
    assert.deepInclude(found.body, { query: "crane", count: 1 })
    assert.deepInclude(found.body.results[0], { title: "The task of the crane", type: "task", fileUrl: null })
    assert.strictEqual((await reader.send("POST", `${mount}/search`, { query: "crane", limit: 101 })).status, 400)
    const narrow = await pod.aKey(pod.owner, { scope: ["read:entities"], grant: { permissions: ["entity.note.read"] } })
    assert.strictEqual((await narrow.send("POST", `${mount}/search`, { query: "crane" })).status, 403)
    const { body } = await pod.owner.mutate("agents.create", { name: "flow", capabilities: ["*"] })
    const agent = await pod.aKey(pod.owner, { agentId: body.result.data.id, scope: ["write:entities"] })
    const proposed = await agent.send("POST", `${mount}/entities`, { type: "note", content: "x" })
    assert.strictEqual(proposed.body.status, "proposed")
    assert.notProperty(proposed.body, "eventId")
    await pod.stop()
  })

  it("an n8n workflow that adds a project with an existing project name gets 409 with the similar projects, and `forceCreate` turns this check on or off for every type", async () => {
    const pod = await aPod(storage)
    const writer = await pod.aKey(pod.owner, { scope: ["write:entities"] })
    const add = (type: string, more: object = {}) =>
      writer.send("POST", `${mount}/entities`, { type, title: "Quay repair", content: "Loose stones", ...more })
    const { body: project } = await add("project")
    const { body: note } = await add("note")
    for (const [again, entityId, candidateId] of [
      [await add("project"), project.entityId, "id"],
      [await add("note", { forceCreate: false }), note.entityId, "entityId"]
    ] as const) {
      assert.deepStrictEqual([again.status, again.body.code], [409, "SAME_NAME"], JSON.stringify(again.body))
      assert.include(again.body.error, " ")
      assert.strictEqual(again.body.details.candidates[0][candidateId], entityId)
    }
    for (const [type, more] of [
      ["project", { forceCreate: true }],
      ["note", { forceCreate: true }],
      ["note", {}]
    ] as const) {
      assert.strictEqual((await add(type, more)).status, 200, type)
    }
    await pod.stop()
  })

  it("the analysis route for n8n returns only the requested results, such as tags, and answers 502 if these results in the answer of the model are invalid", async () => {
    const stub = await aModelStub()
    const pod = await aPod(storage, {
      languageModelUrl: Option.some(stub.url),
      languageModelName: Option.some("small")
    })
    const analyst = await pod.aKey(pod.owner, { scope: ["ai:analyze"] })
    const ask = (analysisTypes: ReadonlyArray<string>) =>
      analyst.send("POST", `${mount}/analyze`, { content: "Call the harbour.", analysisTypes })
    stub.reply(replies.saying('```json\n{"tags":["harbour"],"sentiment":"neutral","secret":1}\n```'))
    assert.deepStrictEqual((await ask(["tags", "sentiment"])).body, {
      success: true,
      tags: ["harbour"],
      sentiment: "neutral"
    })
    for (const text of ["no object", '{"tags":"harbour","sentiment":"neutral"}', '{"sentiment":"rude","tags":[]}']) {
      stub.reply(replies.saying(text))
      assert.strictEqual((await ask(["tags", "sentiment"])).status, 502, text)
    }
    assert.strictEqual((await ask([])).status, 400)
    await pod.stop()
    await stub.stop()
  })
})
