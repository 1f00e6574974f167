/**
 * `POST /entities/upsert` creates an entity or changes its duplicate. The gate judges an upsert as a creation or as a
 * change.
 */
import { assert, it } from "@effect/vitest"
import type { Caller } from "../../support/pod.ts"
import {
  approveProposal,
  expectRefusal,
  expectStatus,
  faultsOf,
  getEntity,
  onEachPod
} from "../entities/entityScene.ts"

const upsert = (caller: Caller, draft: object) => caller.send("POST", "/api/hub/entities/upsert", draft)

onEachPod("an upsert of an entity", (scene) => {
  it("an upsert by a caller without a credential, without the right to write or outside the workspace is refused", async () => {
    const { other, owner, pod, workspaceId } = scene()
    const draft = { workspaceId, profileSlug: "note", title: "Refused", properties: { email: "refused@example.com" } }
    await expectStatus(401, upsert(pod.stranger, draft))
    await expectRefusal("WORKSPACE_FORBIDDEN", upsert(other, draft))
    const narrow = await pod.aKey(owner, { grant: { permissions: ["entity.task"] } })
    await expectStatus(403, upsert(narrow, draft))
    await expectStatus(400, upsert(owner, { ...draft, tilte: "Misspelt" }))
    const path = `/api/hub/entities?workspaceId=${workspaceId}&includePodWide=false`
    assert.deepStrictEqual(await expectStatus(200, owner.send("GET", path)), [])
    assert.strictEqual((await expectStatus(200, owner.send("GET", "/api/hub/proposals?status=all"))).total, 0)
  })

  it("an upsert changes the entity with the same e-mail address, and creates a new entity if no entity has this address", async () => {
    const { owner, workspaceId } = scene()
    for (const profileSlug of ["note", "person"]) {
      const draft = { workspaceId, profileSlug, title: "Ada Quay", properties: { email: `${profileSlug}@example.com` } }
      const created = await expectStatus(200, upsert(owner, draft))
      assert.deepInclude(created, {
        status: "created",
        title: "Ada Quay",
        version: 1,
        effectiveWorkspaceId: workspaceId
      })
      const again = { ...draft, title: "A. Quay", properties: { ...draft.properties, rank: 7 } }
      const updated = await expectStatus(200, upsert(owner, again))
      assert.deepInclude(updated, { id: created.id, status: "updated", version: 2 })
      assert.deepInclude(updated.properties, again.properties)
      assert.strictEqual(updated.resolution.existingSameProfile.entityId, created.id)
      assert.deepInclude(await expectStatus(200, getEntity(owner, created.id)), { version: 2 })
    }
  })

  it("an upsert that matches an entity only by its name is refused, unless `forceCreate` is true", async () => {
    const { owner, workspaceId } = scene()
    const draft = { workspaceId, profileSlug: "note", title: "Only the name" }
    const { id } = await expectStatus(200, upsert(owner, draft))
    const { details } = await expectRefusal("SAME_NAME", upsert(owner, draft))
    assert.deepStrictEqual(
      details.candidates.map(({ entityId }: { entityId: string }) => entityId),
      [id]
    )
    const forced = await expectStatus(200, upsert(owner, { ...draft, forceCreate: true }))
    assert.notStrictEqual(forced.id, id)
    assert.deepStrictEqual(await faultsOf(upsert(owner, { ...draft, title: "" })), ["title"])
  })

  it("a key that may create but not change entities is refused if its upsert would change an entity", async () => {
    const { owner, pod, workspaceId } = scene()
    const grant = { permissions: ["entity.note.create", "entity.note.read"] }
    const creator = await pod.aKey(owner, { grant })
    const draft = { workspaceId, profileSlug: "note", title: "Kept", properties: { email: "kept@example.com" } }
    const { id } = await expectStatus(200, upsert(creator, draft))
    await expectRefusal("GRANT_DENIED", upsert(creator, { ...draft, properties: { email: "kept@example.com", a: 1 } }))
    assert.strictEqual((await expectStatus(200, getEntity(owner, id))).version, 1)
  })

  it("an upsert neither changes nor reveals an entity that the caller may not read", async () => {
    const { other, owner } = scene()
    const draft = { profileSlug: "note", title: "Theirs", properties: { email: "theirs@example.com" } }
    const theirs = await expectStatus(200, upsert(other, draft))
    const mine = await expectStatus(200, upsert(owner, draft))
    assert.deepInclude(mine, {
      status: "created",
      resolution: { existingSameProfile: null, autoConnected: [], suggestions: [] }
    })
    assert.strictEqual((await expectStatus(200, getEntity(other, theirs.id))).version, 1)
  })

  it("an agent's upsert becomes a proposal to create or change an entity, and the pod applies the proposal when a person approves it", async () => {
    const { agent, owner, workspaceId } = scene()
    const draft = { profileSlug: "note", title: "By an agent", properties: { email: "agent@example.com" } }
    const proposed = await expectStatus(200, upsert(agent, draft))
    assert.deepInclude(proposed, { status: "proposed", proposalType: "entity.create" })
    await expectStatus(200, approveProposal(owner, proposed.proposalId))
    const change = await expectStatus(200, upsert(agent, { ...draft, properties: { ...draft.properties, rank: 1 } }))
    assert.deepInclude(change, { status: "proposed", proposalType: "entity.update" })
    await expectStatus(200, approveProposal(owner, change.proposalId))
    const { id } = await expectStatus(200, upsert(owner, draft))
    assert.strictEqual((await expectStatus(200, getEntity(owner, id))).properties.rank, 1)
    assert.strictEqual((await expectStatus(200, upsert(agent, { ...draft, workspaceId }))).status, "proposed")
  })

  it("if many upserts with one address come at the same moment, exactly one of them creates an entity", async () => {
    const { owner, workspaceId } = scene()
    const draft = { workspaceId, profileSlug: "company", title: "At once", properties: { email: "once@example.com" } }
    const answers = await Promise.all(Array.from({ length: 8 }, () => upsert(owner, draft)))
    const ids = new Set(answers.flatMap(({ body, status }) => (status === 200 ? [body.id] : [])))
    assert.isTrue(answers.every(({ status }) => status === 200 || status === 409))
    assert.strictEqual(answers.filter(({ body }) => body.status === "created").length, 1)
    assert.strictEqual(ids.size, 1)
    assert.strictEqual((await expectStatus(200, upsert(owner, draft))).status, "updated")
  })
})
