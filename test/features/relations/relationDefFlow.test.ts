/** Relation definitions end to end, on each storage: who may read and change them, and which slugs they may have. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const path = "/api/hub/relation-defs"
const slugs = (found: ReadonlyArray<{ readonly slug: string }>) => found.map(({ slug }) => slug)

for (const [where, storage] of storages) {
  describe(`relation definitions ${where}`, () => {
    let pod: TestPod
    let agent: Caller
    beforeAll(async () => {
      pod = await aPod(storage)
      const made = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
      agent = await pod.aKey(pod.owner, { agentId: made.body.result.data.id })
    })
    afterAll(() => pod?.stop())

    const define = (caller: Caller, slug: string, more: object = {}) =>
      caller.send("POST", path, { slug, displayName: slug, ...more })

    it("a person cannot see or change another person's relation definition, and a key with a narrow grant cannot list relation definitions", async () => {
      const { body } = await define(pod.owner, "mine")
      const other = await pod.aPerson()
      assert.deepStrictEqual((await other.send("GET", path)).body, [])
      const foreign = await other.send("PATCH", `${path}/${body.id}`, { displayName: "Theirs" })
      const missing = await other.send("PATCH", `${path}/${uuidv7()}`, { displayName: "Theirs" })
      assert.deepStrictEqual([foreign.status, foreign.body], [404, missing.body])
      const narrow = await pod.aKey(pod.owner, { grant: { permissions: ["relation_def"] } })
      assert.strictEqual((await narrow.send("GET", path)).status, 403)
      assert.strictEqual((await narrow.query("relations.listTypes", {})).status, 403)
      const linker = await pod.aKey(pod.owner, { grant: { permissions: ["relation", "entity"] } })
      assert.strictEqual((await define(linker, "theirs")).status, 403)
    })

    it("the slug of a relation type is unique in its space and cannot be the slug of a built-in type", async () => {
      assert.strictEqual((await define(pod.owner, "once")).status, 200)
      for (const slug of ["once", "relates_to", "belongs_to_project"]) {
        const refused = await define(pod.owner, slug)
        assert.deepStrictEqual([refused.status, refused.body.code], [409, "SLUG_TAKEN"])
      }
      assert.strictEqual((await define(pod.owner, "Not a slug")).status, 400)
    })

    it("a person can change a relation definition, list it through tRPC, and delete it", async () => {
      const made = await define(pod.owner, "employs", { sourceKinds: ["company"], targetKinds: ["person", "note"] })
      const { id } = made.body
      const changed = await pod.owner.send("PATCH", `${path}/${id}`, { inverseLabel: "Employed by" })
      assert.deepStrictEqual([changed.body.inverseLabel, changed.body.sourceKinds], ["Employed by", ["company"]])
      const key = await pod.aKey(pod.owner)
      const answer = async (name: string, input: object = {}) => (await key.query(name, input)).body.result.data
      assert.include(slugs(await answer("relationDefs.list")), "employs")
      const types = await answer("relations.listTypes")
      assert.includeMembers(slugs(types), ["relates_to", "belongs_to_project", "employs"])
      const employs = types.find(({ slug }: { readonly slug: string }) => slug === "employs")
      assert.deepStrictEqual(employs, {
        slug: "employs",
        displayName: "employs",
        description: null,
        isDirectional: true,
        inverseLabel: "Employed by",
        workspaceId: null
      })
      const pairs = await answer("profileRelations.list", { profileSlug: "company" })
      const ends = pairs
        .filter((pair: Record<string, unknown>) => pair["type"] === "employs")
        .map((pair: Record<string, unknown>) => [pair["sourceProfileSlug"], pair["targetProfileSlug"]])
      assert.deepStrictEqual(ends, [
        ["company", "person"],
        ["company", "note"]
      ])
      assert.strictEqual((await pod.owner.send("DELETE", `${path}/${id}`)).status, 200)
      assert.notInclude(slugs((await pod.owner.send("GET", path)).body), "employs")
    })

    it("an agent's relation definition waits for approval, and the person who approves it gets a conflict if another definition got the same slug in the meantime", async () => {
      const asked = await define(agent, "quotes")
      assert.strictEqual(asked.body.status, "proposed", JSON.stringify(asked.body))
      const late = await define(agent, "names")
      assert.strictEqual((await define(pod.owner, "names")).status, 200)
      const approve = (id: string) => pod.owner.send("POST", `/api/hub/proposals/${id}/approve`, {})
      assert.strictEqual((await approve(asked.body.proposalId)).status, 200)
      assert.include(slugs((await pod.owner.send("GET", path)).body), "quotes")
      const refused = await approve(late.body.proposalId)
      assert.deepStrictEqual([refused.status, refused.body.code], [409, "SLUG_TAKEN"])
    })
  })
}
