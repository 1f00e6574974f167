/**
 * A record that a caller may not touch does not exist for this caller. Even if the caller sends the id of the record,
 * the pod gives no access.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { ledgerOf } from "../doors/ledger.ts"
import type { Caller } from "../support/pod.ts"
import {
  anAttackScene,
  anEntity,
  procedureData,
  type AttackScene,
  createRecord,
  assertOk,
  assertRefused
} from "./attackScene.ts"
import { storages } from "../support/storages.ts"

/** The listings that accept the id of a workspace. */
const lists = [
  "entities",
  "tracks",
  "projects",
  "documents",
  "views",
  "artifacts",
  "commands",
  "brands",
  "channels",
  "threads",
  "relations",
  "profiles",
  "property-defs",
  "relation-defs",
  "rules",
  "proposals",
  "knowledge",
  "messaging/channels",
  "messaging/linked-unread",
  "focus-sessions"
]

for (const [where, storage] of storages) {
  describe(`attack: a caller asks for records that it may not read, ${where}`, () => {
    let ground: AttackScene
    let key: Caller
    let theirs: string
    let second: string
    beforeAll(async () => {
      ground = await anAttackScene(storage)
      key = await ground.pod.aKey(ground.owner)
      theirs = await ground.pod.aWorkspace(ground.victim, "Theirs")
      second = await ground.pod.aWorkspace(ground.owner, "Second")
    })
    afterAll(() => ground?.pod.stop())

    it("attack: a command cannot refer to a skill that its caller may not read, to a skill of another space, or to a missing skill", async () => {
      const { owner, victim, workspaceId } = ground
      const skill = { name: "Summary", prompt: "Summarise {{text}}.", parameters: { type: "object", properties: {} } }
      const foreign = await createRecord(victim, "skills", { ...skill, workspaceId: theirs })
      const elsewhere = await createRecord(owner, "skills", { ...skill, workspaceId: second })
      const here = await createRecord(owner, "skills", { ...skill, workspaceId })
      for (const skillId of [foreign.id, elsewhere.id, uuidv7()]) {
        const refused = await owner.send("POST", "/api/hub/commands", { name: "Report", workspaceId, skillId })
        assert.include(JSON.stringify(assertRefused(refused, 400)), "skillId")
      }
      const command = await createRecord(owner, "commands", { name: "Report", workspaceId, skillId: here.id })
      assertRefused(await owner.send("PATCH", `/api/hub/commands/${command.id}`, { skillId: foreign.id }), 400)
    })

    it("attack: a filter in a request can only reduce the records that the grant of the key allows, and never add records", async () => {
      const { owner, pod, workspaceId } = ground
      const inside = await anEntity(owner, { workspaceId, title: "inside" })
      await anEntity(owner, { workspaceId: second, title: "outside" })
      await anEntity(owner, { title: "own" })
      await anEntity(ground.victim, { workspaceId: theirs, title: "theirs" })
      const narrow = await pod.aKey(owner, { grant: { permissions: ["entity.read"], workspaceIds: [workspaceId] } })
      const widening = ["", "?scope=all", "?scope=pod", "?includePodWide=true"]
      for (const query of widening) {
        const listed: ReadonlyArray<{ id: string }> = assertOk(await narrow.send("GET", `/api/hub/entities${query}`))
        assert.deepStrictEqual(
          listed.filter(({ id }) => id !== inside.id),
          [],
          query
        )
      }
      for (const id of [second, theirs, pod.ownerId, ground.victim.id, uuidv7()]) {
        assertRefused(await narrow.send("GET", `/api/hub/entities?workspaceId=${id}`), 403)
        assertRefused(await narrow.query("entities.getEntities", { workspaceId: id }), 403)
      }
      for (const text of ["", "*", "[]", "null", `${workspaceId},${second}`, `["${second}"]`]) {
        assertRefused(await narrow.send("GET", `/api/hub/entities?workspaceId=${encodeURIComponent(text)}`), 400)
      }
      for (const query of ["?workspaceIds[]=*", "?workspaceIds=*", `?workspaceIds=${workspaceId}`]) {
        assertRefused(await narrow.send("GET", `/api/hub/entities${query}`), 400)
      }
      const twice = `?workspaceId=${workspaceId}&workspaceId=${second}`
      assertRefused(await narrow.send("GET", `/api/hub/entities${twice}`), 400)
      for (const workspaceId of [[second], ["*"], "*", {}]) {
        assertRefused(await narrow.query("entities.getEntities", { workspaceId }), 400)
      }
      const none = await pod.aKey(owner, { grant: { permissions: ["entity.read"], workspaceIds: [] } })
      assert.deepStrictEqual(assertOk(await none.send("GET", "/api/hub/entities?scope=all")), [])
    })

    it("attack: if a write also creates or links a record outside the grant of the key, the pod refuses the whole write", async () => {
      const { owner, pod } = ground
      const ledger = ledgerOf(pod, storage)
      const note = await anEntity(owner, { title: "A note" })
      const task = await anEntity(owner, { title: "A task", profileSlug: "task" })
      const track = await createRecord(owner, "projects", { name: `Harbour ${uuidv7()}` })
      const notes = await pod.aKey(owner, { grant: { permissions: ["entity.note"] } })
      const linking = await pod.aKey(owner, { grant: { permissions: ["entity.note", "relation"] } })
      const filing = await pod.aKey(owner, { grant: { permissions: ["entity.note", "project"] } })
      const before = await ledger.digest()
      const post = (caller: Caller, path: string, body: object) => caller.send("POST", `/api/hub/${path}`, body)
      assertRefused(await post(notes, "entities", { title: "More", facets: [{ slug: "reader" }] }), 403)
      assertRefused(
        await post(notes, "relations", { sourceEntityId: note.id, targetEntityId: note.id, type: "knows" }),
        403
      )
      const outside = [
        await post(linking, "relations", { sourceEntityId: note.id, targetEntityId: task.id, type: "knows" }),
        await post(filing, `projects/${track.id}/entities`, { entityIds: [note.id, task.id] })
      ]
      for (const answer of outside) assert.include([400, 403, 404], answer.status, JSON.stringify(answer.body))
      assert.strictEqual(await ledger.digest(), before)
    })

    it("attack: every list, and the creation of entities, tracks and knowledge entries, refuse a key for one workspace if the request contains the id of another workspace", async () => {
      const { owner, pod, workspaceId } = ground
      const bound = await pod.aKey(owner, { workspaceId })
      const ledger = ledgerOf(pod, storage)
      const before = await ledger.digest()
      for (const id of [second, theirs]) {
        for (const list of lists) {
          const { body, status } = await bound.send("GET", `/api/hub/${list}?workspaceId=${id}`)
          assert.strictEqual(status, 403, `${list}: ${JSON.stringify(body)}`)
        }
        assertRefused(await bound.send("POST", "/api/hub/entities", { title: "There", workspaceId: id }), 403)
        assertRefused(await bound.send("POST", "/api/hub/tracks", { name: "There", workspaceId: id }), 403)
        assertRefused(await bound.send("POST", "/api/hub/knowledge", { key: "there", value: 1, workspaceId: id }), 403)
      }
      assertRefused(await bound.send("POST", "/api/hub/entities", { title: "There", workspaceId: null }), 403)
      assert.strictEqual(await ledger.digest(), before)
    })

    it("attack: every list refuses a request for a workspace of which the caller is not a member, even if the key has full access", async () => {
      for (const list of lists) {
        const { body, status } = await key.send("GET", `/api/hub/${list}?workspaceId=${theirs}`)
        assert.strictEqual(status, 403, `${list}: ${JSON.stringify(body)}`)
      }
      assertRefused(await key.send("GET", `/api/hub/knowledge/anything?workspaceId=${theirs}`), 403)
    })

    it("attack: a request for an entity in a workspace of other people gets exactly the same answer as a request for a missing entity", async () => {
      const { body: there } = await ground.victim.send("POST", "/api/hub/entities", { title: "x", workspaceId: theirs })
      const ways: ReadonlyArray<readonly [string, string, object?]> = [
        ["GET", ""],
        ["GET", "/connections"],
        ["GET", "/facets"],
        ["GET", "/attachments"],
        ["PATCH", "", { title: "Mine" }],
        ["DELETE", ""],
        ["POST", "/facets", { slug: "reader" }]
      ]
      for (const [method, below, body] of ways) {
        const [foreign, missing] = await Promise.all(
          [there.id, uuidv7()].map((id) => key.send(method, `/api/hub/entities/${id}${below}`, body))
        )
        assert.strictEqual(foreign.status, 404, `${method} ${below}: ${JSON.stringify(foreign.body)}`)
        assert.deepStrictEqual([foreign.status, foreign.body], [missing.status, missing.body])
      }
    })

    it("a file can be attached to an entity only if both are in the same workspace or personal space, and any other file gets the same answer as a missing file", async () => {
      const { owner, workspaceId } = ground
      const entity = await anEntity(owner, { title: "Here", workspaceId })
      const attach = async (file: string) => {
        const answer = await owner.send("POST", `/api/hub/entities/${entity.id}/attachments`, { fileEntityId: file })
        return [answer.status, answer.body] as const
      }
      const missing = await attach(uuidv7())
      assert.strictEqual(missing[0], 404)
      const elsewhere = [await anEntity(owner), await anEntity(owner, { workspaceId: second })]
      for (const { id } of elsewhere) assert.deepStrictEqual(await attach(id), missing)
      assert.strictEqual((await attach((await anEntity(owner, { workspaceId })).id))[0], 200)
    })

    it("attack: a caller cannot find a record in the personal space of another person, neither in a list nor by its id or name", async () => {
      const { victim } = ground
      const word = "unheard-of"
      const theirOwn = await anEntity(victim, { title: word, properties: { email: "victim@mail.example" } })
      const more = [
        await createRecord(victim, "tracks", { name: word }),
        await createRecord(victim, "projects", { name: word }),
        await createRecord(victim, "documents", { title: word, content: word }),
        await createRecord(victim, "views", { name: word, type: "list" }),
        await createRecord(victim, "channels", { title: word, type: "chat" })
      ]
      const paths = ["tracks", "projects", "documents", "views", "channels"]
      for (const [at, { id }] of more.entries())
        assertRefused(await key.send("GET", `/api/hub/${paths[at]}/${id}`), 404)
      assertRefused(await key.send("GET", `/api/hub/entities/${theirOwn.id}`), 404)
      for (const list of lists.filter((each) => each !== "focus-sessions")) {
        const listed = assertOk(await key.send("GET", `/api/hub/${list}?limit=50`))
        for (const { id } of [theirOwn, ...more]) assert.notInclude(JSON.stringify(listed), id, list)
      }
      assert.notInclude(JSON.stringify(assertOk(await key.send("GET", `/api/hub/entities?q=${word}`))), theirOwn.id)
      const me = assertOk(await key.send("GET", `/api/hub/users/${victim.id}/context`))
      assert.notInclude(JSON.stringify(me), theirOwn.id)
      assert.notInclude(
        JSON.stringify(procedureData(await ground.owner.query("events.list", { limit: 100 }))),
        theirOwn.id
      )
    })

    it("attack: a key does not see a record outside its grant in revisions, proposals or digests, not even as an empty item", async () => {
      const { agent, owner, pod } = ground
      const document = await createRecord(owner, "documents", { title: "Plan", content: "As it was" })
      const task = await anEntity(owner, { title: "Hidden task", profileSlug: "task" })
      const asked = assertOk(await agent.send("PATCH", `/api/hub/entities/${task.id}`, { title: "Hidden better" }))
      const permissions = ["entity.note.read", "proposal.read", "project.read"]
      const narrow = await pod.aKey(owner, { grant: { permissions } })
      assertRefused(await narrow.send("GET", `/api/hub/documents/${document.id}`), 404)
      assertRefused(await narrow.send("GET", `/api/hub/documents/${document.id}/raw`), 404)
      for (const below of ["revisions", "revisions/1"]) {
        const { status } = await narrow.send("GET", `/api/hub/documents/${document.id}/${below}`)
        assert.include([403, 404], status, below)
      }
      const missing = await narrow.send("GET", `/api/hub/proposals/${uuidv7()}`)
      const hidden = await narrow.send("GET", `/api/hub/proposals/${asked.proposalId}`)
      assert.deepStrictEqual([hidden.status, hidden.body], [404, missing.body])
      const listed = assertOk(await narrow.send("GET", "/api/hub/proposals?status=all"))
      assert.deepStrictEqual([listed.total, listed.proposals], [0, []])
      assertRefused(
        await narrow.send("PATCH", `/api/hub/proposals/${asked.proposalId}`, { data: { title: "Mine" } }),
        403
      )
      const project = await createRecord(owner, "projects", { name: `Quay ${uuidv7()}` })
      assertOk(await owner.send("POST", `/api/hub/projects/${project.id}/entities`, { entityIds: [task.id] }))
      const digest = assertOk(await narrow.send("GET", `/api/hub/projects/${project.id}/digest`))
      assert.deepInclude(digest, { total: 0, counts: {}, byWorkspace: [], keyEntities: [] })
      assert.notInclude(JSON.stringify(digest), "Hidden")
    })
  })
}
