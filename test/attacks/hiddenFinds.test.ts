/** A caller cannot find out about hidden records by searches, rankings, the graph, the operation `orient` or memory. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { setRole, takeRole } from "../support/membership.ts"
import { aPod, type Caller, type TestPod } from "../support/pod.ts"
import { storages } from "../support/storages.ts"
import { anEntity, assertOk, assertRefused, createRecord } from "./attackScene.ts"

for (const [where, storage] of storages) {
  describe(`attack: a caller searches for records that it may not read, ${where}`, () => {
    let pod: TestPod
    let shared: string
    let member: Caller & { readonly id: string }
    let entity: { readonly id: string }
    let document: { readonly id: string }
    beforeAll(async () => {
      pod = await aPod(storage)
      member = await pod.aPerson()
      shared = await pod.aWorkspace(pod.owner, "Shared")
      entity = await anEntity(pod.owner, { title: "Xylophone", workspaceId: shared })
      document = await createRecord(pod.owner, "documents", { title: "Page", content: "zither", workspaceId: shared })
    })
    afterAll(() => pod?.stop())

    const search = async (caller: Caller, query: string) => {
      const body = assertOk(await caller.send("POST", "/api/hub/knowledge/search", { query, compare: true }))
      return JSON.stringify({ ...body, query: "", understanding: { ...body.understanding, text: "" } })
    }
    const everything = async (caller: Caller) => {
      const paths = ["orient", "discover?userId=me", "centrality/status", `graph/entity/${entity.id}`]
      const answers = [`resolve/${entity.id}`, `resolve/${document.id}`, "resolve?kind=entity&name=Xylophone", ...paths]
      const bodies = []
      for (const path of answers) bodies.push((await caller.send("GET", `/api/hub/${path}`)).body)
      bodies.push(assertOk(await caller.send("POST", "/api/hub/resolve/titles", { ids: [entity.id, document.id] })))
      for (const query of ["xylophone", "xylophon", "zither", "zithr", '"zither"', "show all notes", "-page zither"]) {
        bodies.push(await search(caller, query))
      }
      return JSON.stringify(bodies)
    }

    it("a search finds the records of a workspace for a person only while the person is a member of this workspace", async () => {
      const before = await everything(member)
      assert.notMatch(before, /Xylophone|Page|zither is|"corrected":\[\{/)
      await setRole(pod, storage, member.id, shared, "viewer")
      assert.include(await everything(member), "Xylophone")
      assert.include(await search(member, "zithr"), "Page")
      await takeRole(pod, storage, member.id, shared)
      assert.strictEqual(await everything(member), before)
    })

    it("a search filter with a hidden creator, project or workspace gets the same answer as a filter with a missing creator, project or workspace", async () => {
      const project = await createRecord(pod.owner, "projects", { name: "hidden", workspaceId: shared })
      await anEntity(pod.owner, { title: "Filed theremin", workspaceId: shared, projectId: project.id })
      await anEntity(member, { title: "Own theremin" })
      const missing = uuidv7()
      for (const filter of ["by:?", "-by:?", "project:?", "-project:?", "in:?", "-in:?"]) {
        for (const [words, real] of [
          ["theremin", pod.ownerId],
          ["theremin", project.id],
          ["xylophon", shared],
          ["all notes", pod.ownerId]
        ] as const) {
          const [hidden, absent] = [
            await search(member, `${words} ${filter.replace("?", real)}`),
            await search(member, `${words} ${filter.replace("?", missing)}`)
          ]
          assert.notMatch(hidden, /Filed|Xylophone/)
          assert.strictEqual(hidden.replaceAll(real, missing), absent, `${words} ${filter}`)
        }
      }
      const named = await search(member, "theremin -project:hidden")
      assert.strictEqual(named.replace("hidden", "other"), await search(member, "theremin -project:other"))
    })

    it("a key that may read only one kind of record, or only some records, cannot call operations whose answers contain several kinds of record", async () => {
      const narrow = [
        await pod.aKey(pod.owner, { workspaceId: shared, grant: { permissions: ["entity.note.read"] } }),
        await pod.aKey(pod.owner, { grant: { permissions: ["entity.read"], entityIds: [entity.id] } })
      ]
      for (const key of narrow) {
        for (const path of [
          "knowledge/search",
          "knowledge/ask",
          "knowledge/answer",
          "entities/retrieve",
          "entities/recall"
        ]) {
          assertRefused(await key.send("POST", `/api/hub/${path}`, { query: "zither" }), 403, "GRANT_DOOR_UNSUPPORTED")
        }
        assertRefused(await key.send("GET", "/api/hub/centrality/status"), 403, "GRANT_DOOR_UNSUPPORTED")
        assertRefused(await key.send("POST", "/api/hub/centrality/recompute", {}), 403, "GRANT_DOOR_UNSUPPORTED")
      }
    })

    it("after a document is removed, a search no longer finds it, and suggests no words of the document for misspelt words", async () => {
      const page = await createRecord(pod.owner, "documents", { title: "Leaf", content: "glockenspiel" })
      assert.include(await search(pod.owner, "glockenspil"), "glockenspiel")
      assertOk(await pod.owner.send("DELETE", `/api/hub/documents/${page.id}`))
      assert.notInclude(await search(pod.owner, "glockenspil"), "glockenspiel")
    })

    it("a person who knows the id of another person's memory fact cannot read, restore, forget or replace the fact", async () => {
      const { id } = assertOk(await member.send("POST", "/api/hub/memory", { fact: "I play the ocarina." }))
      assertRefused(await pod.owner.send("GET", `/api/hub/memory/${id}/history`), 404)
      assertRefused(await pod.owner.send("POST", `/api/hub/memory/${id}/restore`, {}), 404)
      const preview = assertOk(await pod.owner.send("POST", "/api/hub/memory/forget/preview", { ids: [id] }))
      assert.deepStrictEqual(preview.facts, [])
      await pod.owner.send("POST", "/api/hub/memory/forget", { ids: [id] })
      await pod.owner.send("DELETE", `/api/hub/memory/${id}`)
      const entries = [
        { action: "update", target: id, content: "Nothing." },
        { action: "forget", target: id, content: "" }
      ]
      await pod.owner.send("POST", "/api/hub/memory/writes", { entries })
      const { body } = await member.send("GET", "/api/hub/memory?q=ocarina")
      assert.include(JSON.stringify(body), id)
    })
  })
}
