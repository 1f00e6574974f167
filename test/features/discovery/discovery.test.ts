/**
 * The endpoint `/api/hub/discover` on each storage: who is refused, and which kinds of entities and which counts its
 * answer contains.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const path = "/api/hub/discover"

interface Discovered {
  readonly slug: string
  readonly displayName: string
  readonly entityCount: number
  readonly properties?: ReadonlyArray<Record<string, unknown>>
  readonly [field: string]: unknown
}

for (const [where, storage] of storages) {
  describe(`discovering the profiles of a workspace ${where}`, () => {
    let pod: TestPod
    let workspaceId: string
    let profileId: string

    const discover = async (query = "", caller: Caller = pod.owner) => {
      const { body, status } = await caller.send("GET", `${path}?userId=me${query}`)
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body as {
        readonly profiles: ReadonlyArray<Discovered>
        readonly commands: object
        readonly hint: string
        readonly relationTypes: ReadonlyArray<{ readonly slug: string }>
        readonly groups?: ReadonlyArray<{ readonly origin: string; readonly profileIds: ReadonlyArray<string> }>
      }
    }
    const profile = async (slug: string, query = "", caller: Caller = pod.owner) =>
      (await discover(query, caller)).profiles.find((each) => each.slug === slug)
    const made = async (at: string, body: object) => {
      const answer = await pod.owner.send("POST", `/api/hub/${at}`, body)
      assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
      return answer.body.id as string
    }

    beforeAll(async () => {
      pod = await aPod(storage)
      workspaceId = await pod.aWorkspace(pod.owner)
      await pod.owner.send("GET", "/api/hub/workspaces")
      profileId = await made("profiles", { slug: "boat", displayName: "Boat", workspaceId })
      const definition = { profileId, workspaceId }
      await made("property-defs", { ...definition, slug: "berth", valueType: "text", constraints: { required: true } })
      await made("property-defs", {
        ...definition,
        slug: "colour",
        valueType: "select",
        constraints: { options: ["red"] }
      })
      const boat = { profileSlug: "boat", workspaceId }
      await made("entities", { ...boat, title: "One", properties: { berth: "4", colour: "red" } })
      await made("entities", { ...boat, title: "Two", properties: { berth: "5" } })
    })
    afterAll(() => pod?.stop())

    it("a request to discover profiles is refused if it comes from a key with a narrow grant, has no `userId`, or is for a workspace of other people", async () => {
      const key = await pod.aKey(pod.owner, { grant: { permissions: ["entity", "profile"] } })
      const bound = await pod.aKey(pod.owner, { grant: { permissions: ["*"], workspaceIds: [workspaceId] } })
      for (const narrow of [key, bound]) {
        const { body, status } = await narrow.send("GET", `${path}?userId=me`)
        assert.deepStrictEqual([status, body.code], [403, "GRANT_DOOR_UNSUPPORTED"])
      }
      assert.strictEqual((await pod.owner.send("GET", path)).status, 400)
      assert.strictEqual((await pod.owner.send("GET", `${path}?userId=`)).status, 400)
      for (const foreign of [uuidv7(), await pod.aWorkspace(await pod.aPerson())]) {
        assert.strictEqual((await pod.owner.send("GET", `${path}?userId=me&workspaceId=${foreign}`)).status, 403)
      }
    })

    it("a person outside a workspace sees neither the profiles nor the entity counts of the workspace, whatever `userId` the request contains", async () => {
      const other = await pod.aPerson()
      const { body } = await other.send("GET", `${path}?userId=${pod.ownerId}&fill=true`)
      assert.notInclude(JSON.stringify(body), "boat")
      assert.strictEqual((await profile("note", "&fill=true", other))?.entityCount, 0)
    })

    it("the discovery of profiles shows for each profile its properties, the number of its entities, and how to create an entity with this profile", async () => {
      const boat = await profile("boat")
      assert.deepInclude(boat, {
        id: profileId,
        scope: "workspace",
        visibility: "workspace",
        profileKind: "kind",
        entityCount: 2,
        createCommand: `POST /api/hub/entities {"profileSlug":"boat","title":"…","workspaceId":"${workspaceId}"}`
      })
      const [berth, colour] = boat!.properties!
      assert.deepInclude(berth, { slug: "berth", type: "text", required: true, schemaScope: "workspace", workspaceId })
      assert.deepInclude(colour, { slug: "colour", options: ["red"], required: false, displayOrder: 1 })
      assert.notProperty(berth, "fill")
      assert.strictEqual((await profile("note"))?.visibility, "pod")
    })

    it("the discovery of profiles shows for each property how many of the latest entities have a value for this property", async () => {
      const boat = await profile("boat", "&fill=true")
      assert.deepStrictEqual(
        boat!.properties!.map(({ fill, slug }) => [slug, fill]),
        [
          ["berth", { filled: 2, sampleSize: 2 }],
          ["colour", { filled: 1, sampleSize: 2 }]
        ]
      )
    })

    it("the discovery of profiles can leave out the properties, list only the requested slugs, sort the profiles, and group the profiles by origin", async () => {
      assert.notProperty(await profile("boat", "&summary=true"), "properties")
      const { hint, profiles } = await discover("&profileSlugs=boat,%20nothing")
      assert.deepStrictEqual([profiles.map(({ slug }) => slug), hint.includes("nothing")], [["boat"], true])
      const used = (await discover("&sort=usage")).profiles
      assert.strictEqual(used[0]?.slug, "boat")
      const named = (await discover("&sort=name")).profiles.map(({ displayName }) => displayName)
      assert.deepStrictEqual(
        named,
        named.toSorted((one, other) => (one < other ? -1 : 1))
      )
      const { groups = [] } = await discover("&groups=origin")
      assert.deepStrictEqual(groups.map(({ origin }) => origin).toSorted(), ["system", "workspace"])
      assert.deepStrictEqual(groups.find(({ origin }) => origin === "workspace")?.profileIds, [profileId])
      assert.notProperty(await discover(), "groups")
    })

    it("if two profiles have the same slug, the discovery of profiles says which of the two profiles applies to a write that states no workspace", async () => {
      const own = await made("profiles", { slug: "boat", displayName: "Own boat" })
      const boats = (await discover()).profiles.filter(({ slug }) => slug === "boat")
      const there = boats.find(({ id }) => id === profileId)
      assert.strictEqual((there!["slugWritesTo"] as { readonly profileId: string }).profileId, own)
      assert.notProperty(
        boats.find(({ id }) => id === own),
        "slugWritesTo"
      )
      const alone = (await discover(`&workspaceId=${workspaceId}`)).profiles.filter(({ slug }) => slug === "boat")
      assert.deepStrictEqual(
        alone.map(({ entityCount, id }) => [id, entityCount]),
        [[profileId, 2]]
      )
    })

    it("the answer of the discovery of profiles also contains the types of relations, useful calls and a hint", async () => {
      const { commands, hint, relationTypes } = await discover()
      assert.includeMembers(
        relationTypes.map(({ slug }) => slug),
        ["relates_to", "belongs_to_project"]
      )
      assert.property(commands, "create an entity")
      assert.isAbove(hint.length, 10)
    })
  })
}
