/**
 * The property definitions of a profile apply to an entity on create, on change, and on approval of an agent's
 * proposal.
 */
import { assert, it } from "@effect/vitest"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import {
  expectStatus,
  approveProposal,
  changeEntity,
  createEntity,
  defineProperty,
  faultsOf,
  getEntity,
  onEachPod,
  createProfile,
  expectRefusal,
  builtInTaskId
} from "./entityScene.ts"

onEachPod("an entity and its profile", (scene) => {
  /** Creates a profile in the workspace, with one property definition for each slug in `definitions`. */
  const aKind = async (slug: string, definitions: Readonly<Record<string, object>>, more: object = {}) => {
    const { owner, workspaceId } = scene()
    const { id } = await expectStatus(200, createProfile(owner, { workspaceId, slug, displayName: slug, ...more }))
    for (const [property, definition] of Object.entries(definitions)) {
      await expectStatus(200, defineProperty(owner, { workspaceId, profileId: id, slug: property, ...definition }))
    }
    return id as string
  }

  it("a person who is not a member of a workspace gets no information about the profiles of that workspace", async () => {
    const { other, owner, workspaceId } = scene()
    await aKind("secretive", { state: { valueType: "select", constraints: { options: ["open"], required: true } } })
    const draft = { workspaceId, profileSlug: "secretive", title: "One", properties: { state: "shut" } }
    assert.deepStrictEqual(await faultsOf(createEntity(owner, draft)), ["properties.state"])
    const known = await expectRefusal("WORKSPACE_FORBIDDEN", createEntity(other, draft))
    const unknown = await expectRefusal(
      "WORKSPACE_FORBIDDEN",
      createEntity(other, { ...draft, profileSlug: "unheard-of" })
    )
    assert.strictEqual(known.error, unknown.error)
    // `other` is not a member of the workspace, and the message says so.
    assert.include(known.error, "not a member")
  })

  it("a key for one workspace gets the same answer for another workspace of the person who owns the key as for a missing workspace", async () => {
    const { owner, pod, workspaceId } = scene()
    const elsewhere = await pod.aWorkspace(owner)
    const key = await pod.aKey(owner, { grant: { permissions: ["*"], workspaceIds: [elsewhere] } })
    const refusalFor = async (id: string) => {
      const {
        decisionId: _decisionId,
        requestId: _requestId,
        ...rest
      } = await expectRefusal(
        "WORKSPACE_FORBIDDEN",
        createEntity(key, { workspaceId: id, profileSlug: "note", title: "One" })
      )
      return rest
    }
    assert.deepStrictEqual(await refusalFor(workspaceId), await refusalFor(uuidv7()))
  })

  it("a key that may neither write nor read entities of a kind cannot learn the slug of this kind from the id of its profile", async () => {
    const { owner, pod, workspaceId } = scene()
    const profileId = await aKind("unspoken", {})
    const elsewhere = await pod.aWorkspace(owner)
    for (const grant of [{ permissions: ["*"], workspaceIds: [elsewhere] }, { permissions: ["entity.note.create"] }]) {
      const key = await pod.aKey(owner, { grant })
      const answerFor = async (id: string) => {
        const { body, status } = await createEntity(key, { workspaceId, profileId: id, title: "One" })
        return { status, error: body.error, required: body.required }
      }
      const known = await answerFor(profileId)
      assert.deepStrictEqual(known, await answerFor(uuidv7()), JSON.stringify(grant))
      assert.strictEqual(known.status, 400)
    }
    const allowed = await pod.aKey(owner, { grant: { permissions: ["entity.unspoken.create"] } })
    const made = await expectStatus(200, createEntity(allowed, { workspaceId, profileId, title: "One" }))
    assert.strictEqual(made.profileSlug, "unspoken")
  })

  it("an entity cannot have a profile of another space or a profile of the kind `role`", async () => {
    const { owner, workspaceId } = scene()
    await aKind("recipe", {})
    await expectStatus(
      200,
      createProfile(owner, {
        workspaceId,
        slug: "cook",
        displayName: "Cook",
        profileKind: "role",
        applicableKinds: ["person"]
      })
    )
    const made = await expectStatus(200, createEntity(owner, { workspaceId, profileSlug: "recipe", title: "Soup" }))
    assert.strictEqual(made.profileSlug, "recipe")
    assert.deepStrictEqual(await faultsOf(createEntity(owner, { profileSlug: "recipe", title: "Soup" })), [
      "profileSlug"
    ])
    assert.deepStrictEqual(await faultsOf(createEntity(owner, { workspaceId, profileSlug: "cook", title: "Soup" })), [
      "profileSlug"
    ])
    const key = await scene().pod.aKey(owner, { grant: { permissions: ["entity.recipe.read"] } })
    const listed = await expectStatus(200, key.send("GET", "/api/hub/entities"))
    assert.deepStrictEqual(
      listed.map(({ id }: { readonly id: string }) => id),
      [made.id]
    )
  })

  it("the pod answers 400 to properties that do not fit their definitions, and reports the path of every fault", async () => {
    const { owner, workspaceId } = scene()
    await aKind("ticket", {
      state: { valueType: "select", constraints: { options: ["open", "shut"], defaultValue: "open" } },
      effort: { valueType: "number", constraints: { min: 0 } },
      owner: { valueType: "text", constraints: { required: true } }
    })
    const draft = { workspaceId, profileSlug: "ticket", title: "Leak" }
    const wrong = createEntity(owner, { ...draft, properties: { state: "ajar", effort: -1 } })
    assert.sameMembers([...(await faultsOf(wrong))], ["properties.state", "properties.effort", "properties.owner"])
    const made = await expectStatus(200, createEntity(owner, { ...draft, properties: { owner: "Ada", colour: "any" } }))
    assert.deepStrictEqual(made.properties, { owner: "Ada", colour: "any", state: "open" })
  })

  it("a property definition applies only in its own space, even if it extends a built-in profile", async () => {
    const { owner, workspaceId } = scene()
    const definition = { workspaceId, profileId: builtInTaskId, slug: "effort", valueType: "number", overlay: true }
    const { id } = await expectStatus(200, defineProperty(owner, definition))
    const draft = { profileSlug: "task", title: "Paint", properties: { effort: "much" } }
    assert.deepStrictEqual(await faultsOf(createEntity(owner, { ...draft, workspaceId })), ["properties.effort"])
    await expectStatus(200, createEntity(owner, draft))
    await expectStatus(200, owner.send("DELETE", `/api/hub/property-defs/${id}`))
    await expectStatus(200, createEntity(owner, { ...draft, workspaceId }))
  })

  it("a profile inherits the definitions and default values of its parent profile and can replace them", async () => {
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
    assert.deepStrictEqual((await expectStatus(200, createEntity(owner, draft))).properties, { wheels: 2, colour: 7 })
    const wrong = createEntity(owner, { ...draft, properties: { wheels: "two", colour: "red" } })
    assert.sameMembers([...(await faultsOf(wrong))], ["properties.wheels", "properties.colour"])
  })

  it("after a property definition is created, changed or deleted, the next write of an entity follows the new definitions", async () => {
    const { owner, workspaceId } = scene()
    const profileId = await aKind("parcel", {})
    const parcel = (properties: object) =>
      createEntity(owner, { workspaceId, profileSlug: "parcel", title: "One", properties })
    await expectStatus(200, parcel({}))
    const constraints = { required: true, max: 5 }
    const { id } = await expectStatus(
      200,
      defineProperty(owner, { workspaceId, profileId, slug: "weight", valueType: "number", constraints })
    )
    assert.deepStrictEqual(await faultsOf(parcel({})), ["properties.weight"])
    await expectStatus(200, parcel({ weight: 5 }))
    const path = `/api/hub/property-defs/${id}`
    await expectStatus(200, owner.send("PATCH", path, { constraints: { defaultValue: 2, max: 4 } }))
    assert.deepStrictEqual(await faultsOf(parcel({ weight: 5 })), ["properties.weight"])
    assert.deepStrictEqual((await expectStatus(200, parcel({}))).properties, { weight: 2 })
    await expectStatus(200, owner.send("DELETE", path))
    assert.deepStrictEqual((await expectStatus(200, parcel({ weight: "much" }))).properties, { weight: "much" })
    await expectStatus(200, owner.send("DELETE", `/api/hub/profiles/${profileId}`))
    assert.deepStrictEqual(await faultsOf(parcel({})), ["profileSlug"])
  })

  it("when a caller changes an entity, the pod checks only the properties that the change contains", async () => {
    const { owner, workspaceId } = scene()
    const profileId = await aKind("plant", {})
    const draft = { workspaceId, profileSlug: "plant", title: "Fern", properties: { height: "tall", name: "Fern" } }
    const { id } = await expectStatus(200, createEntity(owner, draft))
    await expectStatus(200, defineProperty(owner, { workspaceId, profileId, slug: "height", valueType: "number" }))
    await expectStatus(
      200,
      defineProperty(owner, {
        workspaceId,
        profileId,
        slug: "name",
        valueType: "text",
        constraints: { required: true }
      })
    )
    await expectStatus(200, changeEntity(owner, id, { properties: { leaves: 9, height: "tall" } }))
    assert.deepStrictEqual(await faultsOf(changeEntity(owner, id, { properties: { height: "taller" } })), [
      "properties.height"
    ])
    assert.deepStrictEqual(await faultsOf(changeEntity(owner, id, { deleteProperties: ["name"] })), ["properties.name"])
    assert.deepStrictEqual(await faultsOf(changeEntity(owner, id, { properties: { name: null } })), ["properties.name"])
    const after = await expectStatus(
      200,
      changeEntity(owner, id, { metadata: { height: 3, leaves: 1 }, properties: { leaves: 2 } })
    )
    assert.deepStrictEqual(after.properties, { height: 3, leaves: 2, name: "Fern" })
  })

  it("a property that refers to an entity must contain the id of a readable entity with the required profile", async () => {
    const { other, owner, workspaceId } = scene()
    await aKind("visit", {
      of: { valueType: "relation", constraints: { targetProfileSlug: "company" } },
      with: { valueType: "array", constraints: { itemType: "entity_id" } }
    })
    const company = await expectStatus(
      200,
      createEntity(owner, { workspaceId, profileSlug: "company", title: "Quayside" })
    )
    const note = await expectStatus(200, createEntity(owner, { workspaceId, title: "Ask them" }))
    const foreign = await expectStatus(200, createEntity(other, { profileSlug: "company", title: "Theirs" }))
    const visit = (properties: object) =>
      createEntity(owner, { workspaceId, profileSlug: "visit", title: "First", properties })
    const unread = await expectStatus(400, visit({ of: foreign.id }))
    const missing = await expectStatus(400, visit({ of: workspaceId }))
    assert.deepStrictEqual(
      unread.details,
      missing.details,
      "an unreadable entity and a missing one get the same answer"
    )
    assert.deepStrictEqual(await faultsOf(visit({ of: note.id })), ["properties.of"])
    assert.deepStrictEqual(await faultsOf(visit({ with: [note.id, foreign.id] })), ["properties.with"])
    const made = await expectStatus(200, visit({ of: company.id, with: [note.id] }))
    assert.deepStrictEqual(await faultsOf(changeEntity(owner, made.id, { properties: { of: foreign.id } })), [
      "properties.of"
    ])
  })

  it("an agent's new entity is checked against its profile when it is proposed and again when it is approved", async () => {
    const { agent, agentId, owner } = scene()
    const { id: profileId } = await expectStatus(200, createProfile(owner, { slug: "errand", displayName: "Errand" }))
    const define1 = (slug: string, constraints: object) =>
      expectStatus(200, defineProperty(owner, { profileId, slug, valueType: "number", constraints }))
    await define1("effort", { min: 1, defaultValue: 3 })
    const draft = { profileSlug: "errand", title: "Buy paint" }
    assert.deepStrictEqual(await faultsOf(createEntity(agent, { ...draft, properties: { effort: 0 } })), [
      "properties.effort"
    ])
    const asked = await expectStatus(200, createEntity(agent, { ...draft, properties: { haste: 12 } }))
    assert.strictEqual(asked.status, "proposed", JSON.stringify(asked))
    await expectStatus(404, getEntity(owner, asked.proposedId))
    const { id: hasteId } = await define1("haste", { max: 10 })
    assert.deepStrictEqual(await faultsOf(approveProposal(owner, asked.proposalId)), ["properties.haste"])
    await expectStatus(404, getEntity(owner, asked.proposedId))
    await expectStatus(200, owner.send("DELETE", `/api/hub/property-defs/${hasteId}`))
    const again = await expectStatus(200, createEntity(agent, { ...draft, properties: { haste: 12 } }))
    await expectStatus(200, approveProposal(owner, again.proposalId))
    assert.deepStrictEqual((await expectStatus(200, getEntity(owner, again.proposedId))).properties, {
      effort: 3,
      haste: 12
    })
    const events = await owner.query("events.list", { type: "entity.errand.create" })
    assert.deepStrictEqual(
      events.body.result.data.map(({ actorId, subjectId }: Record<string, string>) => [actorId, subjectId]),
      [[agentId, again.proposedId]]
    )
  })
})
