/** What a key that is confined to one workspace learns from rankings, searches and names of what it may not read. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Caller } from "../support/pod.ts"
import { anAttackScene, anEntity, assertOk, type AttackScene, createRecord } from "./attackScene.ts"

let scene: AttackScene
let other: string
let confined: Caller
beforeAll(async () => {
  scene = await anAttackScene({ kind: "memory" })
  other = await scene.pod.aWorkspace(scene.owner, "Other")
  confined = await scene.pod.aKey(scene.owner, { workspaceId: scene.workspaceId })
})
afterAll(() => scene.pod.stop())

const linked = async (workspaceId: string, count: number) => {
  const hub = await anEntity(scene.owner, { title: "Hub", workspaceId })
  for (let at = 0; at < count; at += 1) {
    const leaf = await anEntity(scene.owner, { title: `Leaf ${at}`, workspaceId })
    const relation = { sourceEntityId: leaf.id, targetEntityId: hub.id, type: "mentions", workspaceId }
    await createRecord(scene.owner, "relations", relation)
  }
}

describe("attack: a confined key reads a ranking that was computed from more than it reads", () => {
  it("the scores do not tell whether there are relations in another workspace", async () => {
    await linked(scene.workspaceId, 2)
    await linked(other, 4)
    assertOk(await scene.owner.send("POST", "/api/hub/centrality/recompute", {}))
    const { body, status } = await confined.send("GET", "/api/hub/centrality/status")
    if (status === 403) return
    const sum = body.top.reduce((all: number, { score }: { score: number }) => all + score, 0)
    assert.approximately(sum, body.top.length === 0 ? 0 : 1, 1e-6)
  })
})

describe("attack: rows that are hidden by then", () => {
  it("an archived workspace, a removed document and a person who was removed leave nothing to be found", async () => {
    const { owner, pod } = scene
    const member = await pod.aPerson("member@example.com")
    const shared = await pod.aWorkspace(owner, "Shared")
    await anEntity(owner, { title: "Xylophone", workspaceId: shared })
    const document = await createRecord(owner, "documents", { title: "Page", content: "zither", workspaceId: shared })
    const found = async (caller: Caller, query: string) => {
      const body = assertOk(await caller.send("POST", "/api/hub/knowledge/search", { query, compare: true }))
      return JSON.stringify([body.answers, body.understanding.corrected, body.comparison, body.spaces])
    }
    assert.include(await found(owner, "xylophone"), "Xylophone")
    assert.notInclude(await found(member, "xylophone"), "Xylophone")
    assert.notInclude(await found(member, "xylophon"), "xylophone")
    assert.include(await found(owner, "zither"), "Page")
    assertOk(await owner.send("DELETE", `/api/hub/documents/${document.id}`))
    assert.notInclude(await found(owner, "zither"), "Page")
  })
})
