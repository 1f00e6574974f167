/**
 * Artifacts end to end, on each storage: which people and addresses an artifact may contain, and at which times its
 * state changed.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { aColleague } from "../../support/membership.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const path = "/api/hub/artifacts"

for (const [where, storage] of storages) {
  describe(`artifacts ${where}`, () => {
    let pod: TestPod
    let workspaceId: string
    let agentId: string
    let agent: Caller
    let stranger: Caller & { readonly id: string }
    beforeAll(async () => {
      pod = await aPod(storage)
      workspaceId = await pod.aWorkspace(pod.owner)
      const made = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
      agentId = made.body.result.data.id
      agent = await pod.aKey(pod.owner, { agentId })
      stranger = await pod.aPerson()
    })
    afterAll(() => pod?.stop())

    const draft = (fields: object) => ({
      workspaceId,
      userId: pod.ownerId,
      kind: "document",
      title: "Minutes",
      ...fields
    })
    const post = (fields: object, caller: Caller = pod.owner) => caller.send("POST", path, draft(fields))
    const make = async (fields: object = {}) => {
      const { status, body } = await post(fields)
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body
    }
    const set = (id: string, fields: object, caller: Caller = pod.owner) =>
      caller.send("PATCH", `${path}/${id}`, fields)
    const listed = async (query: string, caller: Caller = pod.owner) => (await caller.send("GET", path + query)).body
    const idsOf = (found: ReadonlyArray<{ readonly id: string }>) => found.map(({ id }) => id)

    it("a person outside the workspace and a key whose grant excludes artifacts have no access to artifacts, and an agent without the capability for artifacts cannot write them", async () => {
      const { id } = await make()
      assert.strictEqual((await set(id, { state: "kept" }, stranger)).status, 404)
      assert.strictEqual((await post({ userId: stranger.id }, stranger)).status, 403)
      assert.strictEqual((await stranger.send("GET", `${path}?workspaceId=${workspaceId}`)).status, 403)
      assert.deepStrictEqual(await listed("", stranger), [])
      const narrow = await pod.aKey(pod.owner, { grant: { permissions: ["track.read"] } })
      assert.deepStrictEqual(await listed("", narrow), [])
      const reader = await pod.aKey(pod.owner, { grant: { permissions: ["artifact.read"] } })
      assert.include(idsOf(await listed("", reader)), id)
      assert.strictEqual((await set(id, { state: "kept" }, reader)).status, 403)
      const viewer = await aColleague(pod, storage, workspaceId, "viewer", "viewer")
      assert.strictEqual((await set(id, { state: "kept" }, viewer)).status, 403)
      const bound = await pod.aKey(pod.owner, { grant: { permissions: ["*"], workspaceIds: [workspaceId] } })
      assert.strictEqual((await post({ workspaceId: null }, bound)).status, 403)
      const idle = await pod.owner.mutate("agents.create", { name: "Reader" })
      const incapable = await pod.aKey(pod.owner, { agentId: idle.body.result.data.id })
      assert.strictEqual((await post({ workspaceId: null }, incapable)).status, 403)
    })

    it("a new artifact that contains the id of another person as its user, agent or actor is refused", async () => {
      assert.strictEqual((await post({ userId: stranger.id })).status, 403)
      assert.strictEqual((await post({ actorId: stranger.id })).status, 403)
      assert.strictEqual((await post({ agentUserId: stranger.id })).status, 403)
      assert.strictEqual((await post({ agentUserId: pod.ownerId })).status, 400)
      const { id } = await make()
      assert.strictEqual((await set(id, { state: "kept", agentUserId: stranger.id })).status, 403)
      assert.strictEqual((await set(id, { state: "kept", agentUserId: pod.ownerId })).status, 400)
      // Only a key of the agent can act as the agent.
      assert.strictEqual((await post({ agentUserId: agentId })).status, 403)
      const made = await make({ actorId: "a script of mine" })
      assert.deepStrictEqual([made.actorId, made.userId], [pod.ownerId, pod.ownerId])
    })

    it("the pod refuses a new artifact with an invalid field, and refuses a request for a listing of artifacts with an invalid filter", async () => {
      for (const fields of [
        { kind: "run" },
        { title: "" },
        { title: "x".repeat(501) },
        { placement: "floor" },
        { originKind: "me" }
      ]) {
        assert.strictEqual((await post(fields)).status, 400, JSON.stringify(fields))
      }
      for (const missing of ["workspaceId", "userId", "kind", "title"]) {
        assert.strictEqual((await post({ [missing]: undefined })).status, 400, missing)
      }
      for (const query of ["?state=gone", "?placement=floor", "?limit=0", "?limit=101", "?sessionId=1", "?state="]) {
        assert.strictEqual((await pod.owner.send("GET", path + query)).status, 400, query)
      }
      const { id } = await make()
      for (const fields of [{ state: "gone" }, { placement: "all" }]) {
        assert.strictEqual((await set(id, fields)).status, 400, JSON.stringify(fields))
      }
    })

    it("attack: the web address of an artifact must be public, whether it is in `refId`, in `props` or in an edited proposal", async () => {
      const url = { kind: "url" }
      const refused = [
        { ...url, refId: "http://169.254.169.254/latest" },
        { ...url, refId: "javascript:alert(1)" },
        { ...url, props: { url: "http://localhost:3000" } },
        { ...url, props: { url: 7 } },
        { ...url, refId: "https://example.com", props: { url: "http://127.1" } }
      ]
      for (const fields of refused) assert.strictEqual((await post(fields)).status, 400, JSON.stringify(fields))
      assert.strictEqual(
        (await make({ ...url, refId: "https://example.com/a?b#c" })).refId,
        "https://example.com/a?b#c"
      )
      await make({ ...url, props: { url: "https://example.com" } })
      await make({ kind: "document", refId: "localhost" })

      const asked = await post({ ...url, workspaceId: null, refId: "https://example.com" }, agent)
      assert.strictEqual(asked.body.status, "proposed", JSON.stringify(asked.body))
      const at = `/api/hub/proposals/${asked.body.proposalId}`
      const { data } = (await pod.owner.send("GET", at)).body.data
      const moved = { ...data, refId: "http://10.0.0.1" }
      assert.strictEqual((await pod.owner.send("PATCH", at, { data: moved })).status, 400)
      const stamped = { ...data, keptAt: "2020-01-01T00:00:00.000Z" }
      assert.strictEqual((await pod.owner.send("PATCH", at, { data: stamped })).status, 400)
    })

    it("a new artifact has the default state, placement and origin, and the field `props` accepts any JSON", async () => {
      const made = await make()
      assert.deepInclude(made, {
        state: "working",
        placement: "desk",
        originKind: "agent",
        actorId: pod.ownerId,
        workspaceId,
        keptAt: null,
        sweptAt: null,
        props: null
      })
      for (const props of [{ a: [1, { b: null }] }, [1, 2], "text", 7, false]) {
        const { id } = await make({ props })
        const found = (await listed("?limit=1")).at(0)
        assert.deepStrictEqual([found.id, found.props], [id, props])
      }
    })

    it("an artifact can enter a former state again, and it keeps the time at which it was last kept and last swept away", async () => {
      const { id } = await make()
      const kept = (await set(id, { state: "kept" })).body
      assert.isString(kept.keptAt)
      assert.isNull(kept.sweptAt)
      const moved = (await set(id, { state: "kept", placement: "library" })).body
      assert.deepInclude(moved, { keptAt: kept.keptAt, placement: "library" })
      const swept = (await set(id, { state: "swept" })).body
      assert.isString(swept.sweptAt)
      const back = (await set(id, { state: "working" })).body
      assert.deepInclude(back, { state: "working", keptAt: kept.keptAt, sweptAt: swept.sweptAt })
      const again = (await set(id, { state: "kept" })).body
      assert.strictEqual(again.keptAt, again.updatedAt)
      const { body } = await pod.owner.query("events.list", { type: "artifact.update", limit: 100 })
      assert.lengthOf(
        body.result.data.filter((each: any) => each.subjectId === id),
        5
      )
    })

    it("a caller cannot move an artifact to another workspace by changing the workspace id of the artifact", async () => {
      const { id } = await make()
      assert.strictEqual((await set(id, { state: "kept", workspaceId: stranger.id })).status, 400)
      const patched = await set(id, { state: "kept" })
      assert.deepInclude(patched.body, { workspaceId, state: "kept" })
    })

    it("a listing of artifacts without a stated workspace covers all spaces that the caller can read, newest first, and its pages show each artifact once", async () => {
      const sessionId = "0190a0a0-0000-7000-8000-00000000beef"
      const made: Array<string> = []
      for (let at = 0; at < 5; at++) {
        const fields = { workspaceId: at % 2 === 0 ? workspaceId : null, sessionId, title: `a${at}` }
        made.push((await make(fields)).id)
      }
      const found: Array<string> = []
      let cursor: string | null = null
      do {
        const more: string = cursor === null ? "" : `&cursor=${cursor}`
        const { body, headers } = await pod.owner.send("GET", `${path}?sessionId=${sessionId}&limit=2${more}`)
        found.push(...idsOf(body))
        cursor = headers.get("x-svc-next-cursor")
      } while (cursor !== null)
      assert.deepStrictEqual(found, made.toReversed())
      const [first = "", second = ""] = made
      await set(first, { state: "swept" })
      await set(second, { placement: "home" })
      const narrowed = (query: string) => listed(`?sessionId=${sessionId}&${query}`).then(idsOf)
      assert.deepStrictEqual(await narrowed("state=swept"), [first])
      assert.deepStrictEqual(await narrowed("placement=home"), [second])
      assert.lengthOf(await narrowed("state=all&placement=all"), 5)
      assert.deepStrictEqual(await narrowed(`workspaceId=${workspaceId}`), [made[4], made[2], made[0]])
    })

    it("after the approval of an agent's request, a new artifact has the agent as its actor, and a kept artifact has the time of the approval in `keptAt`", async () => {
      const { id } = await make({ workspaceId: null })
      const asked = await set(id, { state: "kept" }, agent)
      assert.strictEqual(asked.body.status, "proposed", JSON.stringify(asked.body))
      const approve = (proposalId: string) => pod.owner.send("POST", `/api/hub/proposals/${proposalId}/approve`, {})
      assert.strictEqual((await approve(asked.body.proposalId)).status, 200)
      const kept = (await listed("?state=kept&limit=100")).find((each: any) => each.id === id)
      assert.strictEqual(kept.keptAt, kept.updatedAt)
      const created = await post({ workspaceId: null }, agent)
      assert.strictEqual((await approve(created.body.proposalId)).status, 200)
      const found = (await listed("?limit=1"))[0]
      assert.deepInclude(found, { id: created.body.proposedId, actorId: agentId, userId: pod.ownerId })
    })
  })
}
