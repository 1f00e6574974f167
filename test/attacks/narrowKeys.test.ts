/**
 * A key with a narrow grant can read only what the grant covers, whichever operation it calls.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { ledgerOf } from "../doors/ledger.ts"
import { type Approach, ask } from "../doors/surfaces.ts"
import { allApproaches } from "../doors/walk.ts"
import { uuidv7 } from "../../src/platform/Ids.ts"
import type { Caller } from "../support/pod.ts"
import { anAttackScene, anEntity, procedureData, type AttackScene, assertOk, assertRefused } from "./attackScene.ts"
import { storages } from "../support/storages.ts"
import { everyNth } from "../support/everyNth.ts"
import { fill, type Actors } from "./twinPods.ts"
import { aTwin, type Twin } from "./twins.ts"
import { variantsOf } from "./variants.ts"

const sortOf = (name: string) => name.split("/")[1]

for (const [where, storage] of storages) {
  describe(`attack: a key with a narrow grant tries to read more than its grant, ${where}`, () => {
    let ground: AttackScene
    let reads: ReadonlyArray<Approach>
    let twin: Twin
    let turn = 0
    beforeAll(async () => {
      ground = await anAttackScene(storage)
      const { agent, agentId, owner, pod, workspaceId } = ground
      reads = (await allApproaches(pod, false)).filter(({ operation }) => operation.kind === "query")
      twin = aTwin(pod)
      const cast: Actors = { session: { ...owner, id: pod.ownerId }, key: await pod.aKey(owner), agent, agentId }
      await fill(twin, "hidden", cast, { workspaceId, kind: "task" })
      twin.ids.set("hidden/workspaces", workspaceId)
    })
    afterAll(() => ground?.pod.stop())

    const mint = (grant: object, more: object = {}) =>
      ground.owner.mutate("apiKeys.create", { keyName: "k", scope: ["hub-protocol.read"], grant, ...more })
    const keyCount = async () => procedureData(await ground.owner.query("apiKeys.list", { limit: 100 })).length

    /**
     * Returns the answers in which the key sees a hidden record, by the record's id or by a word of its text.
     * `isForbidden` says which sorts of records must be hidden from the key. An id or a word that the request already
     * contained does not count.
     */
    const leaks = async (key: Caller, isForbidden: (sort: string) => boolean) => {
      const ids = [...twin.ids].filter(([name]) => isForbidden(sortOf(name))).map(([, id]) => id)
      const sorts = [...twin.ids.keys()].map(sortOf)
      const found: Array<string> = []
      let answers = 0
      for (const way of everyNth(reads, turn++, 2)) {
        if (way.operation.door._tag === "Session" || way.place === "session") continue
        for (const variant of variantsOf(way, ["hidden"], sorts)) {
          const asked = JSON.stringify(variant).replaceAll(/@([a-z]+\/[a-z-]+)/g, (_, name) => twin.ids.get(name)!)
          const { body, verdict } = await ask(key, way, JSON.parse(asked))
          if (verdict === "unauthorized" || verdict === "refused") break
          if (verdict !== "answered") continue
          answers += 1
          const answerText = JSON.stringify(body) ?? ""
          if ([...ids, "word hidden", "hidden@mail"].some((one) => answerText.includes(one) && !asked.includes(one))) {
            found.push(`${way.operation.name} ${asked}: ${answerText}`)
          }
        }
      }
      assert.isAbove(answers, 20)
      return found
    }

    it("attack: a person cannot create a key with more rights than the person has, or with an access role that belongs to another person", async () => {
      const { victim } = ground
      const theirs = await ground.pod.aWorkspace(victim, "Theirs")
      const draft = { name: "Theirs", grant: { permissions: ["entity.read"] } }
      const role = procedureData(await victim.mutate("roles.create", draft))
      const before = await keyCount()
      assertRefused(await mint({ permissions: ["*"], workspaceIds: [theirs] }), 403)
      assertRefused(await mint({ permissions: ["*"], workspaceIds: [ground.workspaceId, theirs] }), 403)
      assertRefused(await mint({ permissions: ["*"], workspaceIds: [victim.id] }), 403)
      assertRefused(await mint({ permissions: ["*"] }, { workspaceId: theirs }), 403)
      for (const roleId of [role.id, uuidv7(), "owner"]) assertRefused(await mint({ permissions: ["*"], roleId }), 400)
      assert.strictEqual(await keyCount(), before)
      assert.isAtLeast(before, 2)
    })

    it("attack: a key whose grant contains the id of an object of another person cannot read that object", async () => {
      const theirs = await anEntity(ground.victim, { title: "theirs" })
      const answer = await mint({ permissions: ["*"], entityIds: [theirs.id] })
      if (answer.status !== 200) return assertRefused(answer, 403)
      const key = ground.pod.as({ authorization: `Bearer ${procedureData(answer).key}` })
      assertRefused(await key.send("GET", `/api/hub/entities/${theirs.id}`), 404)
      return assert.deepStrictEqual(assertOk(await key.send("GET", "/api/hub/entities")), [])
    })

    it("attack: a person cannot create a key with a grant that has a malformed permission, an empty list or an unknown kind", async () => {
      const before = await keyCount()
      const malformed = [
        "*.read",
        "document.x.read",
        "entity.note.read.more",
        "entity.note.read.",
        "Entity.read",
        "entity.note.READ",
        "еntity.read", // the first letter is Cyrillic, not Latin
        "entity․read", // the dot is U+2024, not a full stop
        " entity.read",
        "entity.read\n",
        ""
      ]
      for (const permission of malformed) {
        const role = { name: "Malformed", grant: { permissions: [permission] } }
        assertRefused(await ground.owner.mutate("roles.create", role), 400)
        const agent = { name: "Malformed", capabilities: [permission] }
        assertRefused(await ground.owner.mutate("agents.create", agent), 400)
      }
      for (const permission of malformed) assertRefused(await mint({ permissions: [permission] }), 400)
      for (const permission of malformed) assertRefused(await mint({ permissions: ["entity.read", permission] }), 400)
      for (const permissions of [[], null, "*", undefined]) assertRefused(await mint({ permissions }), 400)
      assertRefused(await mint({ permissions: ["entity.knowlege.read"] }), 400)
      assertRefused(await ground.owner.mutate("apiKeys.create", { keyName: "k", scope: ["hub-protocol.read"] }), 400)
      assert.strictEqual(await keyCount(), before)
    })

    it("attack: a key that may read only entities of the kind `knowledge` finds no task, neither by id nor in lists, relations, digests, facets, proposals or previews", async () => {
      const { pod, owner } = ground
      const grant = {
        permissions: ["entity.knowledge.read", "relation.read", "facet.read", "proposal.read", "project.read"]
      }
      const key = await pod.aKey(owner, { grant })
      const ofTasks = new Set(["entities", "others", "relations", "proposals", "attachments"])
      const found = await leaks(key, (sort) => ofTasks.has(sort))
      // This key may read projects, and their names contain the searched word too.
      assert.deepStrictEqual(
        found.filter((each) => !/^(?:projects\.(?:list|get|digest)|svc_get_project|svc_list_projects) /.test(each)),
        []
      )
      for (const filter of ["profileSlug=task", "type=task", "profileSlug=task&limit=1"]) {
        assert.deepStrictEqual(assertOk(await key.send("GET", `/api/hub/entities?${filter}`)), [])
      }
      const task = twin.ids.get("hidden/entities")!
      assertRefused(await key.send("GET", `/api/hub/entities/${task}`), 404)
      const digest = await key.send("GET", `/api/hub/projects/${twin.ids.get("hidden/projects")}/digest`)
      assert.deepInclude(assertOk(digest), { total: 0, counts: {}, keyEntities: [] })
      const preview = procedureData(await owner.query("grants.preview", { grant }))
      assert.notInclude(JSON.stringify(preview.samples), task)
      assert.isFalse(preview.counts.some(({ kind }: { readonly kind: string | null }) => kind === "task"))
    })

    it("attack: a key with a grant for entities reads no other type of record", async () => {
      const key = await ground.pod.aKey(ground.owner, { grant: { permissions: ["entity.read"] } })
      const entities = new Set(["entities", "others", "workspaces"])
      const found = await leaks(key, (sort) => !entities.has(sort))
      assert.deepStrictEqual(
        found.filter((each) => !/^(?:entities\.|svc_get_entit|svc_resolve_identity)/.test(each)),
        []
      )
    })

    it("attack: a key whose grant has only write permissions reads nothing", async () => {
      const permissions = ["entity.create", "entity.update", "document.create", "channel.update", "proposal.update"]
      const key = await ground.pod.aKey(ground.owner, { grant: { permissions } })
      assert.deepStrictEqual(await leaks(key, (sort) => sort !== "workspaces"), [])
    })

    it("attack: a key for one workspace reads no entity of the personal space, a key for one project reads nothing outside it, and a key for one object creates nothing", async () => {
      const { pod, owner, workspaceId } = ground
      const podWide = await anEntity(owner, { title: "word hidden", profileSlug: "task" })
      const limited = await pod.aKey(owner, { grant: { permissions: ["*"], workspaceIds: [workspaceId] } })
      assertRefused(await limited.send("GET", `/api/hub/entities/${podWide.id}`), 404)
      for (const query of ["", "?scope=pod", "?includePodWide=true", "?scope=all"]) {
        const listed = assertOk(await limited.send("GET", `/api/hub/entities${query}`))
        assert.notInclude(JSON.stringify(listed), podWide.id)
      }
      const ofProject = await pod.aKey(owner, { grant: { permissions: ["*"], projectIds: [uuidv7()] } })
      assert.deepStrictEqual(await leaks(ofProject, (sort) => sort !== "workspaces"), [])
      const before = await ledgerOf(pod, storage).digest()
      const ofObject = await pod.aKey(owner, { grant: { permissions: ["*"], entityIds: [podWide.id] } })
      const afterKey = await ledgerOf(pod, storage).digest()
      for (const [path, body] of [
        ["entities", { title: "More" }],
        ["tracks", { name: "More" }],
        ["documents", { title: "More" }]
      ] as const) {
        assertRefused(await ofObject.send("POST", `/api/hub/${path}`, body), 403)
      }
      assert.strictEqual(await ledgerOf(pod, storage).digest(), afterKey)
      assert.notStrictEqual(before, afterKey)
    })

    it("attack: the number and the list of an entity's relations include only relations to entities that the key may read", async () => {
      const { pod, owner } = ground
      const centre = await anEntity(owner, { title: "Centre" })
      for (const kind of ["note", "task"]) {
        const { id } = await anEntity(owner, { title: `a ${kind}`, profileSlug: kind })
        const edge = { sourceEntityId: centre.id, targetEntityId: id, type: "knows" }
        assertOk(await owner.send("POST", "/api/hub/relations", edge))
      }
      const key = await pod.aKey(owner, { grant: { permissions: ["entity.note.read", "relation.read"] } })
      const path = `/api/hub/entities/${centre.id}/connections`
      const [seen, all] = [assertOk(await key.send("GET", path)), assertOk(await owner.send("GET", path))]
      assert.strictEqual(all.counts.total, 2)
      assert.strictEqual(seen.counts.total, 1)
      assert.notInclude(JSON.stringify(seen), "task")
      const edges = assertOk(await key.send("GET", `/api/hub/relations?entityId=${centre.id}`))
      assert.strictEqual(edges.length, 1)
    })
  })
}
