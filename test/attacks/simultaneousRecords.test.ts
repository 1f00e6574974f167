/**
 * Some rules apply to several records of a space together. Such a rule holds even if several calls write these records
 * at the same moment.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import type { Answer } from "../support/pod.ts"
import { onOneStorage } from "../support/storages.ts"
import { anAttackScene, type AttackScene, assertOk, createRecord } from "./attackScene.ts"

const rounds = 5
const callers = [0, 1, 2, 3]

onOneStorage("records that are written at the same moment", (storage) => {
  let scene: AttackScene
  beforeAll(async () => void (scene = await anAttackScene(storage)), 60_000)
  afterAll(() => scene?.pod.stop())
  const send = (method: string, path: string, body?: object) => scene.owner.send(method, `/api/hub/${path}`, body)
  const statuses = (answers: ReadonlyArray<Answer>, code: string) => {
    for (const { body, status } of answers) {
      if (status !== 200) assert.deepStrictEqual([status, body.code], [409, code], JSON.stringify(body))
    }
    return answers.filter(({ status }) => status === 200).length
  }

  it("if several calls create a default brand of one workspace at the same moment, the workspace gets one default brand", async () => {
    for (let round = 0; round < rounds; round++) {
      const workspaceId = await scene.pod.aWorkspace(scene.owner, `Brands ${round}`)
      const draft = { isDefault: true, workspaceId }
      const answers = await Promise.all(
        callers.map((caller) => send("POST", "brands", { name: `Brand ${caller}`, ...draft }))
      )
      assert.strictEqual(statuses(answers, "DEFAULT_TAKEN"), 1)
      const listed = assertOk(await send("GET", `brands?workspaceId=${workspaceId}`))
      assert.lengthOf(listed, 1)
    }
  })

  it("if each of several calls makes a different brand the default brand of a workspace at the same moment, the workspace gets one default brand", async () => {
    for (let round = 0; round < rounds; round++) {
      const workspaceId = await scene.pod.aWorkspace(scene.owner, `Changed brands ${round}`)
      const brands = await Promise.all(
        callers.map((caller) => createRecord(scene.owner, "brands", { name: `Brand ${caller}`, workspaceId }))
      )
      const answers = await Promise.all(brands.map(({ id }) => send("PATCH", `brands/${id}`, { isDefault: true })))
      assert.strictEqual(statuses(answers, "DEFAULT_TAKEN"), 1)
      const listed: ReadonlyArray<{ readonly isDefault: boolean }> = assertOk(
        await send("GET", `brands?workspaceId=${workspaceId}`)
      )
      assert.lengthOf(
        listed.filter(({ isDefault }) => isDefault),
        1
      )
    }
  })

  it("if a person approves several default brands of a workspace at the same moment, the workspace gets one default brand", async () => {
    const { agent, workspaceId } = scene
    const proposals = []
    for (const caller of callers) {
      const draft = { name: `Proposed ${caller}`, isDefault: true, workspaceId }
      proposals.push(assertOk(await agent.send("POST", "/api/hub/brands", draft)).proposalId as string)
    }
    const answers = await Promise.all(proposals.map((id) => send("POST", `proposals/${id}/approve`, {})))
    assert.strictEqual(statuses(answers, "DEFAULT_TAKEN"), 1)
    assert.lengthOf(assertOk(await send("GET", `brands?workspaceId=${workspaceId}`)), 1)
  })

  it("if several calls define the same relation type at the same moment, the pod stores one definition", async () => {
    for (let round = 0; round < rounds; round++) {
      const draft = { slug: `moors${round}`, displayName: "Moors" }
      const answers = await Promise.all(callers.map(() => send("POST", "relation-defs", draft)))
      assert.strictEqual(statuses(answers, "SLUG_TAKEN"), 1)
    }
  })

  it("if several calls create a project with the same name at the same moment, the pod creates one project", async () => {
    for (let round = 0; round < rounds; round++) {
      const answers = await Promise.all(
        callers.map(() => send("POST", "projects", { name: `Harbour ${"x".repeat(round * 9)}` }))
      )
      assert.strictEqual(statuses(answers, "SAME_NAME"), 1)
    }
  })

  it("if two calls at the same moment would make two profiles (kinds of entity) parents of each other, the pod refuses one of the calls", async () => {
    for (let round = 0; round < rounds; round++) {
      const [one, other] = await Promise.all(
        ["one", "other"].map((name) =>
          createRecord(scene.owner, "profiles", { slug: `${name}${round}`, displayName: name })
        )
      )
      const answers = await Promise.all([
        send("PATCH", `profiles/${one.id}`, { parentProfileId: other.id }),
        send("PATCH", `profiles/${other.id}`, { parentProfileId: one.id })
      ])
      assert.sameMembers(
        answers.map(({ status }) => status),
        [200, 400]
      )
    }
  })

  it("if each of several calls activates a different model provider of one kind at the same moment, all calls succeed and one provider is active", async () => {
    const providers = []
    for (const caller of callers) {
      const draft = { name: `Model ${caller}`, url: "https://models.example/v1", model: "small" }
      providers.push(await createRecord(scene.owner, "providers", draft))
    }
    for (const answer of await Promise.all(providers.map(({ id }) => send("POST", `providers/${id}/activate`)))) {
      assertOk(answer)
    }
    const listed: ReadonlyArray<{ readonly isActive: boolean }> = assertOk(await send("GET", "providers"))
    assert.lengthOf(
      listed.filter(({ isActive }) => isActive),
      1
    )
  })

  it("if several calls change different kinds of notifications at the same moment, the pod stores every change", async () => {
    const kinds = ["mention", "post", "key_ending", "webhook_failing"]
    for (const isWanted of [false, true, false, true]) {
      const answers = await Promise.all(
        kinds.map((kind) => send("PATCH", "notifications/preferences", { kinds: { [kind]: isWanted } }))
      )
      for (const answer of answers) assertOk(answer)
      const stored = assertOk(await send("GET", "notifications/preferences"))
      assert.deepStrictEqual(
        kinds.map((kind) => stored.kinds[kind]),
        kinds.map(() => isWanted)
      )
    }
  })
})
