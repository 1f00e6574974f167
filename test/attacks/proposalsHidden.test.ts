/**
 * A caller sees a proposal only if the caller may read every record in it. If an agent asks to run a command, only the
 * person who owns the agent sees this proposal.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { aColleague } from "../support/membership.ts"
import type { Caller } from "../support/pod.ts"
import { storages } from "../support/storages.ts"
import {
  anAttackScene,
  anEntity,
  procedureData,
  type AttackScene,
  createRecord,
  assertOk,
  assertProposed,
  assertRefused
} from "./attackScene.ts"

const path = "/api/hub/proposals"

for (const [where, storage] of storages) {
  describe(`attack: a caller looks for a proposal that it may not see, ${where}`, () => {
    let ground: AttackScene
    let colleague: Caller
    let admin: Caller
    beforeAll(async () => {
      ground = await anAttackScene(storage)
      colleague = await aColleague(ground.pod, storage, ground.workspaceId, "editor", "colleague")
      admin = await aColleague(ground.pod, storage, ground.workspaceId, "admin", "admin")
    })
    afterAll(() => ground?.pod.stop())

    /** Asserts that no list, page, single read or action shows the caller anything of the proposal. */
    const isHiddenFrom = async (by: Caller, id: string, words: ReadonlyArray<string>) => {
      const page = await by.send("GET", `${path}?status=all&limit=200`)
      const { proposals, total } = assertOk(page)
      assert.strictEqual(total, proposals.length)
      const single = assertOk(await by.send("GET", `${path}?status=all&limit=1`))
      assert.strictEqual(single.total, total)
      // The test also reads the list in pages with one proposal each. Together, these pages must contain exactly the
      // visible proposals.
      const seen: Array<string> = []
      let cursor: string | null = ""
      for (let pages = 0; cursor !== null && pages < 50; pages++) {
        const answer = await by.send("GET", `${path}?status=all&limit=1${cursor === "" ? "" : `&cursor=${cursor}`}`)
        seen.push(...assertOk(answer).proposals.map((each: { readonly id: string }) => each.id))
        cursor = answer.headers.get("x-svc-next-cursor")
      }
      assert.strictEqual(seen.length, total)
      const listingsText = JSON.stringify([proposals, seen])
      for (const word of [id, ...words]) assert.notInclude(listingsText, word)
      assertRefused(await by.send("GET", `${path}/${id}`), 404)
      assertRefused(await by.send("GET", `${path}/${id.slice(0, 35)}`), 404)
      for (const verb of ["approve", "reject", "revert"])
        assertRefused(await by.send("POST", `${path}/${id}/${verb}`, {}), 404)
      assertRefused(await by.send("PATCH", `${path}/${id}`, { data: {} }), 404)
    }

    it("only the person who owns an agent can read, approve and reject a command that the agent wants to run", async () => {
      const { agent, owner, workspaceId } = ground
      const wish = { title: "Deploy the secret build", command: "deploy --now", workspaceId }
      for (const asked of [
        await agent.send("POST", `${path}/dev-approval`, wish),
        await agent.send("POST", path, {
          targetType: "dev_approval",
          proposalType: "create",
          workspaceId,
          data: { title: wish.title, command: wish.command }
        })
      ]) {
        const waiting = assertOk(asked).proposalId
        for (const other of [colleague, admin]) await isHiddenFrom(other, waiting, ["deploy --now", "secret build"])
        const { contentHash, status } = assertOk(await owner.send("GET", `${path}/${waiting}`))
        assert.strictEqual(status, "pending")
        assertOk(await owner.send("POST", `${path}/${waiting}/approve`, { contentHash }))
        for (const other of [colleague, admin]) await isHiddenFrom(other, waiting, ["deploy --now"])
      }
      const events = procedureData(await colleague.query("events.list", { limit: 100 }))
      assert.notInclude(JSON.stringify(events), "secret build")
    })

    const privacies = [
      {
        path: "commands",
        draft: { name: "Public errand", triggerSlug: "errand", sharing: "space" },
        shared: { sharing: "space" },
        hidden: { sharing: "user", name: "Quiet errand" }
      },
      {
        path: "skills",
        draft: { name: "Public summary", prompt: "Do it.", scope: "workspace" },
        shared: { scope: "workspace" },
        hidden: { scope: "user", name: "Quiet summary" }
      }
    ]
    it.each(privacies)(
      "when a person makes a shared record below /$path private, the proposals about it are hidden from the other members, who can neither edit them nor decide on them",
      async ({ draft, hidden, path: records, shared }) => {
        const { agent, owner, workspaceId } = ground
        const { id } = await createRecord(owner, records, { ...draft, workspaceId })
        const target = `/api/hub/${records}/${id}`
        const waiting = assertProposed(
          await agent.send("PATCH", target, { description: `Asked in the open for ${records}` })
        )
        assertOk(await colleague.send("GET", `${path}/${waiting}`))
        assertOk(await owner.send("PATCH", target, hidden))
        for (const other of [colleague, admin]) {
          await isHiddenFrom(other, waiting, [draft.name, hidden.name, `Asked in the open for ${records}`])
        }
        assert.strictEqual(assertOk(await owner.send("GET", `${path}/${waiting}`)).revision, 1)
        assertOk(await owner.send("PATCH", target, shared))
        assert.strictEqual(assertOk(await colleague.send("GET", `${path}/${waiting}`)).status, "pending")
        assertOk(await owner.send("POST", `${path}/${waiting}/reject`, {}))
      }
    )

    it("a proposed relation is hidden from a key that cannot read one of the two entities, also in titles, ids and counts", async () => {
      const { agent, owner, pod, workspaceId } = ground
      const shown = await anEntity(owner, { title: "Open task", profileSlug: "task", workspaceId })
      const hidden = await anEntity(owner, { title: "Hidden note", workspaceId })
      const link = { sourceEntityId: shown.id, targetEntityId: hidden.id, type: "relates_to", workspaceId }
      const waiting = assertProposed(await agent.send("POST", "/api/hub/relations", link))
      const tasks = await pod.aKey(owner, { grant: { permissions: ["entity.task", "relation", "proposal"] } })
      const one = await pod.aKey(owner, { grant: { permissions: ["*"], entityIds: [shown.id] } })
      const noLinks = await pod.aKey(owner, { grant: { permissions: ["entity", "proposal"] } })
      for (const key of [tasks, one, noLinks]) await isHiddenFrom(key, waiting, ["Hidden note", hidden.id])
      const both = await pod.aKey(owner, { grant: { permissions: ["entity", "relation", "proposal"] } })
      assertOk(await both.send("GET", `${path}/${waiting}`))
    })

    it("a proposal to put entities in a project is hidden from a key that cannot read one of the entities", async () => {
      const { agent, owner, pod, workspaceId } = ground
      const project = await createRecord(owner, "projects", { name: "Harbour wall", workspaceId })
      const hidden = await anEntity(owner, { title: "Hidden in the wall", workspaceId })
      const entityIds = [hidden.id]
      const waiting = assertProposed(
        await agent.send("POST", `/api/hub/projects/${project.id}/entities`, { entityIds })
      )
      const grant = { permissions: ["entity.task", "project", "relation", "proposal"] }
      await isHiddenFrom(await pod.aKey(owner, { grant }), waiting, ["Hidden in the wall", hidden.id])
      assertOk(await owner.send("GET", `${path}/${waiting}`))
    })

    it("a proposed entity with a text is hidden from a key that cannot read documents", async () => {
      const { agent, owner, pod, workspaceId } = ground
      const asked = { title: "With a text", content: "the text of the document", workspaceId }
      const waiting = assertProposed(await agent.send("POST", "/api/hub/entities", asked))
      const noTexts = await pod.aKey(owner, { grant: { permissions: ["entity", "proposal"] } })
      await isHiddenFrom(noTexts, waiting, ["the text of the document"])
      const { contentHash } = assertOk(await owner.send("GET", `${path}/${waiting}`))
      assertOk(await owner.send("POST", `${path}/${waiting}/approve`, { contentHash }))
      await isHiddenFrom(noTexts, waiting, ["the text of the document"])
      const texts = await pod.aKey(owner, { grant: { permissions: ["entity", "document.read", "proposal"] } })
      assert.include(
        JSON.stringify(assertOk(await texts.send("GET", `${path}/${waiting}`))),
        "the text of the document"
      )
    })

    it("a proposed facet (a role of an entity) is hidden from a key that cannot read the entity or cannot read facets", async () => {
      const { agent, owner, pod, workspaceId } = ground
      const role = {
        slug: "keeper",
        displayName: "Keeper",
        profileKind: "role",
        applicableKinds: ["note"],
        workspaceId
      }
      assertOk(await owner.send("POST", "/api/hub/profiles", role))
      const hidden = await anEntity(owner, { title: "A hidden keeper", workspaceId })
      const put = await agent.send("POST", `/api/hub/entities/${hidden.id}/facets`, { slug: "keeper" })
      const waiting = assertProposed(put)
      for (const permissions of [
        ["entity.task", "facet", "proposal"],
        ["entity", "proposal"]
      ]) {
        await isHiddenFrom(await pod.aKey(owner, { grant: { permissions } }), waiting, [hidden.id])
      }
      assertOk(await owner.send("GET", `${path}/${waiting}`))
    })
  })
}
