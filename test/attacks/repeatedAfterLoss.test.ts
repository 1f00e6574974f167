/**
 * Attacks: a caller who has lost a right repeats an earlier write with its idempotency key, to get the first answer
 * again. The answer contains a record that the caller may no longer read.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { mcp } from "../doors/surfaces.ts"
import { aColleague, setRole, takeRole } from "../support/membership.ts"
import type { Caller } from "../support/pod.ts"
import { onOneStorage } from "../support/storages.ts"
import {
  anAttackScene,
  anEntity,
  type AttackScene,
  assertOk,
  assertProposed,
  assertRefused,
  createRecord
} from "./attackScene.ts"

let count = 0

onOneStorage("attack: a caller who has lost a right repeats a write with its idempotency key", (storage) => {
  let scene: AttackScene
  beforeAll(async () => void (scene = await anAttackScene(storage)), 60_000)
  afterAll(() => scene?.pod.stop())

  const aMember = (role: "admin" | "editor") =>
    aColleague(scene.pod, storage, scene.workspaceId, role, `repeating${++count}`)

  /** Returns a function that sends the same write again and again. */
  const aWrite = async (by: Caller) => {
    const { id } = await anEntity(scene.owner, { title: "Secret plan", workspaceId: scene.workspaceId })
    const headers = { "idempotency-key": uuidv7() }
    return () => by.send("PATCH", `/api/hub/entities/${id}`, { description: "changed" }, headers)
  }

  it("attack: after a member has left a workspace, a key of this person that repeats a write gets 409 and sees nothing of the record", async () => {
    const member = await aMember("editor")
    const write = await aWrite(await scene.pod.aKey(member))
    assert.deepStrictEqual(assertOk(await write()), assertOk(await write()))
    await takeRole(scene.pod, storage, member.id, scene.workspaceId)
    const body = assertRefused(await write(), 409, "IDEMPOTENT_ANSWER_NOT_KEPT")
    assert.notInclude(JSON.stringify(body), "Secret plan")
  })

  it("attack: after a member was demoted from admin to editor, a repeated write gets 409, and it gets the first answer again after the member is an admin again", async () => {
    const member = await aMember("admin")
    const write = await aWrite(member)
    const first = assertOk(await write())
    await setRole(scene.pod, storage, member.id, scene.workspaceId, "editor")
    assertRefused(await write(), 409, "IDEMPOTENT_ANSWER_NOT_KEPT")
    await setRole(scene.pod, storage, member.id, scene.workspaceId, "admin")
    assert.deepStrictEqual(assertOk(await write()), first)
  })

  /** Makes a project of the owner, and a key of the owner that reaches only this project. */
  const aConfinedKey = async (of: { readonly agentId?: string } = {}) => {
    const { id } = await createRecord(scene.owner, "projects", { name: `Confined ${++count}` })
    return {
      projectId: id,
      key: await scene.pod.aKey(scene.owner, { grant: { permissions: ["*"], projectIds: [id] }, ...of })
    }
  }

  it("attack: after a record has left the project of a key, the key that repeats its update gets 409 and sees nothing of the record", async () => {
    const { key, projectId } = await aConfinedKey()
    const { id } = await anEntity(scene.owner, { title: "Secret of a project", projectId })
    const headers = { "idempotency-key": uuidv7() }
    const write = () => key.send("PATCH", `/api/hub/entities/${id}`, { description: "changed" }, headers)
    assert.deepStrictEqual(assertOk(await write()), assertOk(await write()))
    assertOk(await scene.owner.send("DELETE", `/api/hub/projects/${projectId}/entities/${id}`))
    const body = assertRefused(await write(), 409, "IDEMPOTENT_ANSWER_NOT_KEPT")
    assert.notInclude(JSON.stringify(body), "Secret of a project")
    assertOk(await scene.owner.send("POST", `/api/hub/projects/${projectId}/entities`, { entityIds: [id] }))
    assert.include(JSON.stringify(assertOk(await write())), "Secret of a project")
  })

  it("attack: after a record has left the project of a key, the key that repeats a create that had changed this record gets 409", async () => {
    const { key, projectId } = await aConfinedKey()
    const properties = { email: `duplicate${count}@example.com` }
    const fields = { title: "The same person", profileSlug: "person", properties, projectId }
    const { id } = await anEntity(scene.owner, { ...fields, description: "Secret of a duplicate" })
    const headers = { "idempotency-key": uuidv7() }
    const create = () => key.send("POST", "/api/hub/entities/upsert", { ...fields, preview: "again" }, headers)
    const first = assertOk(await create())
    assert.deepInclude(first, { id, status: "updated", description: "Secret of a duplicate" })
    assert.deepStrictEqual(assertOk(await create()), first)
    assertOk(await scene.owner.send("DELETE", `/api/hub/projects/${projectId}/entities/${id}`))
    assertRefused(await create(), 409, "IDEMPOTENT_ANSWER_NOT_KEPT")
  })

  it("attack: after a record has left the project of a key, the key that repeats an approval gets 409", async () => {
    const { key, projectId } = await aConfinedKey()
    const { id } = await anEntity(scene.owner, { title: "Secret of an approval", projectId })
    const proposal = assertProposed(
      await scene.agent.send("PATCH", `/api/hub/entities/${id}`, { description: "proposed" })
    )
    const headers = { "idempotency-key": uuidv7() }
    const approve = () => key.send("POST", `/api/hub/proposals/${proposal}/approve`, {}, headers)
    assert.deepStrictEqual(assertOk(await approve()), assertOk(await approve()))
    assertOk(await scene.owner.send("DELETE", `/api/hub/projects/${projectId}/entities/${id}`))
    assertRefused(await approve(), 409, "IDEMPOTENT_ANSWER_NOT_KEPT")
  })

  it("attack: after a record has left the project of an agent's key, the key that repeats the proposal to delete it gets 409 and sees no title", async () => {
    const { key, projectId } = await aConfinedKey({ agentId: scene.agentId })
    const { id } = await anEntity(scene.owner, { title: "Secret of a proposal", projectId })
    const headers = { "idempotency-key": uuidv7() }
    const remove = () => key.send("DELETE", `/api/hub/entities/${id}`, undefined, headers)
    const first = assertOk(await remove())
    assert.include(first.summary, "Secret of a proposal")
    assert.deepStrictEqual(assertOk(await remove()), first)
    assertOk(await scene.owner.send("DELETE", `/api/hub/projects/${projectId}/entities/${id}`))
    const body = assertRefused(await remove(), 409, "IDEMPOTENT_ANSWER_NOT_KEPT")
    assert.notInclude(JSON.stringify(body), "Secret of a proposal")
  })

  it("a delete and a create that are repeated get their first answers again, also after the record is gone", async () => {
    const headers = { "idempotency-key": uuidv7() }
    const other = { "idempotency-key": uuidv7() }
    const create = () =>
      scene.owner.send("POST", "/api/hub/entities", { title: "Short life", profileSlug: "note" }, headers)
    const made = assertOk(await create())
    const remove = () => scene.owner.send("DELETE", `/api/hub/entities/${made.id}`, undefined, other)
    const removed = assertOk(await remove())
    assert.deepStrictEqual(assertOk(await remove()), removed)
    assert.deepStrictEqual(assertOk(await create()), made)
  })

  it("a member who gets more rights after a write can still repeat the write and gets the first answer", async () => {
    const member = await aMember("editor")
    const write = await aWrite(member)
    const first = assertOk(await write())
    await setRole(scene.pod, storage, member.id, scene.workspaceId, "admin")
    await scene.pod.aWorkspace(member, "Another")
    const again = await write()
    assert.deepStrictEqual(assertOk(again), first)
    assert.strictEqual(again.headers.get("x-idempotent-replay"), "true")
  })

  it("a person who creates a workspace gets the first answer again with the same idempotency key", async () => {
    const person = await scene.pod.aPerson()
    const headers = { "idempotency-key": uuidv7() }
    const create = () =>
      person.send("POST", "/api/hub/workspaces/from-definition", { workspaceName: "Repeated" }, headers)
    assert.deepStrictEqual(assertOk(await create()), assertOk(await create()))
  })

  it("attack: after a member has left a workspace, a tool call of this person that repeats a write shows nothing of the first result", async () => {
    const member = await aMember("editor")
    const key = await scene.pod.aKey(member)
    const input = {
      profileSlug: "note",
      title: "Secret by a tool",
      workspaceId: scene.workspaceId,
      idempotencyKey: uuidv7()
    }
    const call = async () =>
      JSON.stringify((await mcp(key, "tools/call", { name: "svc_create_entity", arguments: input })).message)
    assert.include(await call(), "Secret by a tool")
    await takeRole(scene.pod, storage, member.id, scene.workspaceId)
    // Another call reads the access of the person again, as the pod does after each change of a role over its API.
    assertOk(await key.send("GET", "/api/hub/entities"))
    assert.notInclude(await call(), "Secret by a tool")
  })
})
