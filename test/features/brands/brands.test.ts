/**
 * Brands end to end, over REST, on each storage: a brand is stored like any record, and the pod returns it as a kit.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const path = "/api/hub/brands"
const projectId = "0190a0a0-0000-7000-8003-000000000001"

for (const [where, storage] of storages) {
  describe(`brands and their kits ${where}`, () => {
    let pod: TestPod
    let workspaceId: string
    let empty: string
    let other: Caller
    beforeAll(async () => {
      pod = await aPod(storage)
      other = await pod.aPerson()
      workspaceId = await pod.aWorkspace(pod.owner)
      empty = await pod.aWorkspace(pod.owner, "Empty")
      await pod.owner.send("GET", path)
    })
    afterAll(() => pod?.stop())

    const kit = (query: string, caller: Caller = pod.owner) => caller.send("GET", `/api/hub/brand/kit${query}`)
    const make = async (fields: Readonly<Record<string, unknown>>) => {
      const { body, status } = await pod.owner.send("POST", path, { workspaceId, name: "Acme", ...fields })
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body
    }

    it("if no brand fits a request for a brand kit, the pod answers 404 with the reason", async () => {
      const { body, status } = await kit(`?workspaceId=${empty}&projectId=${projectId}`)
      assert.strictEqual(status, 404)
      assert.deepInclude(body, { reason: "no-brand-space", brandWorkspaceId: empty, projectId })
      assert.isString(body.error)
      assert.isString(body.message)
    })

    it("a request for a brand kit with an invalid format, workspace or project is refused, and the answer says which field is wrong", async () => {
      for (const name of ["format", "projectId", "workspaceId"]) {
        const { body, status } = await kit(`?${name}=x`)
        assert.deepStrictEqual([status, body.details[0].path], [400, name])
        assert.isString(body.error)
      }
      assert.strictEqual((await kit(`?workspaceId=${workspaceId}`, other)).status, 403)
    })

    it("the pod refuses a design token that could end a CSS declaration, in a new brand, a changed brand and a proposal", async () => {
      const tokens = { colors: { primary: "#fff; } body { display: none" } }
      const { id } = await make({ name: "Clean" })
      assert.strictEqual((await pod.owner.send("POST", path, { name: "x", tokens })).status, 400)
      assert.strictEqual((await pod.owner.send("PATCH", `${path}/${id}`, { tokens })).status, 400)
      const made = await pod.owner.mutate("agents.create", { name: "Designer", capabilities: ["*"] })
      const agent = await pod.aKey(pod.owner, { agentId: made.body.result.data.id })
      const data = { name: "x", isDefault: false, projectIds: [], tokens }
      const draft = { targetType: "brand", proposalType: "create", data }
      assert.strictEqual((await agent.send("POST", "/api/hub/proposals", draft)).status, 400)
      const asked = await agent.send("POST", path, { name: "Proposed" })
      assert.strictEqual(asked.body.status, "proposed")
      const edited = await pod.owner.send("PATCH", `/api/hub/proposals/${asked.body.proposalId}`, { data })
      assert.strictEqual(edited.status, 400)
      await pod.owner.send("DELETE", `${path}/${id}`)
    })

    it("a key with a narrow grant can read the kits of the brands that the grant covers, and all other brand operations need a full grant", async () => {
      const { id } = await make({ name: "Only" })
      const reader = await pod.aKey(pod.owner, { grant: { permissions: ["brand.read"] } })
      assert.strictEqual((await kit(`?workspaceId=${workspaceId}`, reader)).body.brandIdentityId, id)
      assert.strictEqual((await reader.send("GET", path)).body.code, "GRANT_DOOR_UNSUPPORTED")
      assert.strictEqual((await reader.send("GET", `${path}/${id}`)).status, 403)
      const blind = await pod.aKey(pod.owner, { grant: { permissions: ["track.read"] } })
      const { body, status } = await kit(`?workspaceId=${workspaceId}`, blind)
      assert.deepStrictEqual([status, body.reason], [404, "no-brand-space"])
      assert.strictEqual((await other.send("GET", `${path}/${id}`)).status, 404)
      assert.strictEqual((await other.send("PATCH", `${path}/${id}`, { name: "x" })).status, 404)
      assert.strictEqual((await pod.owner.send("DELETE", `${path}/${id}`)).status, 200)
    })

    it("a brand kit is made from the brand of the project, or else from the default brand, and the hash of the kit is the hash of its content", async () => {
      const standard = await make({ isDefault: true, tokens: { colors: { primary: "#0055ff" } } })
      const project = await pod.owner.send("POST", "/api/hub/projects", { workspaceId, name: "Harbour" })
      const projectId = project.body.id
      const ofProject = await make({ name: "Project", projectIds: [projectId] })
      const plain = await kit(`?workspaceId=${workspaceId}`)
      assert.deepInclude(plain.body, {
        format: "json",
        brandWorkspaceId: workspaceId,
        brandIdentityId: standard.id,
        projectId: null,
        resolvedVia: "default-flag"
      })
      for (const format of ["json", "css", "frame-md"]) {
        const { body } = await kit(`?workspaceId=${workspaceId}&format=${format}`)
        assert.strictEqual(body.hash, createHash("sha256").update(body.content).digest("hex"))
        assert.include(body.content, "#0055ff")
        assert.strictEqual((await kit(`?workspaceId=${workspaceId}&format=${format}`)).body.hash, body.hash)
      }
      const narrowed = await kit(`?projectId=${projectId}`)
      assert.deepInclude(narrowed.body, { brandIdentityId: ofProject.id, projectId, resolvedVia: "project" })
    })

    it("a space has at most one default brand", async () => {
      const second = await pod.owner.send("POST", path, { workspaceId, name: "Second", isDefault: true })
      assert.deepStrictEqual([second.status, second.body.code], [409, "DEFAULT_TAKEN"])
      const { body } = await pod.owner.send("GET", `${path}?workspaceId=${workspaceId}`)
      const standard = body.find(({ isDefault }: { readonly isDefault: boolean }) => isDefault)
      assert.strictEqual((await pod.owner.send("PATCH", `${path}/${standard.id}`, { isDefault: true })).status, 200)
      assert.strictEqual((await pod.owner.send("PATCH", `${path}/${standard.id}`, { isDefault: false })).status, 200)
      await make({ name: "Second", isDefault: true })
    })
  })
}
