/**
 * Relations end to end, over every surface, on each storage: which relations a key may read, and how relations are
 * created.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { mcp } from "../../doors/surfaces.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const hub = "/api/hub"
const ids = (found: ReadonlyArray<{ readonly id: string }>) => found.map(({ id }) => id)

for (const [where, storage] of storages) {
  describe(`relations ${where}`, () => {
    let pod: TestPod
    let workspaceId: string
    let agent: Caller
    /** Makes a workspace and then reads once, so that the pod looks up the owner's access again. */
    const aSpace = async () => {
      const id = await pod.aWorkspace(pod.owner)
      await pod.owner.send("GET", `${hub}/workspaces`)
      return id
    }
    beforeAll(async () => {
      pod = await aPod(storage)
      workspaceId = await aSpace()
      const made = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
      agent = await pod.aKey(pod.owner, { agentId: made.body.result.data.id })
      await pod.owner.send("POST", `${hub}/workspaces/enroll-agent`, {
        agentUserId: made.body.result.data.id,
        workspaceId
      })
    })
    afterAll(() => pod?.stop())

    const an = async (profileSlug: string, title: string, more: object = { workspaceId }) => {
      const { body, status } = await pod.owner.send("POST", `${hub}/entities`, { profileSlug, title, ...more })
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body.id as string
    }
    const link = (caller: Caller, sourceEntityId: string, targetEntityId: string, more: object = {}) =>
      caller.send("POST", `${hub}/relations`, { sourceEntityId, targetEntityId, type: "supports", ...more })
    const drawn = async (...asked: Parameters<typeof link>) => {
      const { body, status } = await link(...asked)
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body.id as string
    }
    const aPair = async () => [await an("note", "Claim"), await an("task", "Proof")] as const

    describe("refused requests for relations", () => {
      it("a person cannot read, create or delete relations between another person's entities, and gets the same answer as for missing relations", async () => {
        const [note, task] = await aPair()
        const edge = await drawn(pod.owner, note, task)
        const other = await pod.aPerson()
        assert.deepStrictEqual((await other.send("GET", `${hub}/relations`)).body, [])
        assert.strictEqual((await other.send("GET", `${hub}/relations?workspaceId=${workspaceId}`)).status, 403)
        assert.strictEqual((await link(other, note, task)).status, 404)
        const missing = await other.send("DELETE", `${hub}/relations/${uuidv7()}`)
        const foreign = await other.send("DELETE", `${hub}/relations/${edge}`)
        assert.deepStrictEqual([missing.status, missing.body], [404, foreign.body])
        const unread = await other.send("GET", `${hub}/entities/${note}/connections`)
        assert.deepStrictEqual(
          [unread.status, unread.body],
          [
            404,
            { error: "There is no such entity, or this credential has no access to it.", docs: "/docs/errors#NotFound" }
          ]
        )
      })

      it("a key without permission for relations sees neither the relations nor the linked entities of an entity that it can read", async () => {
        const [note, task] = await aPair()
        await drawn(pod.owner, note, task)
        const key = await pod.aKey(pod.owner, { grant: { permissions: ["entity.read"] } })
        assert.deepStrictEqual((await key.send("GET", `${hub}/relations?entityId=${note}`)).body, [])
        const alone = await key.send("GET", `${hub}/entities/${note}/connections`)
        assert.deepStrictEqual(alone.body, { connections: [], counts: { total: 0, byType: {} } })
        assert.strictEqual((await link(key, note, task)).status, 403)
      })

      it("a key for one workspace is refused if its request for relations contains the id of another workspace", async () => {
        const key = await pod.aKey(pod.owner, { grant: { permissions: ["*"], workspaceIds: [workspaceId] } })
        const elsewhere = await aSpace()
        assert.strictEqual((await key.send("GET", `${hub}/relations?workspaceId=${elsewhere}`)).status, 403)
        const [note, task] = await aPair()
        assert.strictEqual((await link(key, note, task, { workspaceId: elsewhere })).status, 403)
      })

      it("a key for one workspace gets an empty list of the relations outside of workspaces", async () => {
        const edge = await drawn(pod.owner, await an("note", "Own claim", {}), await an("task", "Own proof", {}))
        const podWide = async (caller: Caller) => {
          const { body, status } = await caller.query("relations.listRelationsPodWide", {})
          assert.strictEqual(status, 200, JSON.stringify(body))
          return ids(body.result.data)
        }
        assert.include(await podWide(pod.owner), edge)
        for (const order of [{ grant: { permissions: ["*"], workspaceIds: [workspaceId] } }, { workspaceId }]) {
          assert.deepStrictEqual(await podWide(await pod.aKey(pod.owner, order)), [])
        }
      })

      it("an agent without the capability for relations cannot create a relation, and a relation cannot have another person as its creator", async () => {
        const made = await pod.owner.mutate("agents.create", { name: "Reader", capabilities: ["entity"] })
        const reader = await pod.aKey(pod.owner, { agentId: made.body.result.data.id })
        const [note, task] = await aPair()
        const refused = await link(reader, note, task)
        assert.deepStrictEqual([refused.status, refused.body.code], [403, "CAPABILITY_MISSING"])
        const named = await link(pod.owner, note, task, { userId: uuidv7() })
        assert.deepStrictEqual([named.status, named.body.code], [403, "IDENTITY_FORBIDDEN"])
      })

      it("the pod refuses a relation if it has no valid type, or if it does not link two different entities of its space", async () => {
        const [note, task] = await aPair()
        const own = await an("note", "Own", {})
        assert.strictEqual((await link(pod.owner, note, own)).status, 400)
        assert.strictEqual((await link(pod.owner, note, task, { workspaceId: null })).status, 400)
        assert.strictEqual((await link(pod.owner, note, note)).status, 400)
        assert.strictEqual((await link(pod.owner, note, uuidv7())).status, 404)
        assert.strictEqual((await link(pod.owner, note, task, { type: "No slug" })).status, 400)
      })

      it("a key that is limited to some entities can create relations only between those entities, and a key that is limited to a project can create no relation", async () => {
        const [note, task] = await aPair()
        const other = await an("note", "Other")
        const limited = await pod.aKey(pod.owner, { grant: { permissions: ["*"], entityIds: [note, task] } })
        assert.strictEqual((await link(limited, note, other)).status, 404)
        const edge = await drawn(limited, note, task)
        assert.deepStrictEqual(ids((await limited.send("GET", `${hub}/relations`)).body), [edge])
        assert.strictEqual((await limited.send("DELETE", `${hub}/relations/${edge}`)).status, 200)
        const project = await pod.owner.send("POST", `${hub}/projects`, { name: `Project ${note}`, workspaceId })
        const projectId = project.body.id
        const [one, two] = [
          await an("note", "One", { workspaceId, projectId }),
          await an("note", "Two", { workspaceId, projectId })
        ]
        const inProject = await pod.aKey(pod.owner, { grant: { permissions: ["*"], projectIds: [projectId] } })
        assert.strictEqual((await link(inProject, one, two)).status, 403)
      })
    })

    it("both entities of a relation list the relation, each entity with its own label, and a caller who creates the relation again gets the existing relation", async () => {
      const space = await aSpace()
      const [company, person] = [
        await an("company", "Acme", { workspaceId: space }),
        await an("person", "Anna", { workspaceId: space })
      ]
      const defined = await pod.owner.send("POST", `${hub}/relation-defs`, {
        workspaceId: space,
        slug: "employs",
        displayName: "Employs",
        inverseLabel: "Employed by",
        sourceKinds: ["company"],
        targetKinds: ["person"]
      })
      assert.strictEqual(defined.status, 200, JSON.stringify(defined.body))
      const edge = await drawn(pod.owner, company, person, { type: "employs", metadata: { since: 2020 } })
      const loose = await drawn(pod.owner, person, company, { type: "writes_to" })
      assert.strictEqual(await drawn(pod.owner, company, person, { type: "employs" }), edge)
      const wrong = await link(pod.owner, person, company, { type: "employs" })
      assert.deepStrictEqual([wrong.status, wrong.body.details[0].path], [400, "sourceEntityId"])

      const listing = (query: string) => pod.owner.send("GET", `${hub}/relations?${query}`)
      assert.deepStrictEqual(ids((await listing(`workspaceId=${space}`)).body), [loose, edge])
      assert.deepStrictEqual(ids((await listing(`entityId=${person}&type=employs&userId=${uuidv7()}`)).body), [edge])
      const seen = async (id: string) => {
        const { body } = await pod.owner.send("GET", `${hub}/entities/${id}/connections?limit=1`)
        assert.deepStrictEqual(body.counts, { total: 2, byType: { employs: 1, writes_to: 1 } })
        const all = await pod.owner.send("GET", `${hub}/entities/${id}/connections`)
        return all.body.connections.map((each: Record<string, any>) => [
          each["label"],
          each["direction"],
          each["entity"].title
        ])
      }
      assert.deepStrictEqual(await seen(company), [
        ["writes to", "incoming", "Anna"],
        ["Employs", "outgoing", "Anna"]
      ])
      assert.deepStrictEqual(await seen(person), [
        ["writes to", "outgoing", "Acme"],
        ["Employed by", "incoming", "Acme"]
      ])
      assert.strictEqual((await pod.owner.send("DELETE", `${hub}/relations/${edge}`)).status, 200)
      assert.deepStrictEqual(ids((await listing(`workspaceId=${space}`)).body), [loose])
      assert.strictEqual((await pod.owner.send("DELETE", `${hub}/relations/${edge}`)).status, 404)
    })

    it("the pages of a relation listing show each relation once", async () => {
      const space = await aSpace()
      const [one, two] = [
        await an("note", "One", { workspaceId: space }),
        await an("note", "Two", { workspaceId: space })
      ]
      const made: Array<string> = []
      for (const type of ["a", "b", "c", "d", "e"]) made.push(await drawn(pod.owner, one, two, { type }))
      const found: Array<string> = []
      let cursor: string | null = ""
      while (cursor !== null) {
        const next = cursor === "" ? "" : `&cursor=${cursor}`
        const page = await pod.owner.send("GET", `${hub}/relations?workspaceId=${space}&limit=2${next}`)
        found.push(...ids(page.body))
        cursor = page.headers.get("x-svc-next-cursor")
      }
      assert.deepStrictEqual(found, made.toReversed())
    })

    it("tRPC and the MCP tools show the same relations as REST", async () => {
      const [one, two] = [await an("note", "Own one", {}), await an("note", "Own two", {})]
      const edge = await drawn(pod.owner, one, two)
      const [note, task] = await aPair()
      const key = await pod.aKey(pod.owner)
      const call = async (name: string, args: object) => {
        const { message } = await mcp(key, "tools/call", { name, arguments: args })
        return JSON.parse(message.result?.content[0]?.text ?? "null")
      }
      const answered = await call("svc_link_entities", { sourceEntityId: note, targetEntityId: task })
      assert.strictEqual(answered.type, "relates_to")
      const found = await call("svc_get_relations", { entityId: task })
      assert.deepStrictEqual(ids(found.relations), [answered.id])
      const podWide = await key.query("relations.listRelationsPodWide", {})
      assert.include(ids(podWide.body.result.data), edge)
      assert.notInclude(ids(podWide.body.result.data), answered.id)
      const listed = await key.query("relations.listRelations", { entityId: note })
      assert.deepStrictEqual(ids(listed.body.result.data), [answered.id])
    })

    it("when an agent creates or deletes a relation, the change waits for approval and then has the agent as its actor", async () => {
      const [note, task] = await aPair()
      const asked = await link(agent, note, task, { reasoning: "The task proves the note." })
      assert.strictEqual(asked.body.status, "proposed", JSON.stringify(asked.body))
      assert.deepStrictEqual((await pod.owner.send("GET", `${hub}/relations?entityId=${note}`)).body, [])
      const approve = (id: string) => pod.owner.send("POST", `${hub}/proposals/${id}/approve`, {})
      const approved = await approve(asked.body.proposalId)
      assert.strictEqual(approved.status, 200, JSON.stringify(approved.body))
      const [edge] = (await pod.owner.send("GET", `${hub}/relations?entityId=${note}`)).body
      assert.strictEqual(edge.id, asked.body.proposedId)
      const events = await pod.owner.query("events.list", { type: "relation.create", limit: 1 })
      const [event] = events.body.result.data.events ?? events.body.result.data
      assert.strictEqual(event.subjectId, edge.id)
      assert.notStrictEqual(event.actorId, pod.ownerId)
      assert.strictEqual(event.userId, pod.ownerId)

      const going = await agent.send("DELETE", `${hub}/relations/${edge.id}`)
      assert.strictEqual(going.body.status, "proposed", JSON.stringify(going.body))
      assert.strictEqual((await approve(going.body.proposalId)).status, 200)
      assert.deepStrictEqual((await pod.owner.send("GET", `${hub}/relations?entityId=${note}`)).body, [])
      const back = await pod.owner.send("POST", `${hub}/proposals/${going.body.proposalId}/revert`)
      assert.strictEqual(back.status, 200, JSON.stringify(back.body))
      assert.deepStrictEqual(ids((await pod.owner.send("GET", `${hub}/relations?entityId=${note}`)).body), [edge.id])
    })

    it("if a grant names single entities, an agent cannot propose a new relation between them, because the grant does not contain the relation", async () => {
      const [note, task] = await aPair()
      const { body } = await pod.owner.mutate("agents.create", { name: "Narrow", capabilities: ["*"] })
      const agentId = body.result.data.id
      await pod.owner.send("POST", `${hub}/workspaces/enroll-agent`, { agentUserId: agentId, workspaceId })
      const narrow = await pod.aKey(pod.owner, { agentId, grant: { permissions: ["*"], entityIds: [note, task] } })
      const refused = await link(narrow, note, task)
      assert.deepStrictEqual([refused.status, refused.body.code], [403, "GRANT_DENIED"])
    })
  })
}
