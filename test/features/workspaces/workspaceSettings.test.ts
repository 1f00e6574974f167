/**
 * The settings of a workspace, over REST, on each storage: who may change them, and what happens to an agent's request.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { setRole } from "../../support/membership.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

for (const [where, storage] of storages) {
  describe(`the settings of a workspace ${where}`, () => {
    let pod: TestPod
    let other: Caller & { readonly id: string }
    let agentId: string
    let agent: Caller
    let workspaceId: string
    let path: string
    beforeAll(async () => {
      pod = await aPod(storage)
      other = await pod.aPerson()
      const made = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
      agentId = made.body.result.data.id
      workspaceId = await pod.aWorkspace(pod.owner)
      path = `/api/hub/workspaces/${workspaceId}`
      await pod.owner.send("POST", "/api/hub/workspaces/enroll-agent", { agentUserId: agentId, workspaceId })
      agent = await pod.aKey(pod.owner, { agentId })
    })
    afterAll(() => pod?.stop())

    /** Writes another person's membership straight into the storage, so that the test needs no invitation. */
    const joins = (personId: string, spaceId: string, role: "admin" | "editor") =>
      setRole(pod, storage, personId, spaceId, role)

    const everyChange = [
      ["", { name: "Taken" }],
      ["/eve-provider-routing", { mode: "local" }],
      ["/source-edges", { sourceRoles: { a: 1 } }],
      ["/public-projection", { enabled: true, roles: ["note"], fields: ["title"] }]
    ] as const

    it("a person outside a workspace cannot read or change its settings, and gets the same answer as for a missing workspace", async () => {
      const nowhere = `/api/hub/workspaces/${uuidv7()}`
      for (const [below, body] of everyChange) {
        const theirs = await other.send("PATCH", path + below, body)
        const missing = await other.send("PATCH", nowhere + below, body)
        assert.deepStrictEqual([theirs.status, missing.status], [403, 403], below)
        assert.strictEqual(theirs.body.error, missing.body.error)
      }
      for (const below of ["/eve-provider-routing", "/digest"]) {
        assert.strictEqual((await other.send("GET", path + below)).status, 403)
        assert.strictEqual((await other.send("GET", nowhere + below)).status, 403)
      }
    })

    it("an editor cannot change the settings of a workspace, but an admin can", async () => {
      const editor = await pod.aPerson()
      const admin = await pod.aPerson()
      await joins(editor.id, workspaceId, "editor")
      await joins(admin.id, workspaceId, "admin")
      for (const [below, body] of everyChange) {
        assert.strictEqual((await editor.send("PATCH", path + below, body)).status, 403, below)
      }
      assert.strictEqual((await editor.send("GET", `${path}/eve-provider-routing`)).status, 200)
      const renamed = await admin.send("PATCH", path, { description: "By the admin." })
      assert.deepStrictEqual([renamed.status, renamed.body.description], [200, "By the admin."])
      const skipped = await editor.mutate("agents.create", { name: "Theirs", capabilities: ["*"] })
      const enrolled = await editor.send("POST", "/api/hub/workspaces/enroll-agent", {
        agentUserId: skipped.body.result.data.id
      })
      assert.deepStrictEqual(enrolled.body, { enrolled: [], skipped: [workspaceId] })
    })

    it("a key for another workspace, and a key with a grant for other records, cannot change the settings of a workspace", async () => {
      const elsewhere = await pod.aWorkspace(pod.owner)
      for (const grant of [{ permissions: ["*"], workspaceIds: [elsewhere] }, { permissions: ["entity"] }]) {
        const key = await pod.aKey(pod.owner, { grant })
        for (const [below, body] of everyChange) {
          assert.strictEqual((await key.send("PATCH", path + below, body)).status, 403, below)
        }
        assert.strictEqual((await key.send("GET", `${path}/eve-provider-routing`)).status, 403)
      }
    })

    it("attack: an agent's change of workspace settings waits for approval, whatever the policy of the workspace lets agents do", async () => {
      const owned = await pod.owner.mutate("governance.setPolicy", { workspaceId, autoApproveFor: ["*"] })
      assert.strictEqual(owned.status, 200, JSON.stringify(owned.body))
      await pod.owner.mutate("agents.update", { agentId, writesRequireProposal: false })
      const before = await pod.owner.send("GET", path)
      for (const [below, body] of everyChange) {
        const asked = await agent.send("PATCH", path + below, { ...body, reasoning: "It helps." })
        assert.deepStrictEqual([asked.status, asked.body.status], [200, "proposed"], JSON.stringify(asked.body))
        assert.strictEqual(asked.body.effectiveWorkspaceId, workspaceId)
        assert.strictEqual(asked.body.reasoning, "It helps.")
      }
      assert.deepStrictEqual((await pod.owner.send("GET", path)).body, before.body)
      assert.strictEqual((await agent.send("POST", `${path}/retry-provisioning`)).status, 403)
    })

    it("a workspace setting that an agent proposed applies after a person approves it, and no longer applies after the person reverts the approval", async () => {
      const asked = await agent.send("PATCH", `${path}/public-projection`, { enabled: true, roles: ["company"] })
      const proposal = `/api/hub/proposals/${asked.body.proposalId}`
      assert.strictEqual((await agent.send("POST", `${proposal}/approve`, {})).status, 403)
      assert.strictEqual((await pod.owner.send("GET", proposal)).body.class, "access")
      const approved = await pod.owner.send("POST", `${proposal}/approve`, {})
      assert.strictEqual(approved.status, 200, JSON.stringify(approved.body))
      const expected = { enabled: true, roles: ["company"], fields: [] }
      assert.deepStrictEqual((await pod.owner.send("GET", path)).body.publicProjection, expected)
      const reverted = await pod.owner.send("POST", `${proposal}/revert`)
      assert.strictEqual(reverted.status, 200, JSON.stringify(reverted.body))
      assert.isNull((await pod.owner.send("GET", path)).body.publicProjection)
    })

    it("a person's change of one setting does not affect a proposal about another setting", async () => {
      const asked = await agent.send("PATCH", path, { name: "By the agent" })
      await pod.owner.send("PATCH", path, { description: "By the owner" })
      const approved = await pod.owner.send("POST", `/api/hub/proposals/${asked.body.proposalId}/approve`, {})
      assert.strictEqual(approved.status, 200, JSON.stringify(approved.body))
      const { body } = await pod.owner.send("GET", path)
      assert.deepInclude(body, { name: "By the agent", description: "By the owner" })
    })

    it("an agent cannot create a proposal with an unknown workspace field or a proposal to delete the workspace", async () => {
      const filed = (proposalType: string, data: object) =>
        agent.send("POST", "/api/hub/proposals", {
          targetType: "workspace",
          targetId: workspaceId,
          workspaceId,
          proposalType,
          data
        })
      assert.strictEqual((await filed("update", { governance: { autoApproveFor: ["*"] } })).status, 400)
      assert.strictEqual((await filed("update", { providerRouting: { providers: [{ id: "x" }] } })).status, 400)
      assert.strictEqual((await filed("delete", {})).status, 501)
      assert.strictEqual((await filed("update", { name: "Filed" })).body.status, "pending")
    })

    it("a change of the model providers of a workspace replaces all of them, and the pod refuses a secret or an invalid address in the change", async () => {
      const fresh = `/api/hub/workspaces/${await pod.aWorkspace(pod.owner)}/eve-provider-routing`
      assert.isNull((await pod.owner.send("GET", fresh)).body.eveProviderRouting)
      const local = { id: "ollama", enabled: true, baseUrl: "http://localhost:11434", defaultModel: "small" }
      const sent = { mode: "hybrid", defaultProvider: "ollama", providers: [local], syncToService: true }
      const secret = { ...sent, providers: [{ ...local, apiKey: "hunter2" }] }
      const refused = await pod.owner.send("PATCH", fresh, secret)
      assert.deepStrictEqual([refused.status, refused.body.details[0].path], [400, "providers.0.apiKey"])
      assert.notInclude(JSON.stringify(refused.body), "hunter2")
      const first = await pod.owner.send("PATCH", fresh, sent)
      assert.deepStrictEqual(first.body.eveProviderRouting, sent)
      assert.isTrue(first.body.ok)
      const second = await pod.owner.send("PATCH", fresh, { mode: "provider" })
      assert.deepStrictEqual(second.body.eveProviderRouting, { mode: "provider" })
      assert.deepStrictEqual((await pod.owner.send("GET", fresh)).body, second.body)
      for (const wrong of [
        { mode: "cloud" },
        { defaultProvider: "someone" },
        { providers: [{ id: "openai", baseUrl: "http://localhost:11434" }] },
        { providers: [{ id: "ollama", baseUrl: "http://169.254.169.254/latest" }] },
        { providers: [{ id: "openai", baseUrl: "https://key:secret@api.example.com" }] },
        { providers: [{ id: "openai" }, { id: "openai" }] }
      ]) {
        assert.strictEqual((await pod.owner.send("PATCH", fresh, wrong)).status, 400, JSON.stringify(wrong))
      }
      assert.deepStrictEqual((await pod.owner.send("GET", fresh)).body, second.body)
    })

    it("a change of a workspace's `sourceRoles` or `defaultSources` keeps the entries with other names, and a change with neither field is refused", async () => {
      assert.strictEqual((await pod.owner.send("PATCH", `${path}/source-edges`, {})).status, 400)
      await pod.owner.send("PATCH", `${path}/source-edges`, { sourceRoles: { a: "one", b: "two" } })
      const { body, status } = await pod.owner.send("PATCH", `${path}/source-edges`, {
        sourceRoles: { b: "three" },
        defaultSources: { mail: ["x"] }
      })
      assert.strictEqual(status, 200)
      const merged = { sourceRoles: { a: "one", b: "three" }, defaultSources: { mail: ["x"] } }
      assert.deepStrictEqual(body, { ok: true, status: "updated", workspaceId, ...merged })
      assert.deepInclude((await pod.owner.send("GET", path)).body, merged)
    })

    it("the fields `sourceRoles` and `defaultSources` of a workspace have a maximum size, and the pod refuses a change that would exceed this size", async () => {
      const edges = (round: number) =>
        Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`${round} ${at}`, "x".repeat(10_000)]))
      const large = await pod.aWorkspace(pod.owner, "Large")
      for (const field of ["sourceRoles", "defaultSources"]) {
        const send = (round: number) =>
          pod.owner.send("PATCH", `/api/hub/workspaces/${large}/source-edges`, { [field]: edges(round) })
        assert.strictEqual((await send(1)).status, 200)
        const { body, status } = await send(2)
        assert.deepStrictEqual([status, body.details[0].path], [400, field])
        const { body: stored } = await pod.owner.send("GET", `/api/hub/workspaces/${large}`)
        assert.lengthOf(Object.keys(stored[field]), 60)
      }
    })

    it("if an agent proposes a change of the field `sourceRoles` of a workspace, the answer contains the id of the workspace", async () => {
      const { body } = await agent.send("PATCH", `${path}/source-edges`, { sourceRoles: { a: "four" } })
      assert.deepInclude(body, { status: "proposed", workspaceId })
      assert.deepInclude((await pod.owner.send("GET", path)).body.sourceRoles, { a: "one" })
    })

    it("the list of workspaces shows for each workspace when the caller became a member", async () => {
      const { body } = await pod.owner.send("GET", "/api/hub/workspaces")
      for (const { joinedAt } of body.workspaces) assert.isFalse(Number.isNaN(Date.parse(joinedAt)))
    })

    it("when callers change different entries of a workspace's field `defaultSources` at the same moment, all changes are kept", async () => {
      const names = ["k0", "k1", "k2"]
      const answers = await Promise.all(
        names.map((name) => pod.owner.send("PATCH", `${path}/source-edges`, { defaultSources: { [name]: true } }))
      )
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 200, 200]
      )
      const { body } = await pod.owner.send("GET", path)
      assert.containsAllKeys(body.defaultSources, names)
    })

    it("a change of a workspace's field `publicProjection` must contain the fields `enabled` and `roles`, and keeps the list `fields` if the change leaves it out", async () => {
      const projection = `${path}/public-projection`
      const whole = await pod.owner.send("PATCH", projection, { enabled: true, roles: ["note"], fields: ["title"] })
      assert.deepStrictEqual(whole.body, {
        ok: true,
        workspaceId,
        enabled: true,
        roles: ["note"],
        fields: ["title"]
      })
      const shorter = await pod.owner.send("PATCH", projection, { enabled: false, roles: [] })
      assert.deepInclude(shorter.body, { enabled: false, roles: [], fields: ["title"] })
      assert.strictEqual((await pod.owner.send("PATCH", projection, { roles: ["note"] })).status, 400)
      assert.strictEqual((await pod.owner.send("PATCH", projection, { enabled: true })).status, 400)
    })

    describe("the right to publish entities", () => {
      const everything = { enabled: true, roles: ["note"], fields: ["title"] }
      const reading = ["workspace.read", "proposal", "entity.read", "facet.read"]
      let hidden: string
      beforeAll(async () => {
        hidden = await pod.aWorkspace(pod.owner)
        await pod.owner.send("POST", "/api/hub/workspaces/enroll-agent", { agentUserId: agentId, workspaceId: hidden })
      })
      /** Makes a proposal of the agent to change the public part of the workspace. */
      const proposalOf = (key: Caller, publicProjection: object, workspace = hidden) =>
        key.send("POST", "/api/hub/proposals", {
          targetType: "workspace",
          targetId: workspace,
          workspaceId: workspace,
          proposalType: "update",
          data: { publicProjection }
        })
      const keyWith = (permissions: ReadonlyArray<string>, more: object = {}) =>
        pod.aKey(pod.owner, { grant: { permissions, ...more } })
      const published = async (key: Caller) =>
        (await key.send("PATCH", `/api/hub/workspaces/${hidden}/public-projection`, everything)).status
      const shown = async () => (await pod.owner.send("GET", `/api/hub/workspaces/${hidden}`)).body.publicProjection

      it("a key that cannot read entities cannot publish the entities of a workspace", async () => {
        for (const permissions of [
          ["workspace.update", "workspace.read"],
          ["workspace"],
          ["workspace", "facet.read", "entity.note.read"],
          ["workspace", "entity.read"]
        ]) {
          const key = await keyWith(permissions)
          const { body, status } = await key.send(
            "PATCH",
            `/api/hub/workspaces/${hidden}/public-projection`,
            everything
          )
          assert.deepStrictEqual([status, body.code], [403, "GRANT_DENIED"], permissions.join())
          assert.deepStrictEqual(body.required, ["workspace.update", "entity.read", "facet.read"])
        }
        assert.isNull(await shown())
      })

      it("a key that can read only some records of a workspace cannot publish the entities of this workspace", async () => {
        assert.strictEqual(await published(await keyWith(["*"], { entityIds: [hidden] })), 403)
        assert.isNull(await shown())
      })

      it("a key that cannot read entities cannot propose that the entities of a workspace become public", async () => {
        const key = await pod.aKey(pod.owner, { agentId, grant: { permissions: ["workspace", "proposal"] } })
        const proposed = await proposalOf(key, everything)
        assert.deepStrictEqual([proposed.status, proposed.body.code], [403, "GRANT_DENIED"])
      })

      it("a person with a key that cannot read entities cannot approve that the entities of a workspace become public", async () => {
        const asked = await proposalOf(agent, everything)
        const approve = `/api/hub/proposals/${asked.body.id}/approve`
        const refused = await (await keyWith(["workspace", "proposal"])).send("POST", approve, {})
        assert.deepStrictEqual([refused.status, refused.body.code], [403, "GRANT_DENIED"], JSON.stringify(refused.body))
        assert.isNull(await shown())
        const approved = await (await keyWith(["workspace", ...reading])).send("POST", approve, {})
        assert.strictEqual(approved.status, 200, JSON.stringify(approved.body))
        assert.deepStrictEqual(await shown(), everything)
      })

      it("if somebody publishes a workspace after an agent proposed to publish more kinds of record, the approval of the proposal gets a conflict and publishes no further kind", async () => {
        const fresh = await pod.aWorkspace(pod.owner)
        const path = `/api/hub/workspaces/${fresh}/public-projection`
        const closed = { enabled: false, roles: [], fields: ["title"] }
        await pod.owner.send("POST", "/api/hub/workspaces/enroll-agent", { agentUserId: agentId, workspaceId: fresh })
        await pod.owner.send("PATCH", path, closed)
        const asked = await proposalOf(agent, { ...closed, roles: ["note"] }, fresh)
        await pod.owner.send("PATCH", path, { ...closed, enabled: true })
        const key = await keyWith(["workspace", "proposal"])
        const { body, status } = await key.send("POST", `/api/hub/proposals/${asked.body.id}/approve`, {})
        assert.deepStrictEqual([status, body.code], [409, "PROPOSAL_CONFLICT"], JSON.stringify(body))
        const { publicProjection } = (await pod.owner.send("GET", `/api/hub/workspaces/${fresh}`)).body
        assert.deepStrictEqual(publicProjection, { ...closed, enabled: true })
      })

      it("a key that can read all entities of a workspace can publish them, and a key that can read no entity can make them private again", async () => {
        const only = { workspaceIds: [hidden] }
        assert.strictEqual(await published(await keyWith(["workspace.update", ...reading], only)), 200)
        const key = await keyWith(["workspace.update", "workspace.read"])
        const path = `/api/hub/workspaces/${hidden}/public-projection`
        const ended = await key.send("PATCH", path, { enabled: false, roles: ["note"] })
        assert.strictEqual(ended.status, 200, JSON.stringify(ended.body))
        const feed = await pod.stranger.send("GET", `/api/hub/public/projection?workspace=${hidden}`)
        assert.strictEqual(feed.status, 404)
      })
    })

    it("a key that may change but not read a workspace is refused, and the workspace does not change", async () => {
      const before = (await pod.owner.send("GET", path)).body
      const key = await pod.aKey(pod.owner, { grant: { permissions: ["workspace.update"] } })
      assert.strictEqual((await key.send("PATCH", path, { name: "Unseen" })).status, 403)
      assert.strictEqual((await key.send("POST", `${path}/retry-provisioning`)).status, 403)
      assert.deepStrictEqual((await pod.owner.send("GET", path)).body, before)
    })

    it("the pod refuses a change of workspace settings that contains no field or an empty name", async () => {
      assert.strictEqual((await pod.owner.send("PATCH", path, {})).status, 400)
      assert.strictEqual((await pod.owner.send("PATCH", path, { name: "" })).status, 400)
    })

    it("the digest of a workspace has the name of the workspace and counts its records", async () => {
      const id = await pod.aWorkspace(pod.owner, "Counted")
      await pod.owner.send("GET", `/api/hub/workspaces/${id}`)
      for (const title of ["One", "Two"]) {
        await pod.owner.send("POST", "/api/hub/entities", { profileSlug: "note", title, workspaceId: id })
      }
      const { body, status } = await pod.owner.send("GET", `/api/hub/workspaces/${id}/digest`)
      assert.strictEqual(status, 200, JSON.stringify(body))
      assert.deepInclude(body, { workspaceId: id, name: "Counted", total: 2, counts: { note: 2 } })
      assert.sameMembers(
        body.keyEntities.map(({ title }: { title: string }) => title),
        ["One", "Two"]
      )
    })
  })
}
