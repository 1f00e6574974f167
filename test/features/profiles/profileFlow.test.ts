/** Profiles and property definitions end to end, on each storage: who may write them, and which rules they follow. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const taskOfEveryPod = "00000000-0000-7000-8000-000000000005"
const seeded = ["company", "knowledge", "note", "person", "portfolio", "task"]

for (const [where, storage] of storages) {
  describe(`profiles ${where}`, () => {
    let pod: TestPod
    let workspaceId: string
    let other: Caller
    let agent: Caller
    let agentId: string
    beforeAll(async () => {
      pod = await aPod(storage)
      workspaceId = await pod.aWorkspace(pod.owner)
      other = await pod.aPerson()
      const made = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
      agentId = made.body.result.data.id
      agent = await pod.aKey(pod.owner, { agentId })
    })
    afterAll(() => pod?.stop())

    const answered = async (status: number, asked: ReturnType<Caller["send"]>) => {
      const answer = await asked
      assert.strictEqual(answer.status, status, JSON.stringify(answer.body))
      return answer.body
    }
    const refused = async (code: string, asked: ReturnType<Caller["send"]>) => {
      const { body, status } = await asked
      assert.isTrue(status === 403 || status === 409, JSON.stringify(body))
      // An answer of the procedure bridge has the code in `error.data.reason`.
      assert.strictEqual(body.code ?? body.error.data.reason, code, JSON.stringify(body))
    }
    const invalidAt = async (path: string, asked: ReturnType<Caller["send"]>) => {
      const body = await answered(400, asked)
      assert.deepStrictEqual(
        body.details.map((fault: { readonly path: string }) => fault.path),
        [path],
        JSON.stringify(body)
      )
    }
    const profile = (body: object, caller = pod.owner) =>
      caller.send("POST", "/api/hub/profiles", { workspaceId, displayName: "Any", ...body })
    const define = (body: object, caller = pod.owner) =>
      caller.send("POST", "/api/hub/property-defs", { workspaceId, profileId: taskOfEveryPod, ...body })
    const slugs = async (caller: Caller, query = "") =>
      (await answered(200, caller.send("GET", `/api/hub/profiles${query}`)))
        .map(({ slug }: { readonly slug: string }) => slug)
        .sort()

    it("a person cannot read or write the profiles of another person's workspace", async () => {
      const made = await answered(200, profile({ slug: "hidden" }))
      await refused("WORKSPACE_FORBIDDEN", profile({ slug: "theirs" }, other))
      await refused("WORKSPACE_FORBIDDEN", define({ slug: "theirs", valueType: "text" }, other))
      await refused("WORKSPACE_FORBIDDEN", other.send("GET", `/api/hub/profiles?workspaceId=${workspaceId}`))
      for (const [method, body] of [["GET"], ["PATCH", { displayName: "Theirs" }], ["DELETE"]] as const) {
        const missing = await answered(404, other.send(method, `/api/hub/profiles/${workspaceId}`, body))
        const foreign = await answered(404, other.send(method, `/api/hub/profiles/${made.id}`, body))
        assert.deepStrictEqual(foreign, missing)
      }
      assert.deepStrictEqual(await slugs(other), seeded)
      await answered(200, pod.owner.send("DELETE", `/api/hub/profiles/${made.id}`))
    })

    it("a key with a narrow grant cannot read profiles or write profiles outside the grant, and a key for one workspace cannot write profiles in the personal space", async () => {
      const scoped = await pod.aKey(pod.owner, { grant: { permissions: ["profile.read", "entity.read"] } })
      await refused("GRANT_DOOR_UNSUPPORTED", scoped.send("GET", "/api/hub/profiles"))
      await refused("GRANT_DOOR_UNSUPPORTED", scoped.query("profiles.list"))
      await refused("GRANT_DENIED", profile({ slug: "scoped" }, scoped))
      const bound = await pod.aKey(pod.owner, { workspaceId })
      await refused("WORKSPACE_FORBIDDEN", profile({ slug: "own", workspaceId: null }, bound))
    })

    it("a built-in profile cannot be changed or deleted, and a workspace cannot have another profile with its slug", async () => {
      const path = `/api/hub/profiles/${taskOfEveryPod}`
      await refused("PROFILE_OF_EVERY_POD", pod.owner.send("PATCH", path, { displayName: "Mine" }))
      await refused("PROFILE_OF_EVERY_POD", pod.owner.send("DELETE", path))
      await refused("SLUG_TAKEN", profile({ slug: "task" }))
      assert.strictEqual((await answered(200, pod.owner.send("GET", path))).scope, "system")
    })

    it("the slug of a profile (a kind of entity) is unique in its space, and a new profile can have the slug after the old profile is deleted", async () => {
      const made = await answered(200, profile({ slug: "recipe" }))
      assert.deepInclude(made, { slug: "recipe", scope: "workspace", workspaceId, profileKind: "kind", version: 1 })
      await refused("SLUG_TAKEN", profile({ slug: "recipe" }))
      assert.strictEqual((await answered(200, profile({ slug: "recipe", workspaceId: null }))).scope, "user")
      await answered(200, pod.owner.send("DELETE", `/api/hub/profiles/${made.id}`))
      await answered(200, profile({ slug: "recipe" }))
    })

    it("a profile of the kind `role` must list the kinds to which it applies, a profile must have the same kind as its parent, and no profile can be its own ancestor", async () => {
      await invalidAt("applicableKinds", profile({ slug: "client", profileKind: "role" }))
      await invalidAt("applicableKinds", profile({ slug: "client", profileKind: "role", applicableKinds: ["nobody"] }))
      await invalidAt("applicableKinds", profile({ slug: "client", applicableKinds: ["person"] }))
      const role = await answered(
        200,
        profile({ slug: "client", profileKind: "role", applicableKinds: ["person", "company"] })
      )
      await invalidAt("applicableKinds", profile({ slug: "vip", profileKind: "role", applicableKinds: ["client"] }))
      await invalidAt("parentProfileId", profile({ slug: "vip", parentProfileId: role.id }))
      const child = await answered(200, profile({ slug: "errand", parentProfileId: taskOfEveryPod }))
      await invalidAt(
        "parentProfileId",
        pod.owner.send("PATCH", `/api/hub/profiles/${child.id}`, { parentProfileId: child.id })
      )
      const grandchild = await answered(200, profile({ slug: "chore", parentProfileId: child.id }))
      await invalidAt(
        "parentProfileId",
        pod.owner.send("PATCH", `/api/hub/profiles/${child.id}`, { parentProfileId: grandchild.id })
      )
      await refused("PROFILE_IN_USE", pod.owner.send("DELETE", `/api/hub/profiles/${child.id}`))
    })

    it("a listing of profiles leaves out most fields unless the request asks for full detail, and REST and tRPC give the same listing", async () => {
      const short = await answered(200, pod.owner.send("GET", `/api/hub/profiles?workspaceId=${workspaceId}`))
      const names = ["description", "displayName", "entityScope", "icon", "id", "slug"]
      for (const one of short) assert.sameMembers(Object.keys(one), names)
      assert.includeMembers(await slugs(pod.owner, `?workspaceId=${workspaceId}`), [...seeded, "client"])
      assert.notInclude(await slugs(pod.owner, "?profileKind=kind"), "client")
      const full = await answered(200, pod.owner.send("GET", "/api/hub/profiles?detail=full"))
      const bridged = await pod.owner.query("profiles.list", { detail: "full" })
      assert.deepStrictEqual(bridged.body.result.data, full)
      assert.deepInclude(
        full.find(({ slug }: { readonly slug: string }) => slug === "client"),
        { profileKind: "role", applicableKinds: ["person", "company"], defaultValues: {} }
      )
    })

    it("the pages of a profile listing show each profile once", async () => {
      const whole = await slugs(pod.owner)
      const seen: Array<string> = []
      let cursor = ""
      do {
        const page = await pod.owner.send("GET", `/api/hub/profiles?limit=2${cursor && `&cursor=${cursor}`}`)
        seen.push(...page.body.map(({ slug }: { readonly slug: string }) => slug))
        cursor = page.headers.get("x-svc-next-cursor") ?? ""
      } while (cursor !== "" && seen.length < 100)
      assert.deepStrictEqual(seen.sort(), whole)
    })

    it("an agent's profile waits for approval, and the approved profile has the agent as its actor", async () => {
      const asked = await answered(200, profile({ slug: "proposed", workspaceId: null }, agent))
      assert.strictEqual(asked.status, "proposed", JSON.stringify(asked))
      assert.notInclude(await slugs(pod.owner), "proposed")
      await answered(200, pod.owner.send("POST", `/api/hub/proposals/${asked.proposalId}/approve`, {}))
      const made = await answered(200, pod.owner.send("GET", `/api/hub/profiles/${asked.proposedId}`))
      assert.strictEqual(made.slug, "proposed")
      const events = await pod.owner.query("events.list", { type: "profile.create" })
      const event = events.body.result.data.find(
        ({ subjectId }: { readonly subjectId: string }) => subjectId === made.id
      )
      assert.strictEqual(event.actorId, agentId)
    })

    it("the pod refuses a property definition that contradicts itself, and the answer says which field is wrong", async () => {
      await invalidAt("options", define({ slug: "state", valueType: "select" }))
      await invalidAt("constraints.min", define({ slug: "size", valueType: "number", constraints: { min: 2, max: 1 } }))
      await invalidAt("profileId", define({ slug: "size", valueType: "number", profileId: workspaceId }))
      await invalidAt("workspaceId", define({ slug: "size", valueType: "number", workspaceId: null, overlay: true }))
    })

    it("a property slug is unique within a profile and a space, and a change of a property definition must fit the type of the property", async () => {
      const made = await answered(200, define({ slug: "due", valueType: "string" }))
      assert.deepInclude(made, { slug: "due", valueType: "text", workspaceId, profileId: taskOfEveryPod })
      await refused("SLUG_TAKEN", define({ slug: "due", valueType: "date" }))
      await answered(200, define({ slug: "due", valueType: "date", workspaceId: null }))
      const path = `/api/hub/property-defs/${made.id}`
      await invalidAt("constraints.min", pod.owner.send("PATCH", path, { constraints: { min: 3 } }))
      const changed = await answered(200, pod.owner.send("PATCH", path, { constraints: { maxLength: 3 } }))
      assert.deepStrictEqual([changed.constraints, changed.version], [{ maxLength: 3 }, 2])
      const all = await pod.owner.query("propertyDefs.list", { profileId: taskOfEveryPod, workspaceId })
      assert.deepStrictEqual(all.body.result.data, [changed])
      assert.deepStrictEqual(await answered(200, other.send("GET", "/api/hub/property-defs")), [])
      await answered(404, other.send("DELETE", path))
      await answered(200, pod.owner.send("DELETE", path))
      assert.deepStrictEqual((await pod.owner.query("propertyDefs.list", { workspaceId })).body.result.data, [])
    })
  })
}
