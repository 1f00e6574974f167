/** The pod loses no value if callers write entities at the same moment, or just after a change of their profile. */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { onOneStorage } from "../support/storages.ts"
import { anAttackScene, anEntity, type AttackScene, assertOk, createRecord } from "./attackScene.ts"

const rounds = 6

onOneStorage("entities that are written at the same moment", (storage) => {
  let scene: AttackScene
  beforeAll(async () => void (scene = await anAttackScene(storage)), 60_000)
  afterAll(() => scene?.pod.stop())
  const send = (method: string, path: string, body?: object) => scene.owner.send(method, `/api/hub/${path}`, body)

  it("if one call changes the phone of an entity and another call changes its e-mail at the same moment, a new entity with either value is recognized as a duplicate", async () => {
    for (let round = 0; round < rounds; round++) {
      const { id } = await anEntity(scene.owner, { profileSlug: "note", title: `Contact ${round}` })
      const phone = `+4930123456${round}`
      const email = `contact${round}@example.org`
      const answers = await Promise.all([
        send("PATCH", `entities/${id}`, { properties: { phone } }),
        send("PATCH", `entities/${id}`, { properties: { email } })
      ])
      for (const answer of answers) assertOk(answer)
      for (const properties of [{ phone }, { email }]) {
        const again = { profileSlug: "note", title: `Another name ${round}`, properties, forceCreate: false }
        const found = assertOk(await send("POST", "entities", again))
        assert.deepInclude(found, { id, status: "updated" }, JSON.stringify(properties))
      }
    }
  })

  it("if four calls create the same person at the same moment, the pod stores one entity", async () => {
    for (let round = 0; round < rounds; round++) {
      const draft = {
        profileSlug: "person",
        title: `Ada Example ${round}`,
        properties: { email: `ada${round}@example.org` }
      }
      const answers = await Promise.all([0, 1, 2, 3].map(() => send("POST", "entities", draft)))
      for (const { body, status } of answers) assert.include([200, 409], status, JSON.stringify(body))
      const listed = assertOk(await send("GET", "entities?profileSlug=person&limit=100"))
      const items: ReadonlyArray<{ readonly title: string }> = listed.items ?? listed
      assert.lengthOf(
        items.filter(({ title }) => title === draft.title),
        1
      )
    }
  })

  it("if a create request matches an existing entity and the caller's key may not change a facet (a role) of this entity, the pod refuses the request and changes nothing", async () => {
    const role = { slug: "customer", displayName: "Customer", profileKind: "role", applicableKinds: ["person"] }
    await createRecord(scene.owner, "profiles", role)
    const facet = (since: string) => ({ slug: "customer", properties: { since } })
    const draft = { profileSlug: "person", title: "Grace Example", forceCreate: false }
    const email = "grace@example.org"
    const first = { ...draft, properties: { email }, facets: [facet("2020")] }
    const { id } = assertOk(await send("POST", "entities", first))
    const permissions = ["entity.person", "facet.create", "facet.read"]
    const key = await scene.pod.aKey(scene.owner, { grant: { permissions } })
    const again = { ...draft, properties: { email, phone: "+49301234" }, facets: [facet("2026")] }
    const refused = await key.send("POST", "/api/hub/entities", again)
    assert.strictEqual(refused.status, 403, JSON.stringify(refused.body))
    const { properties } = assertOk(await send("GET", `entities/${id}`))
    assert.notProperty(properties, "phone")
    const answer = assertOk(await send("POST", "entities", again))
    assert.deepInclude(answer, { id, status: "updated" })
  })

  it("if two calls create an undirected relation between two entities from both ends at the same moment, the pod stores one relation", async () => {
    await createRecord(scene.owner, "relation-defs", { slug: "knows", displayName: "Knows", isDirectional: false })
    for (let round = 0; round < rounds; round++) {
      const [one, other] = await Promise.all(
        ["One", "Other"].map((name) => anEntity(scene.owner, { profileSlug: "note", title: `${name} ${round}` }))
      )
      const edge = (source: string, target: string) =>
        send("POST", "relations", { type: "knows", sourceEntityId: source, targetEntityId: target })
      const answers = await Promise.all([edge(one.id, other.id), edge(other.id, one.id)])
      const ids = answers.map((answer) => assertOk(answer).id)
      assert.strictEqual(ids[0], ids[1])
    }
  })

  it("the first entity that is created after a change of its profile (the kind of entity) gets the new default values", async () => {
    const workspaceId = await scene.pod.aWorkspace(scene.owner, "Gadgets")
    const profile = await createRecord(scene.owner, "profiles", { workspaceId, slug: "gadget", displayName: "Gadget" })
    const definition = {
      workspaceId,
      profileId: profile.id,
      slug: "colour",
      displayName: "Colour",
      valueType: "string"
    }
    assertOk(await send("POST", "property-defs", definition))
    await anEntity(scene.owner, { workspaceId, profileSlug: "gadget", title: "Before" })
    assertOk(await send("PATCH", `profiles/${profile.id}`, { defaultValues: { colour: "red" } }))
    const { id } = await anEntity(scene.owner, { workspaceId, profileSlug: "gadget", title: "After" })
    assert.deepInclude(assertOk(await send("GET", `entities/${id}`)).properties, { colour: "red" })
  })
})
