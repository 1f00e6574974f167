/**
 * A new entity can have the same name or address as an existing entity. Tests when the pod refuses the new entity, when
 * it changes the existing entity instead, and what the answer says.
 */
import { assert, it } from "@effect/vitest"
import {
  expectStatus,
  approveProposal,
  changeEntity,
  createEntity,
  faultsOf,
  getEntity,
  onEachPod,
  expectRefusal,
  tool
} from "../entities/entityScene.ts"

onEachPod("a new entity with the name or address of an existing entity", (scene) => {
  const titles = async (kind: string) => {
    const { owner, workspaceId } = scene()
    const path = `/api/hub/entities?profileSlug=${kind}&workspaceId=${workspaceId}&includePodWide=false&limit=1000`
    return (await expectStatus(200, owner.send("GET", path))).map(({ title }: { readonly title: string }) => title)
  }

  it("a caller can create an entity with the name and the e-mail address of an entity that the caller may not read", async () => {
    const { other, owner, pod, workspaceId } = scene()
    const draft = {
      workspaceId,
      profileSlug: "person",
      title: "Ada Hidden",
      properties: { email: "hidden@example.com" }
    }
    await expectStatus(200, createEntity(owner, draft))
    const blind = await pod.aKey(owner, { grant: { permissions: ["entity.person.create"] } })
    const made = await expectStatus(200, createEntity(blind, draft))
    assert.strictEqual(made.status, "created")
    await expectStatus(200, createEntity(other, { ...draft, workspaceId: null }))
    await expectRefusal("WORKSPACE_FORBIDDEN", createEntity(other, draft))
    const keyed = await pod.aKey(other)
    const asked = { kindSlug: "person", title: draft.title, signals: draft.properties }
    const { candidates } = await tool(keyed, "svc_resolve_identity", { ...asked, title: "Ada Hidden" })
    assert.lengthOf(candidates, 1, "only their own entity")
    const scoped = await pod.aKey(owner, { grant: { permissions: ["entity.note.read"] } })
    assert.deepStrictEqual(await tool(scoped, "svc_resolve_identity", asked), { match: "none", candidates: [] })
  })

  it("the pod refuses a new person or company with the name of an existing one, in any letter case and spacing, and lists the existing entities", async () => {
    const { owner, workspaceId } = scene()
    for (const profileSlug of ["person", "company"]) {
      const draft = { workspaceId, profileSlug, title: "Zoë  Quay" }
      const { id } = await expectStatus(200, createEntity(owner, draft))
      const { details } = await expectRefusal("SAME_NAME", createEntity(owner, { ...draft, title: " zoe QUAY" }))
      const candidate = { entityId: id, title: draft.title, profileSlug, match: "weak", on: ["title"] }
      assert.deepStrictEqual(details, { candidates: [candidate] })
      const forced = await expectStatus(200, createEntity(owner, { ...draft, forceCreate: true }))
      assert.notStrictEqual(forced.id, id)
      await expectStatus(200, createEntity(owner, { ...draft, workspaceId: null }))
    }
  })

  it("two entities that are neither people nor companies can have the same name, unless the request sets `forceCreate` to false", async () => {
    const { owner, workspaceId } = scene()
    const draft = { workspaceId, profileSlug: "note", title: "Twice" }
    await expectStatus(200, createEntity(owner, draft))
    await expectStatus(200, createEntity(owner, draft))
    const { details } = await expectRefusal("SAME_NAME", createEntity(owner, { ...draft, forceCreate: false }))
    assert.lengthOf(details.candidates, 2)
    assert.lengthOf(await titles("note"), 2)
  })

  it("after an entity was renamed or deleted, its old name can be used again", async () => {
    const { owner, workspaceId } = scene()
    const draft = { workspaceId, profileSlug: "company", title: "Before" }
    const { id } = await expectStatus(200, createEntity(owner, draft))
    await expectStatus(200, changeEntity(owner, id, { title: "After" }))
    const second = await expectStatus(200, createEntity(owner, draft))
    await expectRefusal("SAME_NAME", createEntity(owner, { ...draft, title: "after" }))
    await expectStatus(200, owner.send("DELETE", `/api/hub/entities/${second.id}`))
    await expectStatus(200, createEntity(owner, draft))
  })

  it("a placeholder title of a person or company is refused unless the request sets `forceCreate` to true", async () => {
    const { owner, workspaceId } = scene()
    for (const title of ["Unknown", "New person 2", "???"]) {
      const draft = { workspaceId, profileSlug: "person", title }
      assert.deepStrictEqual(await faultsOf(createEntity(owner, draft)), ["title"])
      assert.strictEqual((await expectStatus(200, createEntity(owner, { ...draft, forceCreate: true }))).title, title)
      await expectStatus(200, createEntity(owner, { ...draft, profileSlug: "note" }))
    }
  })

  it("a new entity with the e-mail address of an existing entity updates the existing entity, but neither changes its name nor removes its properties", async () => {
    const { owner, workspaceId } = scene()
    const draft = { workspaceId, profileSlug: "person", title: "Grace Pier" }
    const { id } = await expectStatus(
      200,
      createEntity(owner, { ...draft, properties: { Email: "Grace@Example.com", born: 1906 } })
    )
    const again = {
      ...draft,
      title: "G. Pier",
      description: "Wrote it.",
      properties: { email: "grace@example.com ", rank: 7 }
    }
    const merged = await expectStatus(200, createEntity(owner, again))
    assert.deepInclude(merged, { id, title: "Grace Pier", status: "updated", description: "Wrote it.", version: 2 })
    assert.deepInclude(merged.properties, { born: 1906, rank: 7 })
    assert.deepInclude(merged.resolution.existingSameProfile, { entityId: id, match: "strong", on: ["email"] })
    const kept = await expectStatus(200, createEntity(owner, { ...again, description: "Another one." }))
    assert.deepInclude(kept, { id, description: "Wrote it.", version: 2 })
    const company = await expectStatus(200, createEntity(owner, { ...again, profileSlug: "company" }))
    assert.strictEqual(company.status, "created", "an entity of another profile is created")
  })

  it("the name of a GitHub account no longer matches an entity after the name was changed or removed in the entity", async () => {
    const { owner, workspaceId } = scene()
    const draft = (title: string, github: string) => ({
      workspaceId,
      profileSlug: "person",
      title,
      properties: { github }
    })
    const { id } = await expectStatus(200, createEntity(owner, draft("Lin Dock", "lin-dock")))
    await expectStatus(200, changeEntity(owner, id, { properties: { github: "@lindock" } }))
    assert.strictEqual((await expectStatus(200, createEntity(owner, draft("Other", "lin-dock")))).status, "created")
    assert.strictEqual(
      (await expectStatus(200, createEntity(owner, draft("Any", "https://github.com/LinDock")))).id,
      id
    )
    await expectStatus(200, changeEntity(owner, id, { deleteProperties: ["github"] }))
    assert.strictEqual(
      (await expectStatus(200, createEntity(owner, draft("Someone Else", "lindock")))).status,
      "created"
    )
  })

  it("if a new entity matches two existing entities equally well, the answer lists both existing entities, and the pod changes neither of them", async () => {
    const { owner, workspaceId } = scene()
    const draft = (title: string) => ({
      workspaceId,
      profileSlug: "company",
      title,
      properties: { url: "https://shared.example/" },
      forceCreate: true
    })
    const made = [
      await expectStatus(200, createEntity(owner, draft("One Ltd"))),
      await expectStatus(200, createEntity(owner, draft("Two Ltd")))
    ]
    const { details } = await expectRefusal(
      "SAME_NAME",
      createEntity(owner, { ...draft("Three Ltd"), forceCreate: undefined })
    )
    assert.sameMembers(
      details.candidates.map(({ entityId }: { readonly entityId: string }) => entityId),
      made.map(({ id }) => id)
    )
    for (const { id } of made) assert.strictEqual((await expectStatus(200, getEntity(owner, id))).version, 1)
  })

  it("a key that may create people but not update them cannot update a person by creating an entity that matches this person", async () => {
    const { owner, pod, workspaceId } = scene()
    const draft = { workspaceId, profileSlug: "person", title: "Kim Wharf", properties: { phone: "+44 20 7946 0000" } }
    const { id } = await expectStatus(200, createEntity(owner, draft))
    const maker = await pod.aKey(owner, { grant: { permissions: ["entity.person.create", "entity.person.read"] } })
    const { required } = await expectRefusal("GRANT_DENIED", createEntity(maker, draft))
    assert.deepStrictEqual(required, ["entity.person.update"])
    assert.strictEqual((await expectStatus(200, getEntity(owner, id))).version, 1)
  })

  it("an agent's new entity that matches an existing entity becomes a proposal to update the existing entity", async () => {
    const { agent, owner } = scene()
    const draft = { profileSlug: "person", title: "Noor Canal", properties: { email: "noor@example.com" } }
    const { id } = await expectStatus(200, createEntity(owner, draft))
    const asked = await expectStatus(
      200,
      createEntity(agent, { ...draft, properties: { ...draft.properties, age: 40 } })
    )
    assert.deepInclude(asked, { status: "proposed", proposalType: "entity.update", proposedId: id })
    await expectStatus(200, approveProposal(owner, asked.proposalId))
    assert.deepInclude((await expectStatus(200, getEntity(owner, id))).properties, { age: 40 })
  })

  it("a person cannot approve a new entity if somebody has created an entity with the same name in the meantime", async () => {
    const { agent, owner } = scene()
    const asked = await expectStatus(200, createEntity(agent, { profileSlug: "company", title: "Late Arrival" }))
    assert.strictEqual(asked.status, "proposed")
    await expectStatus(200, createEntity(owner, { profileSlug: "company", title: "Late arrival" }))
    await expectRefusal("SAME_NAME", approveProposal(owner, asked.proposalId))
    await expectStatus(404, getEntity(owner, asked.proposedId))
  })

  it("MCP tools can resolve, create, read and update entities", async () => {
    const { owner, pod, workspaceId } = scene()
    const key = await pod.aKey(owner)
    const draft = { workspaceId, profileSlug: "person", title: "Tove Lock", properties: { twitter: "@tove" } }
    const made = await tool(key, "svc_create_entity", draft)
    assert.strictEqual(made.status, "created", JSON.stringify(made))
    const asked = { signals: { Twitter: "https://x.com/tove" }, workspaceId }
    assert.deepInclude(await tool(key, "svc_resolve_identity", asked), { match: "strong", entityId: made.id })
    assert.strictEqual((await tool(key, "svc_create_entity", { ...draft, properties: {} })).code, "SAME_NAME")
    const long = "x".repeat(500)
    const changed = await tool(key, "svc_update_entity", { entityId: made.id, description: long })
    assert.deepInclude(changed, { status: "updated", version: 2 })
    assert.isBelow((await tool(key, "svc_get_entity", { entityId: made.id })).description.length, 200)
    const whole = await tool(key, "svc_get_entity", { entityId: made.id, detail: "full", workspaceId })
    assert.strictEqual(whole.description, long)
    const elsewhere = await tool(key, "svc_get_entity", { entityId: made.id, workspaceId: made.id })
    const missing = await tool(key, "svc_get_entity", { entityId: workspaceId })
    assert.deepStrictEqual(elsewhere, missing)
    const scoped = await pod.aKey(owner, { grant: { permissions: ["entity.read"] } })
    assert.strictEqual((await tool(scoped, "svc_get_entity", { entityId: made.id })).code, "GRANT_DOOR_UNSUPPORTED")
  })
})
