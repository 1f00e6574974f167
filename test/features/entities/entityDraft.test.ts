/**
 * A request for a new entity can also contain the id of the profile, and a text that the pod stores as the document of
 * the entity.
 */
import { assert, it } from "@effect/vitest"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import {
  expectStatus,
  approveProposal,
  createEntity,
  faultsOf,
  onEachPod,
  createProfile,
  expectRefusal,
  tool
} from "./entityScene.ts"

onEachPod("a new entity with a profile id or a text", (scene) => {
  const documentOf = (id: string) => scene().owner.send("GET", `/api/hub/documents/${id}`)
  const entityOf = (id: string) => scene().owner.send("GET", `/api/hub/entities/${id}`)

  it("a caller cannot create an entity with the id of a profile that does not exist in the space of the entity", async () => {
    const { other, owner, workspaceId } = scene()
    const theirs = await expectStatus(200, createProfile(other, { slug: "boat", displayName: "Boat" }))
    const role = { workspaceId, slug: "pilot", displayName: "Pilot", profileKind: "role", applicableKinds: ["person"] }
    const { id: roleId } = await expectStatus(200, createProfile(owner, role))
    for (const profileId of [uuidv7(), theirs.id, roleId]) {
      assert.deepStrictEqual(await faultsOf(createEntity(owner, { workspaceId, profileId, title: "A boat" })), [
        "profileId"
      ])
    }
  })

  it("a new entity gets the profile with the given profile id, but if the request also has the slug of another profile, the entity gets that other profile", async () => {
    const { owner, workspaceId } = scene()
    const { id: profileId } = await expectStatus(
      200,
      createProfile(owner, { workspaceId, slug: "ship", displayName: "Ship" })
    )
    const made = await expectStatus(200, createEntity(owner, { workspaceId, profileId, title: "Aurora" }))
    assert.deepInclude(made, { profileSlug: "ship", writeReceipt: { state: "applied" } })
    const note = await expectStatus(
      200,
      createEntity(owner, { workspaceId, profileId, profileSlug: "note", title: "Of Aurora" })
    )
    assert.strictEqual(note.profileSlug, "note")
  })

  it("if a key may not create documents, the pod refuses a new entity with a text, and creates neither the entity nor the document", async () => {
    const { owner, pod, workspaceId } = scene()
    const key = await pod.aKey(owner, { grant: { permissions: ["entity"] } })
    const title = "Refused with its text"
    await expectRefusal("GRANT_DENIED", createEntity(key, { workspaceId, title, content: "# Text" }))
    const { body } = await owner.send("GET", `/api/hub/entities?workspaceId=${workspaceId}&limit=200`)
    assert.notInclude(
      body.map((entity: { readonly title: string }) => entity.title),
      title
    )
  })

  it("a key for one project cannot create an entity with a document or facet, because documents and facets belong to no project", async () => {
    const { owner, pod, workspaceId } = scene()
    const project = await expectStatus(200, owner.send("POST", "/api/hub/projects", { name: "Lock", workspaceId }))
    const role = { workspaceId, slug: "warden", displayName: "Warden", profileKind: "role", applicableKinds: ["note"] }
    await expectStatus(200, createProfile(owner, role))
    const key = await pod.aKey(owner, { grant: { permissions: ["*"], projectIds: [project.id] } })
    const draft = { workspaceId, projectId: project.id, title: "In the project" }
    await expectStatus(200, createEntity(key, draft))
    await expectRefusal("GRANT_DENIED", createEntity(key, { ...draft, content: "# Text" }))
    await expectRefusal("GRANT_DENIED", createEntity(key, { ...draft, facets: [{ slug: "warden" }] }))
  })

  it("a key that may not delete documents cannot revert the creation of an entity that has a document", async () => {
    const { agent, owner, pod } = scene()
    const { proposalId, proposedId } = await expectStatus(
      200,
      createEntity(agent, { title: "Kept", content: "By an agent" })
    )
    await expectStatus(200, approveProposal(owner, proposalId))
    const permissions = ["entity", "proposal", "document.read", "document.create"]
    const key = await pod.aKey(owner, { grant: { permissions } })
    await expectRefusal("GRANT_DENIED", key.send("POST", `/api/hub/proposals/${proposalId}/revert`, {}))
    const { documentId } = await expectStatus(200, entityOf(proposedId))
    await expectStatus(200, documentOf(documentId))
  })

  it("the text that a client sends with a new entity is stored as the document of that entity", async () => {
    const { owner, workspaceId } = scene()
    const made = await expectStatus(200, createEntity(owner, { workspaceId, title: "Tide table", content: "# Tides" }))
    const document = await expectStatus(200, documentOf(made.documentId))
    assert.deepInclude(document, {
      title: "Tide table",
      content: "# Tides",
      entityId: made.id,
      workspaceId,
      revision: 1
    })
    const bare = await expectStatus(200, createEntity(owner, { workspaceId, title: "No text", content: "" }))
    assert.isNull(bare.documentId)
  })

  it("if a new entity with a text is a duplicate of an existing entity, the pod refuses the new entity and does not change the existing one", async () => {
    const { owner, workspaceId } = scene()
    const known = { workspaceId, profileSlug: "person", title: "Mara Quay", properties: { email: "mara@example.com" } }
    await expectStatus(200, createEntity(owner, known))
    const { code } = await expectStatus(409, createEntity(owner, { ...known, content: "Another text" }))
    assert.strictEqual(code, "SAME_NAME")
  })

  it("a person can approve and revert an agent's new entity together with its document, but cannot revert the approval after somebody edited the document", async () => {
    const { agent, owner } = scene()
    const propose = (title: string) => expectStatus(200, createEntity(agent, { title, content: "By an agent" }))
    const revert = (id: string) => owner.send("POST", `/api/hub/proposals/${id}/revert`, {})
    const [one, other] = [await propose("One"), await propose("Other")]
    for (const { proposalId } of [one, other]) await expectStatus(200, approveProposal(owner, proposalId))
    const [made, edited] = [
      await expectStatus(200, entityOf(one.proposedId)),
      await expectStatus(200, entityOf(other.proposedId))
    ]
    assert.strictEqual((await expectStatus(200, documentOf(made.documentId))).content, "By an agent")
    await expectStatus(200, revert(one.proposalId))
    await expectStatus(404, entityOf(made.id))
    await expectStatus(404, documentOf(made.documentId))
    const change = { baseRevision: 1, content: "By a person" }
    await expectStatus(200, owner.send("PATCH", `/api/hub/documents/${edited.documentId}`, change))
    assert.strictEqual((await expectStatus(409, revert(other.proposalId))).code, "REVERT_CONFLICT")
    await expectStatus(200, entityOf(edited.id))
    assert.strictEqual((await expectStatus(200, documentOf(edited.documentId))).content, "By a person")
  })

  it("a caller who may read facets can list entities by the slug of a facet that the entities have", async () => {
    const { owner, pod, workspaceId } = scene()
    const role = { workspaceId, slug: "keeper", displayName: "Keeper", profileKind: "role", applicableKinds: ["note"] }
    await expectStatus(200, createProfile(owner, role))
    const facets = [{ slug: "keeper" }]
    const made = await expectStatus(200, createEntity(owner, { workspaceId, title: "Keeps", facets }))
    await expectStatus(200, createEntity(owner, { workspaceId, title: "Keeps nothing" }))
    const path = `/api/hub/entities?facetSlug=keeper&workspaceId=${workspaceId}`
    const seenBy = async (caller: typeof owner, asked = path): Promise<ReadonlyArray<string>> =>
      (await expectStatus(200, caller.send("GET", asked))).map(({ id }: { readonly id: string }) => id)
    assert.deepStrictEqual(await seenBy(owner), [made.id])
    assert.deepStrictEqual(await seenBy(owner, path.replace("keeper", "nobody")), [])
    const reader = (...permissions: ReadonlyArray<string>) => pod.aKey(owner, { grant: { permissions } })
    assert.deepStrictEqual(await seenBy(await reader("entity.read", "facet.read")), [made.id])
    assert.deepStrictEqual(await seenBy(await reader("entity.read")), [])
    assert.deepStrictEqual(
      await seenBy(await pod.aKey(owner, { grant: { permissions: ["*"], entityIds: [made.id] } })),
      []
    )
    const { entities } = await tool(await pod.aKey(owner, {}), "svc_get_entities", { facetSlug: "keeper" })
    assert.deepStrictEqual(
      entities.map(({ id }: { readonly id: string }) => id),
      [made.id]
    )
  })
})
