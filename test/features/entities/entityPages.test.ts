/** Tests of entity listings in pages on every surface, and of the revert of an approved creation. */
import { assert, it } from "@effect/vitest"
import type { Caller } from "../../support/pod.ts"
import {
  expectStatus,
  approveProposal,
  createEntity,
  faultsOf,
  getEntity,
  onEachPod,
  createProfile,
  tool
} from "./entityScene.ts"

interface Page {
  readonly ids: ReadonlyArray<string>
  readonly next: string | undefined
}

const idsOf = (entities: ReadonlyArray<{ readonly id: string }>) => entities.map(({ id }) => id)

const surfaces: Readonly<Record<string, (caller: Caller, filter: object) => Promise<Page>>> = {
  REST: async (caller, filter) => {
    const query = new URLSearchParams(filter as Record<string, string>)
    const { body, headers } = await caller.send("GET", `/api/hub/entities?${query}`)
    return { ids: idsOf(body), next: headers.get("x-svc-next-cursor") ?? undefined }
  },
  "the bridge": async (caller, filter) => {
    const { body, headers } = await caller.query("entities.getEntities", filter)
    return { ids: idsOf(body.result.data), next: headers.get("x-svc-next-cursor") ?? undefined }
  },
  MCP: async (caller, filter) => {
    const { entities, nextCursor } = await tool(caller, "svc_get_entities", filter)
    return { ids: idsOf(entities), next: nextCursor }
  }
}

onEachPod("a listing of entities", (scene) => {
  it("a flag in a query is true or false, also in the form 1 or 0, and any other value is refused", async () => {
    const { owner, workspaceId } = scene()
    const personal = await expectStatus(200, createEntity(owner, { title: "Personal" }))
    const isListed = async (flag: string) => {
      const path = `/api/hub/entities?workspaceId=${workspaceId}&includePodWide=${flag}&limit=1000`
      return idsOf(await expectStatus(200, owner.send("GET", path))).includes(personal.id)
    }
    for (const flag of ["yes", "TRUE", "2", ""]) {
      await expectStatus(400, owner.send("GET", `/api/hub/entities?includePodWide=${flag}`))
    }
    assert.deepStrictEqual([await isListed("true"), await isListed("1")], [true, true])
    assert.deepStrictEqual([await isListed("false"), await isListed("0")], [false, false])
  })

  it("the pages of an entity listing show each entity once, through REST, tRPC and MCP and with every grant", async () => {
    const { owner, pod, workspaceId } = scene()
    for (let at = 0; at < 9; at += 1) {
      const profileSlug = at % 3 === 0 ? "task" : "note"
      await expectStatus(
        200,
        createEntity(owner, { workspaceId: at % 2 === 0 ? workspaceId : null, profileSlug, title: `Row ${at}` })
      )
    }
    const keys = [
      await pod.aKey(owner),
      await pod.aKey(owner, { grant: { permissions: ["entity.task.read"] } }),
      await pod.aKey(owner, { grant: { permissions: ["entity.note.read"], workspaceIds: [workspaceId] } })
    ]
    for (const key of keys) {
      const whole = idsOf(await expectStatus(200, key.send("GET", "/api/hub/entities?limit=1000")))
      assert.isAbove(whole.length, 2)
      for (const [surface, page] of Object.entries(surfaces)) {
        const seen: Array<string> = []
        let cursor: string | undefined
        do {
          const { ids, next } = await page(key, { limit: 2, ...(cursor === undefined ? {} : { cursor }) })
          seen.push(...ids)
          cursor = next
        } while (cursor !== undefined && seen.length <= whole.length)
        assert.deepStrictEqual(seen, whole, surface)
      }
    }
  })

  it("an entity listing refuses the cursor of another listing, and an entity search neither accepts nor returns a cursor", async () => {
    const { owner } = scene()
    const { headers: others } = await owner.send("GET", "/api/hub/events?limit=1")
    const foreign = others.get("x-svc-next-cursor")
    assert.isNotNull(foreign)
    const list = (query: string) => owner.send("GET", `/api/hub/entities?${query}`)
    assert.deepStrictEqual(await faultsOf(list(`cursor=${foreign}`)), ["cursor"])
    await expectStatus(400, list("cursor=nonsense"))
    const { headers } = await list("limit=1")
    const cursor = headers.get("x-svc-next-cursor")
    assert.isNotNull(cursor)
    assert.deepStrictEqual(await faultsOf(list(`q=row&cursor=${cursor}`)), ["cursor"])
    assert.isNull((await list("q=row&limit=1")).headers.get("x-svc-next-cursor"))
  })

  it("when a person reverts the approval of a new entity, the pod removes the entity, even if it has facets", async () => {
    const { agent, owner } = scene()
    const role = { slug: "patron", displayName: "Patron", profileKind: "role", applicableKinds: ["note"] }
    await expectStatus(200, createProfile(owner, role))
    for (const more of [{}, { forceCreate: true, facets: [{ slug: "patron" }] }]) {
      const asked = await expectStatus(200, createEntity(agent, { title: "Brief", properties: { a: 1 }, ...more }))
      await expectStatus(200, approveProposal(owner, asked.proposalId))
      await expectStatus(200, getEntity(owner, asked.proposedId))
      await expectStatus(200, owner.send("POST", `/api/hub/proposals/${asked.proposalId}/revert`))
      await expectStatus(404, getEntity(owner, asked.proposedId))
    }
  })
})
