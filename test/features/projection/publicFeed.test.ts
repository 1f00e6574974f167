/** The public feed of a workspace, on each storage: what it must not show, and what it shows. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Facet } from "../../../src/features/facets/Facet.ts"
import { Records } from "../../../src/features/records/Records.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aPod, type TestPod } from "../../support/pod.ts"
import { aReach } from "../../support/reach.ts"
import { withReach } from "../../support/stores.ts"
import { storages } from "../../support/storages.ts"
import { aPassed } from "../../support/passed.ts"

interface Item {
  readonly id: string
  readonly title: string | null
  readonly role: string
  readonly properties: Readonly<Record<string, unknown>>
}

for (const [where, storage] of storages) {
  describe(`the public feed ${where}`, () => {
    let pod: TestPod
    beforeAll(async () => {
      pod = await aPod(storage)
    })
    afterAll(() => pod?.stop())

    const feed = (workspace: string, more = "") =>
      pod.stranger.send("GET", `/api/hub/public/projection?workspace=${workspace}${more}`)
    const itemsOf = async (workspace: string, more = ""): Promise<ReadonlyArray<Item>> => {
      const { body, status } = await feed(workspace, more)
      assert.strictEqual(status, 200, JSON.stringify(body))
      assert.strictEqual(body.count, body.items.length)
      return body.items
    }
    const say = async (workspace: string, config: object) => {
      const path = `/api/hub/workspaces/${workspace}/public-projection`
      const { body, status } = await pod.owner.send("PATCH", path, config)
      assert.strictEqual(status, 200, JSON.stringify(body))
    }
    const entity = async (draft: object) => {
      const { body, status } = await pod.owner.send("POST", "/api/hub/entities", draft)
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body.id as string
    }
    /** Makes a workspace with one company in it. The title and the website of the company are public. */
    const aPublicWorkspace = async (config: object = {}) => {
      const workspaceId = await pod.aWorkspace(pod.owner)
      await pod.owner.send("GET", `/api/hub/workspaces/${workspaceId}`)
      const id = await entity({
        workspaceId,
        profileSlug: "company",
        title: "Acme",
        description: "hushed description",
        preview: "hushed preview",
        properties: { website: "https://acme.example", phone: "hushed phone" }
      })
      await say(workspaceId, { enabled: true, roles: ["company"], fields: ["title", "website"], ...config })
      return { workspaceId, id }
    }

    it("a workspace without a public feed, a missing workspace and a personal space get the same answer from the public feed", async () => {
      const silent = await pod.aWorkspace(pod.owner)
      const { workspaceId: closed } = await aPublicWorkspace({ enabled: false })
      await entity({ profileSlug: "company", title: "Own" })
      const answers = await Promise.all([silent, closed, uuidv7(), pod.ownerId].map((id) => feed(id)))
      for (const { body, headers, status } of answers) {
        assert.deepStrictEqual([status, body], [404, answers[0]?.body])
        assert.strictEqual(headers.get("content-length"), answers[0]?.headers.get("content-length"))
      }
      const credentialed = await pod.owner.send("GET", `/api/hub/public/projection?workspace=${closed}`)
      assert.deepStrictEqual([credentialed.status, credentialed.body], [404, answers[0]?.body])
    })

    it("the public feed refuses a request without a valid workspace id or with a limit below 1", async () => {
      for (const query of ["", "?workspace=", "?workspace=all", `?workspace=${uuidv7()}&limit=0`]) {
        assert.strictEqual((await pod.stranger.send("GET", `/api/hub/public/projection${query}`)).status, 400, query)
      }
    })

    it("the public feed shows only the configured fields of an entity", async () => {
      const { id, workspaceId } = await aPublicWorkspace()
      assert.deepStrictEqual(await itemsOf(workspaceId), [
        { id, title: "Acme", role: "company", properties: { website: "https://acme.example" } }
      ])
      assert.notInclude(JSON.stringify((await feed(workspaceId)).body), "hushed")
      await say(workspaceId, { enabled: true, roles: ["company"], fields: [] })
      assert.deepStrictEqual(await itemsOf(workspaceId), [{ id, title: null, role: "company", properties: {} }])
      await say(workspaceId, { enabled: true, roles: ["company"], fields: ["__proto__", "constructor", "userId"] })
      assert.deepStrictEqual((await itemsOf(workspaceId))[0]?.properties, {})
    })

    it("the public feed leaves out entities without a public role, entities of other workspaces and personal spaces, and deleted entities", async () => {
      const { id, workspaceId } = await aPublicWorkspace()
      await aPublicWorkspace()
      await entity({ workspaceId, profileSlug: "note", title: "Of another kind" })
      await entity({ profileSlug: "company", title: "In the own space" })
      const deleted = await entity({ workspaceId, profileSlug: "company", title: "Deleted" })
      await pod.owner.send("DELETE", `/api/hub/entities/${deleted}`)
      assert.deepStrictEqual(
        (await itemsOf(workspaceId)).map((item) => item.id),
        [id]
      )
    })

    it("the public feed shows an entity only under a role that the entity has in the requested workspace now", async () => {
      const { workspaceId } = await aPublicWorkspace({ roles: ["investor"] })
      const elsewhere = await pod.aWorkspace(pod.owner)
      const note = (title: string) => entity({ workspaceId, profileSlug: "note", title })
      const [plays, played, playsElsewhere] = [await note("Plays"), await note("Played"), await note("Elsewhere")]
      const event = { type: "facet.test", data: {} }
      const facet = (entityId: string, spaceId: string, slug: string, isGone: boolean) =>
        pod.run(
          Effect.gen(function* () {
            const records = yield* Records
            const fields = { entityId, slug, properties: {} }
            const { id } = yield* records.add(Facet, { id: uuidv7(), spaceId, fields }, event, aPassed)
            if (isGone) yield* records.remove(Facet, id, null, event, aPassed)
          }).pipe(withReach(aReach({ personId: pod.ownerId, spaces: [spaceId] })))
        )
      await facet(plays, workspaceId, "investor", false)
      await facet(played, workspaceId, "investor", true)
      await facet(playsElsewhere, elsewhere, "investor", false)
      await facet(playsElsewhere, workspaceId, "customer", false)
      assert.deepStrictEqual(await itemsOf(workspaceId), [
        { id: plays, title: "Plays", role: "investor", properties: {} }
      ])
    })

    it("if a request to the public feed asks for a role that is not public, the pod ignores this filter and shows no entity of that role", async () => {
      const { id, workspaceId } = await aPublicWorkspace({ roles: ["company", "person"] })
      await entity({ workspaceId, profileSlug: "note", title: "Secret" })
      const idsOf = async (role: string) => (await itemsOf(workspaceId, `&role=${role}`)).map((item) => item.id)
      assert.deepStrictEqual(await idsOf("note"), [id])
      assert.deepStrictEqual(await idsOf("company"), [id])
      assert.deepStrictEqual(await idsOf("person"), [])
      await say(workspaceId, { enabled: true, roles: [], fields: ["title"] })
      assert.deepStrictEqual(await idsOf("company"), [])
    })

    it("only a member can preview the public part of a workspace, and a preview makes nothing public", async () => {
      const { id, workspaceId } = await aPublicWorkspace()
      await say(workspaceId, { enabled: false, roles: [] })
      const draft = { workspaceId, roles: ["company"], fields: ["website"] }
      const other = await pod.aPerson()
      assert.strictEqual((await other.query("projection.preview", draft)).status, 403)
      assert.strictEqual((await (await pod.aKey(pod.owner)).query("projection.preview", draft)).status, 403)
      assert.strictEqual((await pod.stranger.query("projection.preview", draft)).status, 401)
      const { body, status } = await pod.owner.query("projection.preview", draft)
      assert.strictEqual(status, 200, JSON.stringify(body))
      assert.deepStrictEqual(body.result.data.items, [
        { id, title: null, role: "company", properties: { website: "https://acme.example" } }
      ])
      assert.strictEqual((await feed(workspaceId)).status, 404)
    })

    it("a search of the public feed looks only at the public fields", async () => {
      const { workspaceId } = await aPublicWorkspace()
      const found = async (q: string) => (await itemsOf(workspaceId, `&q=${encodeURIComponent(q)}`)).length
      assert.strictEqual(await found("aCm"), 1)
      assert.strictEqual(await found("acme.example"), 1)
      for (const hidden of ["hushed", "phone", "description", "company", "%", "_"]) {
        assert.strictEqual(await found(hidden), 0, hidden)
      }
      await say(workspaceId, { enabled: true, roles: ["company"], fields: ["website"] })
      await pod.owner.send("GET", `/api/hub/workspaces/${workspaceId}`)
      await entity({ workspaceId, profileSlug: "company", title: "Zebra" })
      assert.strictEqual(await found("zebra"), 0)
    })

    it("when a person changes the configuration of the public feed, the next request uses the new configuration", async () => {
      const { workspaceId } = await aPublicWorkspace()
      assert.lengthOf(await itemsOf(workspaceId), 1)
      await say(workspaceId, { enabled: false, roles: ["company"] })
      assert.strictEqual((await feed(workspaceId)).status, 404)
    })

    it("the public feed shows the latest change first, and twenty items unless the request asks for more", async () => {
      const { workspaceId } = await aPublicWorkspace({ roles: ["note"] })
      const made: Array<string> = []
      for (let at = 0; at < 21; at++) {
        made.unshift(await entity({ workspaceId, profileSlug: "note", title: `Note ${at}` }))
      }
      assert.deepStrictEqual(
        (await itemsOf(workspaceId)).map(({ id }) => id),
        made.slice(0, 20)
      )
      assert.lengthOf(await itemsOf(workspaceId, "&limit=50"), 21)
      assert.lengthOf(await itemsOf(workspaceId, "&limit=2"), 2)
    })
  })
}
