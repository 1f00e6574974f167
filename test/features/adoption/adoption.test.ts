/**
 * Callers adopt templates, on each storage: who is refused, which records are created or kept, and what happens if an
 * agent adopts a template.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { templates } from "../../../src/features/adoption/Templates.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { setRole } from "../../support/membership.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const hub = "/api/hub"

interface Item {
  readonly type: string
  readonly name: string
  readonly outcome: string
  readonly id?: string
}

const partsOf = (slug: string) => {
  const { commands, profiles, views } = templates.find((each) => each.slug === slug)!
  const properties = profiles.flatMap((each) => each.properties)
  return profiles.length + properties.length + views.length + commands.length
}

describe("the templates that the pod offers", () => {
  it("every template has entity kinds, views and commands, and uses only its own entity kinds and those that every pod has", () => {
    assert.isAtLeast(templates.length, 5)
    assert.lengthOf(new Set(templates.map(({ slug }) => slug)), templates.length)
    for (const { commands, profiles, slug, views } of templates) {
      const known = [...profiles.map((each) => each.slug), "person", "company", "task", "note"]
      const targets = profiles.flatMap(({ properties }) =>
        properties.map(({ constraints }) => constraints?.["targetProfileSlug"])
      )
      const named = [
        ...views.map(({ profileSlug }) => profileSlug),
        ...targets.filter((target) => target !== undefined)
      ]
      for (const each of named) assert.include(known, each, slug)
      assert.isAbove(profiles.length * views.length * commands.length, 0, slug)
    }
  })
})

for (const [where, storage] of storages) {
  describe(`adopting a template in a workspace ${where}`, () => {
    let pod: TestPod
    const aSpace = async () => {
      const id = await pod.aWorkspace(pod.owner)
      await pod.owner.send("GET", `${hub}/workspaces`)
      return id
    }
    const adopt = (workspaceId: string, templateSlug: string, caller: Caller = pod.owner) =>
      caller.send("POST", `${hub}/pod/adopt`, { workspaceId, templateSlug })
    const adopted = async (...asked: Parameters<typeof adopt>) => {
      const { body, status } = await adopt(...asked)
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body as { readonly complete: boolean; readonly items: ReadonlyArray<Item> }
    }
    const outcomes = (items: ReadonlyArray<Item>) => [...new Set(items.map(({ outcome }) => outcome))].toSorted()
    const profilesIn = async (workspaceId: string) =>
      (await pod.owner.send("GET", `${hub}/profiles?workspaceId=${workspaceId}&limit=1000`)).body as ReadonlyArray<{
        readonly slug: string
      }>

    beforeAll(async () => {
      pod = await aPod(storage)
    })
    afterAll(() => pod?.stop())

    it("a caller cannot adopt an unknown template, and cannot adopt a template into a workspace that the caller cannot see or may not write in", async () => {
      const workspaceId = await aSpace()
      const other = await pod.aPerson()
      for (const id of [workspaceId, uuidv7()]) {
        const { body, status } = await adopt(id, "hiring", other)
        assert.deepStrictEqual([status, body.code], [403, "WORKSPACE_FORBIDDEN"])
      }
      const unknown = await adopt(workspaceId, "no-such-template")
      assert.strictEqual(unknown.status, 400)
      assert.include(unknown.body.error, "meeting-notes")
      await setRole(pod, storage, other.id, workspaceId, "viewer")
      assert.strictEqual((await adopt(workspaceId, "hiring", other)).status, 403)
      const bound = await pod.aKey(pod.owner, { workspaceId: await aSpace() })
      assert.strictEqual((await adopt(workspaceId, "hiring", bound)).status, 403)
      assert.notInclude(JSON.stringify(await profilesIn(workspaceId)), "candidate")
    })

    it("a key without the permissions for all parts of a template cannot adopt any part of the template", async () => {
      const workspaceId = await aSpace()
      for (const permissions of [["profile"], ["profile", "property_def", "view"], ["entity"]]) {
        const key = await pod.aKey(pod.owner, { grant: { permissions } })
        assert.strictEqual((await adopt(workspaceId, "hiring", key)).status, 403)
      }
      assert.notInclude(JSON.stringify(await profilesIn(workspaceId)), "candidate")
      const enough = ["profile", "property_def", "view", "command"]
      const key = await pod.aKey(pod.owner, { grant: { permissions: enough } })
      assert.isTrue((await adopted(workspaceId, "hiring", key)).complete)
    })

    it("when a person adopts a template, the pod adds each entity kind, property, view and command of the template once, with an event", async () => {
      const workspaceId = await aSpace()
      const { complete, items } = await adopted(workspaceId, "customer-relations")
      assert.deepStrictEqual([complete, items.length], [true, partsOf("customer-relations")])
      assert.deepStrictEqual(
        items.filter(({ outcome }) => outcome === "kept").map(({ name }) => name),
        ["company", "person"]
      )
      const again = await adopted(workspaceId, "customer-relations")
      assert.deepStrictEqual(outcomes(again.items), ["kept"])
      assert.deepStrictEqual(
        again.items.map(({ id }) => id),
        items.map(({ id }) => id)
      )
      const discovered = await pod.owner.send(
        "GET",
        `${hub}/discover?userId=me&workspaceId=${workspaceId}&profileSlugs=deal`
      )
      assert.includeMembers(
        discovered.body.profiles[0].properties.map(({ slug }: Item & { readonly slug: string }) => slug),
        ["stage", "amount", "closes", "company", "contact"]
      )
      const views = await pod.owner.send("GET", `${hub}/views?workspaceId=${workspaceId}`)
      assert.lengthOf(views.body, 2)
      const deal = { profileSlug: "deal", title: "Quay", workspaceId, properties: { stage: "no such stage" } }
      assert.strictEqual((await pod.owner.send("POST", `${hub}/entities`, deal)).status, 400)
      const events = await pod.owner.query("events.list", { limit: 100 })
      const types = events.body.result.data.map(({ type }: { readonly type: string }) => type) as ReadonlyArray<string>
      assert.includeMembers([...types], ["profile.create", "property_def.create", "view.create", "command.create"])
    })

    it("a person can adopt all templates, one after the other, in one workspace", async () => {
      const workspaceId = await aSpace()
      for (const { slug } of templates) assert.isTrue((await adopted(workspaceId, slug)).complete, slug)
    })

    it("when an agent adopts a template, the pod creates each part of the template only after a person approves it", async () => {
      const workspaceId = await aSpace()
      const made = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
      const agentId = made.body.result.data.id as string
      await pod.owner.send("POST", `${hub}/workspaces/enroll-agent`, {
        agentUserId: agentId,
        workspaceId,
        role: "editor"
      })
      const agent = await pod.aKey(pod.owner, { agentId })
      const { complete, items } = await adopted(workspaceId, "support-desk", agent)
      assert.isFalse(complete)
      assert.notInclude(outcomes(items), "created")
      assert.include(outcomes(items), "proposed")
      assert.notInclude(JSON.stringify(await profilesIn(workspaceId)), "ticket")
    })

    it("a request for the configuration of the pod returns the version, the limits and the templates of the pod, and no secret", async () => {
      const { body, status } = await pod.owner.send("GET", `${hub}/pod/config`)
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(
        body.templates.map(({ slug }: { readonly slug: string }) => slug),
        templates.map(({ slug }) => slug)
      )
      assert.match(body.version, /^\d+\.\d+\.\d+/)
      assert.isAbove(body.surfaces.rest, 100)
      assert.notMatch(JSON.stringify(body), /pepper|secret|password/i)
      const key = await pod.aKey(pod.owner, { grant: { permissions: ["entity.read"] } })
      assert.strictEqual((await key.send("GET", `${hub}/pod/config`)).status, 403)
    })
  })
}
