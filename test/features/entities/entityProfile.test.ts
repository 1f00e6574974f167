/**
 * The property definitions of a profile apply to an entity on create, on change, and on approval of an agent's
 * proposal.
 */
import { assert, it } from "@effect/vitest"
import {
  answered,
  approve,
  change,
  create,
  define,
  faultsOf,
  found,
  onEachPod,
  profile,
  refused,
  taskOfEveryPod
} from "./entityScene.ts"

onEachPod("an entity and its profile", (scene) => {
  /** A profile in the workspace with one property definition for each slug. */
  const aKind = async (slug: string, definitions: Readonly<Record<string, object>>, more: object = {}) => {
    const { owner, workspaceId } = scene()
    const { id } = await answered(200, profile(owner, { workspaceId, slug, displayName: slug, ...more }))
    for (const [property, definition] of Object.entries(definitions)) {
      await answered(200, define(owner, { workspaceId, profileId: id, slug: property, ...definition }))
    }
    return id as string
  }

  it("a person who may not write in a workspace learns nothing of the profiles that are defined there", async () => {
    const { other, owner, workspaceId } = scene()
    await aKind("secretive", { state: { valueType: "select", constraints: { options: ["open"], required: true } } })
    const draft = { workspaceId, profileSlug: "secretive", title: "One", properties: { state: "shut" } }
    assert.deepStrictEqual(await faultsOf(create(owner, draft)), ["properties.state"])
    const known = await refused("WORKSPACE_FORBIDDEN", create(other, draft))
    const unknown = await refused("WORKSPACE_FORBIDDEN", create(other, { ...draft, profileSlug: "unheard-of" }))
    assert.strictEqual(known.error, unknown.error)
  })

  it("a profile exists only in its own workspace, and a role cannot be the profile of an entity", async () => {
    const { owner, workspaceId } = scene()
    await aKind("recipe", {})
    await answered(
      200,
      profile(owner, {
        workspaceId,
        slug: "cook",
        displayName: "Cook",
        profileKind: "role",
        applicableKinds: ["person"]
      })
    )
    const made = await answered(200, create(owner, { workspaceId, profileSlug: "recipe", title: "Soup" }))
    assert.strictEqual(made.profileSlug, "recipe")
    assert.deepStrictEqual(await faultsOf(create(owner, { profileSlug: "recipe", title: "Soup" })), ["profileSlug"])
    assert.deepStrictEqual(await faultsOf(create(owner, { workspaceId, profileSlug: "cook", title: "Soup" })), [
      "profileSlug"
    ])
    const key = await scene().pod.aKey(owner, { grant: { permissions: ["entity.recipe.read"] } })
    const listed = await answered(200, key.send("GET", "/api/hub/entities"))
    assert.deepStrictEqual(
      listed.map(({ id }: { readonly id: string }) => id),
      [made.id]
    )
  })

  it("properties that break a definition are refused with 400, and the answer names the path of every fault", async () => {
    const { owner, workspaceId } = scene()
    await aKind("ticket", {
      state: { valueType: "select", constraints: { options: ["open", "shut"], defaultValue: "open" } },
      effort: { valueType: "number", constraints: { min: 0 } },
      owner: { valueType: "text", constraints: { required: true } }
    })
    const draft = { workspaceId, profileSlug: "ticket", title: "Leak" }
    const wrong = create(owner, { ...draft, properties: { state: "ajar", effort: -1 } })
    assert.sameMembers([...(await faultsOf(wrong))], ["properties.state", "properties.effort", "properties.owner"])
    const made = await answered(200, create(owner, { ...draft, properties: { owner: "Ada", colour: "any" } }))
    assert.deepStrictEqual(made.properties, { owner: "Ada", colour: "any", state: "open" })
  })

  it("a property definition holds in its own space only, also when it extends a built-in profile", async () => {
    const { owner, workspaceId } = scene()
    const definition = { workspaceId, profileId: taskOfEveryPod, slug: "effort", valueType: "number", overlay: true }
    const { id } = await answered(200, define(owner, definition))
    const draft = { profileSlug: "task", title: "Paint", properties: { effort: "much" } }
    assert.deepStrictEqual(await faultsOf(create(owner, { ...draft, workspaceId })), ["properties.effort"])
    await answered(200, create(owner, draft))
    await answered(200, owner.send("DELETE", `/api/hub/property-defs/${id}`))
    await answered(200, create(owner, { ...draft, workspaceId }))
  })

  it("a profile inherits definitions and default values from its parent and may replace them", async () => {
    const { owner, workspaceId } = scene()
    const parentProfileId = await aKind(
      "vehicle",
      { wheels: { valueType: "number" }, colour: { valueType: "text" } },
      { defaultValues: { wheels: 4, colour: "grey" } }
    )
    await aKind(
      "bicycle",
      { colour: { valueType: "number" } },
      { parentProfileId, defaultValues: { wheels: 2, colour: 7 } }
    )
    const draft = { workspaceId, profileSlug: "bicycle", title: "Mine" }
    assert.deepStrictEqual((await answered(200, create(owner, draft))).properties, { wheels: 2, colour: 7 })
    const wrong = create(owner, { ...draft, properties: { wheels: "two", colour: "red" } })
    assert.sameMembers([...(await faultsOf(wrong))], ["properties.wheels", "properties.colour"])
  })

  it("a created, changed or deleted property definition applies to the next entity at once", async () => {
    const { owner, workspaceId } = scene()
    const profileId = await aKind("parcel", {})
    const parcel = (properties: object) =>
      create(owner, { workspaceId, profileSlug: "parcel", title: "One", properties })
    await answered(200, parcel({}))
    const constraints = { required: true, max: 5 }
    const { id } = await answered(
      200,
      define(owner, { workspaceId, profileId, slug: "weight", valueType: "number", constraints })
    )
    assert.deepStrictEqual(await faultsOf(parcel({})), ["properties.weight"])
    await answered(200, parcel({ weight: 5 }))
    const path = `/api/hub/property-defs/${id}`
    await answered(200, owner.send("PATCH", path, { constraints: { defaultValue: 2, max: 4 } }))
    assert.deepStrictEqual(await faultsOf(parcel({ weight: 5 })), ["properties.weight"])
    assert.deepStrictEqual((await answered(200, parcel({}))).properties, { weight: 2 })
    await answered(200, owner.send("DELETE", path))
    assert.deepStrictEqual((await answered(200, parcel({ weight: "much" }))).properties, { weight: "much" })
    await answered(200, owner.send("DELETE", `/api/hub/profiles/${profileId}`))
    assert.deepStrictEqual(await faultsOf(parcel({})), ["profileSlug"])
  })

  it("a change of an entity is checked only in the properties that it changes", async () => {
    const { owner, workspaceId } = scene()
    const profileId = await aKind("plant", {})
    const draft = { workspaceId, profileSlug: "plant", title: "Fern", properties: { height: "tall", name: "Fern" } }
    const { id } = await answered(200, create(owner, draft))
    await answered(200, define(owner, { workspaceId, profileId, slug: "height", valueType: "number" }))
    await answered(
      200,
      define(owner, { workspaceId, profileId, slug: "name", valueType: "text", constraints: { required: true } })
    )
    await answered(200, change(owner, id, { properties: { leaves: 9, height: "tall" } }))
    assert.deepStrictEqual(await faultsOf(change(owner, id, { properties: { height: "taller" } })), [
      "properties.height"
    ])
    assert.deepStrictEqual(await faultsOf(change(owner, id, { deleteProperties: ["name"] })), ["properties.name"])
    assert.deepStrictEqual(await faultsOf(change(owner, id, { properties: { name: null } })), ["properties.name"])
    const after = await answered(
      200,
      change(owner, id, { metadata: { height: 3, leaves: 1 }, properties: { leaves: 2 } })
    )
    assert.deepStrictEqual(after.properties, { height: 3, leaves: 2, name: "Fern" })
  })

  it("a relation property must name an entity that the caller may read, of the required profile", async () => {
    const { other, owner, workspaceId } = scene()
    await aKind("visit", {
      of: { valueType: "relation", constraints: { targetProfileSlug: "company" } },
      with: { valueType: "array", constraints: { itemType: "entity_id" } }
    })
    const company = await answered(200, create(owner, { workspaceId, profileSlug: "company", title: "Quayside" }))
    const note = await answered(200, create(owner, { workspaceId, title: "Ask them" }))
    const foreign = await answered(200, create(other, { profileSlug: "company", title: "Theirs" }))
    const visit = (properties: object) =>
      create(owner, { workspaceId, profileSlug: "visit", title: "First", properties })
    const unread = await answered(400, visit({ of: foreign.id }))
    const missing = await answered(400, visit({ of: workspaceId }))
    assert.deepStrictEqual(
      unread.details,
      missing.details,
      "an unreadable entity and a missing one get the same answer"
    )
    assert.deepStrictEqual(await faultsOf(visit({ of: note.id })), ["properties.of"])
    assert.deepStrictEqual(await faultsOf(visit({ with: [note.id, foreign.id] })), ["properties.with"])
    const made = await answered(200, visit({ of: company.id, with: [note.id] }))
    assert.deepStrictEqual(await faultsOf(change(owner, made.id, { properties: { of: foreign.id } })), [
      "properties.of"
    ])
  })

  it("an agent's new entity is checked against its profile when it is proposed and again when it is approved", async () => {
    const { agent, agentId, owner } = scene()
    const { id: profileId } = await answered(200, profile(owner, { slug: "errand", displayName: "Errand" }))
    const define1 = (slug: string, constraints: object) =>
      answered(200, define(owner, { profileId, slug, valueType: "number", constraints }))
    await define1("effort", { min: 1, defaultValue: 3 })
    const draft = { profileSlug: "errand", title: "Buy paint" }
    assert.deepStrictEqual(await faultsOf(create(agent, { ...draft, properties: { effort: 0 } })), [
      "properties.effort"
    ])
    const asked = await answered(200, create(agent, { ...draft, properties: { haste: 12 } }))
    assert.strictEqual(asked.status, "proposed", JSON.stringify(asked))
    await answered(404, found(owner, asked.proposedId))
    const { id: hasteId } = await define1("haste", { max: 10 })
    assert.deepStrictEqual(await faultsOf(approve(owner, asked.proposalId)), ["properties.haste"])
    await answered(404, found(owner, asked.proposedId))
    await answered(200, owner.send("DELETE", `/api/hub/property-defs/${hasteId}`))
    const again = await answered(200, create(agent, { ...draft, properties: { haste: 12 } }))
    await answered(200, approve(owner, again.proposalId))
    assert.deepStrictEqual((await answered(200, found(owner, again.proposedId))).properties, { effort: 3, haste: 12 })
    const events = await owner.query("events.list", { type: "entity.errand.create" })
    assert.deepStrictEqual(
      events.body.result.data.map(({ actorId, subjectId }: Record<string, string>) => [actorId, subjectId]),
      [[agentId, again.proposedId]]
    )
  })
})
