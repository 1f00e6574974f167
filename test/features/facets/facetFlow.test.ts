/**
 * The facets (roles) of entities: who may add a facet, which kinds of entities can have it, and which properties it
 * contains.
 */
import { assert, it } from "@effect/vitest"
import type { Caller } from "../../support/pod.ts"
import {
  expectStatus,
  approveProposal,
  createEntity,
  defineProperty,
  faultsOf,
  getEntity,
  onEachPod,
  createProfile,
  expectRefusal
} from "../entities/entityScene.ts"

onEachPod("the facets of an entity", (scene) => {
  const facets = (caller: Caller, id: string) => caller.send("GET", `/api/hub/entities/${id}/facets`)
  const put = (caller: Caller, id: string, body: object) => caller.send("POST", `/api/hub/entities/${id}/facets`, body)
  const take = (caller: Caller, id: string, slug: string) =>
    caller.send("DELETE", `/api/hub/entities/${id}/facets/${slug}`)

  let names = 0
  /** Creates a profile of the kind `role` for people, and a person in the space of this profile. */
  const aRole = async (workspaceId: string | null = scene().workspaceId) => {
    const { owner } = scene()
    const slug = `client-${++names}`
    const role = { workspaceId, slug, displayName: "Client", profileKind: "role", applicableKinds: ["person"] }
    const { id: profileId } = await expectStatus(200, createProfile(owner, role))
    const since = { workspaceId, profileId, slug: "since", valueType: "date" }
    await expectStatus(200, defineProperty(owner, since))
    const tier = { valueType: "select", constraints: { options: ["gold", "tin"], defaultValue: "tin" } }
    await expectStatus(200, defineProperty(owner, { workspaceId, profileId, slug: "tier", ...tier }))
    const person = await expectStatus(
      200,
      createEntity(owner, { workspaceId, profileSlug: "person", title: `Person ${names} Smith` })
    )
    return { slug, personId: person.id as string }
  }

  it("a request for the facets of an entity that the caller cannot read gets the same 404 as for a missing entity", async () => {
    const { other, owner, workspaceId } = scene()
    const { personId, slug } = await aRole()
    await expectStatus(200, put(owner, personId, { slug }))
    for (const ask of [
      facets,
      (caller: Caller, id: string) => put(caller, id, { slug }),
      (caller: Caller, id: string) => take(caller, id, slug)
    ]) {
      assert.deepStrictEqual(
        await expectStatus(404, ask(other, personId)),
        await expectStatus(404, ask(other, workspaceId))
      )
    }
  })

  it("a key that reads or adds a facet needs a permission for facets, and also a permission to read or change the entity", async () => {
    const { owner, pod } = scene()
    const { personId, slug } = await aRole()
    await expectStatus(200, put(owner, personId, { slug }))
    const keyWith = (...permissions: ReadonlyArray<string>) => pod.aKey(owner, { grant: { permissions } })
    assert.deepStrictEqual(await expectStatus(200, facets(await keyWith("entity.person.read"), personId)), [])
    assert.lengthOf(await expectStatus(200, facets(await keyWith("entity.person.read", "facet.read"), personId)), 1)
    await expectStatus(404, facets(await keyWith("entity.note.read", "facet.read"), personId))
    await expectRefusal("GRANT_DENIED", put(await keyWith("entity.person"), personId, { slug }))
    await expectRefusal("GRANT_DENIED", put(await keyWith("facet", "entity.person.read"), personId, { slug }))
    await expectStatus(200, put(await keyWith("facet", "entity.person"), personId, { slug }))
    const draft = { workspaceId: scene().workspaceId, profileSlug: "person", title: "Carries One", facets: [{ slug }] }
    await expectRefusal("GRANT_DENIED", createEntity(await keyWith("entity.person"), draft))
    await expectStatus(200, createEntity(await keyWith("facet", "entity.person"), draft))
  })

  it("a key that may add facets but not read them gets the same refusal for a facet that the entity has as for a facet that it does not have", async () => {
    const { owner, pod } = scene()
    const { personId, slug } = await aRole()
    const other = await aRole()
    await expectStatus(200, put(owner, personId, { slug }))
    const key = await pod.aKey(owner, { grant: { permissions: ["facet.create", "facet.update", "entity.person"] } })
    const refusals = []
    for (const asked of [slug, other.slug]) {
      const { code, needs, required } = await expectRefusal("GRANT_DENIED", put(key, personId, { slug: asked }))
      refusals.push({ code, needs, required })
    }
    assert.deepStrictEqual(refusals[0].required.toSorted(), ["facet.create", "facet.read"])
    assert.deepStrictEqual(refusals[1], refusals[0])
  })

  it("a facet must have valid properties, and the slug of a role that exists in the space and fits the profile of the entity", async () => {
    const { owner, workspaceId } = scene()
    const { personId, slug } = await aRole()
    const note = await expectStatus(200, createEntity(owner, { workspaceId, title: "A note" }))
    assert.deepStrictEqual(await faultsOf(put(owner, note.id, { slug })), ["slug"])
    assert.deepStrictEqual(await faultsOf(put(owner, personId, { slug: "nobody" })), ["slug"])
    assert.deepStrictEqual(await faultsOf(put(owner, personId, { slug: "person" })), ["slug"])
    assert.deepStrictEqual(await faultsOf(put(owner, personId, {})), ["slug"])
    assert.deepStrictEqual(await faultsOf(put(owner, personId, { slug, properties: { since: "ever" } })), [
      "properties.since"
    ])
    assert.deepStrictEqual(await expectStatus(200, facets(owner, personId)), [])
  })

  it("an entity has each facet only once, and when a caller adds the facet again, the pod changes the given properties and keeps all others", async () => {
    const { owner } = scene()
    const { personId, slug } = await aRole()
    const given = await expectStatus(200, put(owner, personId, { slug, properties: { since: "2026-01-01" } }))
    assert.deepInclude(given, {
      entityId: personId,
      slug,
      properties: { since: "2026-01-01", tier: "tin" },
      version: 1
    })
    const again = await expectStatus(200, put(owner, personId, { profileSlug: slug, properties: { tier: "gold" } }))
    assert.deepInclude(again, { id: given.id, properties: { since: "2026-01-01", tier: "gold" }, version: 2 })
    assert.deepStrictEqual(await expectStatus(200, facets(owner, personId)), [again])
    assert.deepStrictEqual(await expectStatus(200, take(owner, personId, slug)), { success: true, id: given.id })
    await expectStatus(404, take(owner, personId, slug))
    assert.deepStrictEqual(await expectStatus(200, facets(owner, personId)), [])
    const anew = await expectStatus(200, put(owner, personId, { slug }))
    assert.deepInclude(anew, { properties: { tier: "tin" }, version: 1 })
  })

  it("if callers add the same facet to an entity at the same moment, the entity has this facet once", async () => {
    const { owner } = scene()
    const { personId, slug } = await aRole()
    const all = await Promise.all(Array.from({ length: 6 }, () => put(owner, personId, { slug })))
    for (const { body, status } of all)
      assert.isTrue(status === 200 || body.code === "FACET_TAKEN", JSON.stringify(body))
    assert.lengthOf(await expectStatus(200, facets(owner, personId)), 1)
  })

  it("a new entity and its facets are created together or not at all", async () => {
    const { owner, workspaceId } = scene()
    const { slug } = await aRole()
    const draft = { workspaceId, profileSlug: "person", title: "Comes With One" }
    const wrong = [{ slug, properties: { tier: "lead" } }]
    assert.deepStrictEqual(await faultsOf(createEntity(owner, { ...draft, facets: wrong })), ["properties.tier"])
    assert.deepStrictEqual(await faultsOf(createEntity(owner, { ...draft, facets: [{ slug }, { slug }] })), ["facets"])
    const made = await expectStatus(200, createEntity(owner, { ...draft, facets: [{ profileSlug: slug }] }))
    assert.strictEqual(made.status, "created", "the refused requests left nothing behind")
    const [facet] = await expectStatus(200, facets(owner, made.id))
    assert.deepInclude(facet, { slug, properties: { tier: "tin" }, entityId: made.id, workspaceId })
    const events = await owner.query("events.list", { type: "facet.create" })
    assert.include(
      events.body.result.data.map(({ subjectId }: Record<string, string>) => subjectId),
      facet.id
    )
  })

  it("a facet from an agent waits for a person's approval, whether the agent adds the facet to an existing or to a new entity", async () => {
    const { agent, owner } = scene()
    const { personId, slug } = await aRole(null)
    const asked = await expectStatus(200, put(agent, personId, { slug, properties: { tier: "gold" } }))
    assert.deepInclude(asked, { status: "proposed", proposalType: "facet.create" })
    assert.deepStrictEqual(await expectStatus(200, facets(owner, personId)), [])
    await expectStatus(200, approveProposal(owner, asked.proposalId))
    assert.deepInclude((await expectStatus(200, facets(owner, personId)))[0], { id: asked.proposedId, slug })
    const draft = { profileSlug: "person", title: "Asked For Whole", facets: [{ slug }] }
    const whole = await expectStatus(200, createEntity(agent, draft))
    assert.strictEqual(whole.status, "proposed", JSON.stringify(whole))
    await expectStatus(404, getEntity(owner, whole.proposedId))
    await expectStatus(200, approveProposal(owner, whole.proposalId))
    assert.deepInclude((await expectStatus(200, facets(owner, whole.proposedId)))[0], {
      slug,
      properties: { tier: "tin" }
    })
  })
})
