/** One of each name and address: what stands in the way of a new entity, what is changed instead, and who is told. */
import { assert, it } from "@effect/vitest"
import { answered, approve, change, create, faultsOf, found, onEachPod, refused, tool } from "../entityScene.ts"

onEachPod("a new entity and those of its name", (scene) => {
  const titles = async (kind: string) => {
    const { owner, workspaceId } = scene()
    const path = `/api/hub/entities?profileSlug=${kind}&workspaceId=${workspaceId}&includePodWide=false&limit=1000`
    return (await answered(200, owner.send("GET", path))).map(({ title }: { readonly title: string }) => title)
  }

  it("nobody learns of one that they do not read: it is in nobody else's way", async () => {
    const { other, owner, pod, workspaceId } = scene()
    const draft = {
      workspaceId,
      profileSlug: "person",
      title: "Ada Hidden",
      properties: { email: "hidden@example.com" }
    }
    await answered(200, create(owner, draft))
    const blind = await pod.aKey(owner, { grant: { permissions: ["entity.person.create"] } })
    const made = await answered(200, create(blind, draft))
    assert.strictEqual(made.status, "created")
    await answered(200, create(other, { ...draft, workspaceId: null }))
    await refused("WORKSPACE_FORBIDDEN", create(other, draft))
    const keyed = await pod.aKey(other)
    const asked = { kindSlug: "person", title: draft.title, signals: draft.properties }
    const { candidates } = await tool(keyed, "svc_resolve_identity", { ...asked, title: "Ada Hidden" })
    assert.lengthOf(candidates, 1, "their own and no other")
    const scoped = await pod.aKey(owner, { grant: { permissions: ["entity.note.read"] } })
    assert.deepStrictEqual(await tool(scoped, "svc_resolve_identity", asked), { match: "none", candidates: [] })
  })

  it("a person or company of the same name is refused with the candidates, whatever the case and the spaces", async () => {
    const { owner, workspaceId } = scene()
    for (const profileSlug of ["person", "company"]) {
      const draft = { workspaceId, profileSlug, title: "Zoë  Quay" }
      const { id } = await answered(200, create(owner, draft))
      const { details } = await refused("SAME_NAME", create(owner, { ...draft, title: " zoe QUAY" }))
      const candidate = { entityId: id, title: draft.title, profileSlug, match: "weak", on: ["title"] }
      assert.deepStrictEqual(details, { candidates: [candidate] })
      const forced = await answered(200, create(owner, { ...draft, forceCreate: true }))
      assert.notStrictEqual(forced.id, id)
      await answered(200, create(owner, { ...draft, workspaceId: null }))
    }
  })

  it("other kinds are compared where forceCreate is false, and not otherwise", async () => {
    const { owner, workspaceId } = scene()
    const draft = { workspaceId, profileSlug: "note", title: "Twice" }
    await answered(200, create(owner, draft))
    await answered(200, create(owner, draft))
    const { details } = await refused("SAME_NAME", create(owner, { ...draft, forceCreate: false }))
    assert.lengthOf(details.candidates, 2)
    assert.lengthOf(await titles("note"), 2)
  })

  it("a name that was given up is free again, and the one taken instead is not", async () => {
    const { owner, workspaceId } = scene()
    const draft = { workspaceId, profileSlug: "company", title: "Before" }
    const { id } = await answered(200, create(owner, draft))
    await answered(200, change(owner, id, { title: "After" }))
    const second = await answered(200, create(owner, draft))
    await refused("SAME_NAME", create(owner, { ...draft, title: "after" }))
    await answered(200, owner.send("DELETE", `/api/hub/entities/${second.id}`))
    await answered(200, create(owner, draft))
  })

  it("a title that names nobody is refused for people and companies, unless it is said to be one", async () => {
    const { owner, workspaceId } = scene()
    for (const title of ["Unknown", "New person 2", "???"]) {
      const draft = { workspaceId, profileSlug: "person", title }
      assert.deepStrictEqual(await faultsOf(create(owner, draft)), ["title"])
      assert.strictEqual((await answered(200, create(owner, { ...draft, forceCreate: true }))).title, title)
      await answered(200, create(owner, { ...draft, profileSlug: "note" }))
    }
  })

  it("one with the same address is changed instead of made: it takes what is new and keeps its name", async () => {
    const { owner, workspaceId } = scene()
    const draft = { workspaceId, profileSlug: "person", title: "Grace Pier" }
    const { id } = await answered(
      200,
      create(owner, { ...draft, properties: { Email: "Grace@Example.com", born: 1906 } })
    )
    const again = {
      ...draft,
      title: "G. Pier",
      description: "Wrote it.",
      properties: { email: "grace@example.com ", rank: 7 }
    }
    const merged = await answered(200, create(owner, again))
    assert.deepInclude(merged, { id, title: "Grace Pier", status: "updated", description: "Wrote it.", version: 2 })
    assert.deepInclude(merged.properties, { born: 1906, rank: 7 })
    assert.deepInclude(merged.resolution.existingSameProfile, { entityId: id, match: "strong", on: ["email"] })
    const kept = await answered(200, create(owner, { ...again, description: "Another one." }))
    assert.deepInclude(kept, { id, description: "Wrote it.", version: 3 })
    const company = await answered(200, create(owner, { ...again, profileSlug: "company" }))
    assert.strictEqual(company.status, "created", "of another kind")
  })

  it("an address that was changed or deleted leads there no longer", async () => {
    const { owner, workspaceId } = scene()
    const draft = (title: string, github: string) => ({
      workspaceId,
      profileSlug: "person",
      title,
      properties: { github }
    })
    const { id } = await answered(200, create(owner, draft("Lin Dock", "lin-dock")))
    await answered(200, change(owner, id, { properties: { github: "@lindock" } }))
    assert.strictEqual((await answered(200, create(owner, draft("Other", "lin-dock")))).status, "created")
    assert.strictEqual((await answered(200, create(owner, draft("Any", "https://github.com/LinDock")))).id, id)
    await answered(200, change(owner, id, { deleteProperties: ["github"] }))
    assert.strictEqual((await answered(200, create(owner, draft("Someone Else", "lindock")))).status, "created")
  })

  it("two that are meant alike are both told and neither is changed", async () => {
    const { owner, workspaceId } = scene()
    const draft = (title: string) => ({
      workspaceId,
      profileSlug: "company",
      title,
      properties: { url: "https://shared.example/" },
      forceCreate: true
    })
    const made = [
      await answered(200, create(owner, draft("One Ltd"))),
      await answered(200, create(owner, draft("Two Ltd")))
    ]
    const { details } = await refused("SAME_NAME", create(owner, { ...draft("Three Ltd"), forceCreate: undefined }))
    assert.sameMembers(
      details.candidates.map(({ entityId }: { readonly entityId: string }) => entityId),
      made.map(({ id }) => id)
    )
    for (const { id } of made) assert.strictEqual((await answered(200, found(owner, id))).version, 1)
  })

  it("who may make people and not change them changes none by making one", async () => {
    const { owner, pod, workspaceId } = scene()
    const draft = { workspaceId, profileSlug: "person", title: "Kim Wharf", properties: { phone: "+44 20 7946 0000" } }
    const { id } = await answered(200, create(owner, draft))
    const maker = await pod.aKey(owner, { grant: { permissions: ["entity.person.create", "entity.person.read"] } })
    const { required } = await refused("GRANT_DENIED", create(maker, draft))
    assert.deepStrictEqual(required, ["entity.person.update"])
    assert.strictEqual((await answered(200, found(owner, id))).version, 1)
  })

  it("what an agent would make waits as a change of the one that is meant", async () => {
    const { agent, owner } = scene()
    const draft = { profileSlug: "person", title: "Noor Canal", properties: { email: "noor@example.com" } }
    const { id } = await answered(200, create(owner, draft))
    const asked = await answered(200, create(agent, { ...draft, properties: { ...draft.properties, age: 40 } }))
    assert.deepInclude(asked, { status: "proposed", proposalType: "entity.update", proposedId: id })
    await answered(200, approve(owner, asked.proposalId))
    assert.deepInclude((await answered(200, found(owner, id))).properties, { age: 40 })
  })

  it("an approval makes no second one of a name that came up meanwhile", async () => {
    const { agent, owner } = scene()
    const asked = await answered(200, create(agent, { profileSlug: "company", title: "Late Arrival" }))
    assert.strictEqual(asked.status, "proposed")
    await answered(200, create(owner, { profileSlug: "company", title: "Late arrival" }))
    await refused("SAME_NAME", approve(owner, asked.proposalId))
    await answered(404, found(owner, asked.proposedId))
  })

  it("the tools ask, make, read and change", async () => {
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
