/** A misspelt field or name never gives more access: in keys, grants, roles, rules, agents, listings and records. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Answer, Caller } from "../support/pod.ts"
import { storages } from "../support/storages.ts"
import { mcp } from "../doors/surfaces.ts"
import { anAttackScene, anEntity, procedureData, eventsOf, type AttackScene, assertOk } from "./attackScene.ts"

const reads = ["hub-protocol.read"]

/** Returns the faults that the answer reports, by path. On every surface the answer contains the faults as JSON. */
const faultsOf = (answer: Answer): Readonly<Record<string, string>> => {
  assert.strictEqual(answer.status, 400, JSON.stringify(answer.body))
  const details = answer.body.details ?? answer.body.error.data.details
  return Object.fromEntries(
    details.map(({ path, message }: { readonly path: string; readonly message: string }) => [path, message])
  )
}

for (const [where, storage] of storages) {
  describe(`attack: a client misspells a field name or a permission, ${where}`, () => {
    let ground: AttackScene
    let owner: Caller
    beforeAll(async () => {
      ground = await anAttackScene(storage)
      owner = ground.owner
    })
    afterAll(() => ground?.pod.stop())

    const mint = (order: object) => owner.mutate("apiKeys.create", { keyName: "k", scope: reads, ...order })
    const keyCount = async () => procedureData(await owner.query("apiKeys.list", { limit: 500 })).length

    it("attack: if a request for a key in the older format contains `agentId`, the pod refuses the request and does not create a key for the person instead", async () => {
      const before = await keyCount()
      const older = { name: "k", scopes: reads, agentId: ground.agentId }
      assert.hasAllKeys(faultsOf(await owner.mutate("apiKeys.create", older)), ["agentId"])
      assert.strictEqual(await keyCount(), before)
    })

    it("attack: if a request for a key misspells a limit or has a limit outside the field `grant`, the pod refuses the request and says which field is right", async () => {
      const before = await keyCount()
      const { workspaceId } = ground
      const beside = faultsOf(await mint({ grant: { permissions: ["entity.read"] }, workspaceIds: [workspaceId] }))
      assert.include(beside["workspaceIds"], "Did you mean grant.workspaceIds?")
      const within = { permissions: ["entity.read"], workspaceId, entityIDs: [], projects: [] }
      const faults = faultsOf(await mint({ grant: within }))
      assert.hasAllKeys(faults, ["grant.workspaceId", "grant.entityIDs", "grant.projects"])
      assert.include(faults["grant.workspaceId"], "Did you mean workspaceIds?")
      assert.include(faults["grant.entityIDs"], "Did you mean entityIds?")
      const older = { name: "k", scopes: reads, grant: { permissions: ["*"], workspaceIDs: [workspaceId] } }
      assert.hasAllKeys(faultsOf(await owner.mutate("apiKeys.create", older)), ["grant.workspaceIDs"])
      assert.hasAllKeys(faultsOf(await mint({ grant: { permissions: ["*"] }, expiresInDay: 1 })), ["expiresInDay"])
      assert.strictEqual(await keyCount(), before)
    })

    it("if a client misspells a scope, the answer reports one error and suggests the right scope", async () => {
      const before = await keyCount()
      const answer = await mint({ scope: ["mcp.reed"], grant: { permissions: ["*"] } })
      assert.deepStrictEqual(faultsOf(answer), { "scope.0": 'There is no scope "mcp.reed". Did you mean mcp.read?' })
      assert.lengthOf(answer.body.error.data.details, 1)
      const older = await owner.mutate("apiKeys.create", { name: "k", scopes: ["nothing-like-it"] })
      assert.match(
        faultsOf(older)["scopes.0"],
        /^There is no scope "nothing-like-it"\. Use one of "hub-protocol\.read", /
      )
      assert.strictEqual(await keyCount(), before)
    })

    it("attack: a limit outside the field `grant` is refused even if the request for a key has the header `Prefer: handling=lenient`", async () => {
      const order = { keyName: "k", scope: reads, grant: { permissions: ["*"] }, workspaceIds: [] }
      const heard = await owner.mutate("apiKeys.create", order, { prefer: "handling=lenient" })
      assert.hasAllKeys(faultsOf(heard), ["workspaceIds"])
    })

    it("attack: if a field that says who sees a command or a skill is misspelt, the pod refuses the request even with the header `Prefer: handling=lenient`", async () => {
      const { workspaceId } = ground
      const lenient = { prefer: "handling=lenient" }
      const command = { name: "Mine", workspaceId, sharring: "user" }
      const skill = { name: "Mine", prompt: "Write.", workspaceId, scoop: "user" }
      const answers = [
        await owner.send("POST", "/api/hub/commands", command, lenient),
        await owner.send("POST", "/api/hub/skills", skill, lenient)
      ]
      assert.deepStrictEqual(
        answers.map(({ body, status }) => [status, body.details?.[0]?.path]),
        [
          [400, "sharring"],
          [400, "scoop"]
        ]
      )
    })

    it("attack: a governance rule is refused if its target, agent or expiry is misspelt, and the pod creates no unlimited rule instead", async () => {
      const { agentId } = ground
      const draft = { scopeKind: "pod", targetKind: "action", targetPattern: "track.create", verdict: "auto" }
      const rules = async () => procedureData(await owner.query("governanceRules.list", {})).length
      const before = await rules()
      const create = async (more: object) =>
        faultsOf(await owner.mutate("governanceRules.create", { ...draft, ...more }))
      assert.include((await create({ targetProfil: "note" }))["targetProfil"], "Did you mean targetProfile?")
      assert.include((await create({ expires: "2099-01-01T00:00:00Z" }))["expires"], "Did you mean expiresAt?")
      assert.hasAllKeys(await create({ agent: agentId }), ["agent"])
      // The pod refuses a misspelt pattern, because a rule whose pattern matches no action would have no effect.
      assert.hasAllKeys(await create({ targetPattern: "entitee.*", verdict: "propose" }), ["targetPattern"])
      assert.hasAllKeys(await create({ targetProfile: "noet", verdict: "propose" }), ["targetProfile"])
      assert.strictEqual(await rules(), before)
    })

    it("the fields `agentId` and `agentUserId` mean the same agent, and the pod refuses an input in which the two fields are different", async () => {
      const { agentId } = ground
      const other = procedureData(await owner.mutate("agents.create", { name: "Other" })).id
      const keyOf = async (keyId: string) =>
        procedureData(await owner.query("apiKeys.list", { limit: 500 })).find(
          ({ id }: { readonly id: string }) => id === keyId
        )
      const grant = { permissions: ["entity.read"] }
      for (const named of [{ agentUserId: agentId }, { agentId }, { agentId, agentUserId: agentId }]) {
        assert.strictEqual((await keyOf(procedureData(await mint({ grant, ...named })).id)).holderId, agentId)
        const rule = { scopeKind: "pod", targetKind: "action", targetPattern: "track.create", verdict: "propose" }
        const made = procedureData(await owner.mutate("governanceRules.create", { ...rule, ...named }))
        assert.strictEqual(made.agentUserId, agentId)
        assert.strictEqual(procedureData(await owner.mutate("agents.update", { ...named, name: "Scribe" })).id, agentId)
      }
      const both = { agentId, agentUserId: other }
      assert.hasAllKeys(faultsOf(await owner.mutate("agents.update", { ...both, name: "Who" })), ["agentId"])
      const before = await keyCount()
      assert.strictEqual((await mint({ grant, ...both })).status, 400)
      assert.strictEqual(await keyCount(), before)
      const enroll = { workspaceId: ground.workspaceId, agentId: other }
      assertOk(await owner.send("POST", "/api/hub/workspaces/enroll-agent", enroll))
    })

    it("attack: a permission with an unknown subject is refused in keys, roles, agents and previews", async () => {
      const grant = { permissions: ["entitee.read"] }
      assert.include(faultsOf(await mint({ grant }))["grant.permissions.0"], "Did you mean entity?")
      assert.strictEqual((await owner.mutate("roles.create", { name: "R", grant })).status, 400)
      const role = procedureData(
        await owner.mutate("roles.create", { name: "R", grant: { permissions: ["entity.read"] } })
      )
      assert.strictEqual((await owner.mutate("roles.update", { roleId: role.id, grant })).status, 400)
      const agent = { name: "A", capabilities: ["dokument.create"] }
      assert.include(faultsOf(await owner.mutate("agents.create", agent))["capabilities.0"], "Did you mean document?")
      assert.strictEqual((await owner.query("grants.preview", { grant })).status, 400)
    })

    it("attack: a key that is made from an access role has exactly the grant of that role", async () => {
      const { workspaceId } = ground
      const roleGrant = { permissions: ["entity.note.read"], workspaceIds: [workspaceId] }
      const roleId = procedureData(await owner.mutate("roles.create", { name: "Notes", grant: roleGrant })).id
      const wider = [
        { permissions: ["entity.note.read"] },
        { permissions: ["*"], workspaceIds: [workspaceId] },
        { permissions: ["entity.note.read", "track.read"], workspaceIds: [workspaceId] },
        { workspaceIds: [workspaceId] }
      ]
      for (const grant of wider) assert.strictEqual((await mint({ grant: { ...grant, roleId } })).status, 400)
      for (const grant of [{ roleId }, { ...roleGrant, roleId }]) {
        const { id, summary } = procedureData(await mint({ grant: { ...grant, label: "from a role" } }))
        assert.strictEqual(summary, "Has only the permissions entity.note.read, within 1 workspace.")
        const kept = procedureData(await owner.query("apiKeys.list", { limit: 500 })).find((key: any) => key.id === id)
        assert.deepStrictEqual([kept.grant.workspaceIds, kept.role.isDrifted], [[workspaceId], false])
      }
      const unnamed = faultsOf(await mint({ grant: { label: "nothing" } }))
      assert.include(unnamed["grant.permissions"], "roleId")
    })

    it("attack: over REST, tRPC and MCP, a request with a misspelt filter is refused and lists nothing", async () => {
      const key = await ground.pod.aKey(owner)
      await anEntity(owner, { profileSlug: "task", title: "no note" })
      const rest = faultsOf(await key.send("GET", "/api/hub/entities?profilSlug=note"))
      assert.include(rest["profilSlug"], "Did you mean profileSlug?")
      assert.hasAllKeys(faultsOf(await key.query("entities.getEntities", { profilSlug: "note" })), ["profilSlug"])
      for (const args of [{ q: "harbour" }, { profilSlug: "note" }]) {
        const { message } = await mcp(key, "tools/call", { name: "svc_get_entities", arguments: args })
        assert.strictEqual(message.result?.isError, true)
        assert.include(message.result?.content[0].text, `${Object.keys(args)[0]}: There is no such field here.`)
      }
      const lenient = await key.send("GET", "/api/hub/entities?profilSlug=note", undefined, {
        prefer: "handling=lenient"
      })
      assert.strictEqual(lenient.headers.get("x-svc-ignored-fields"), "profilSlug")
    })

    it("the tags that a client gives for an entity become the property `tags` of the entity, whichever field or tool the client uses", async () => {
      const key = await ground.pod.aKey(owner)
      const made = assertOk(
        await key.send("POST", "/api/hub/entities", { title: "Tagged", tags: ["harbour", "boats"] })
      )
      assert.deepStrictEqual(made.properties, { tags: ["harbour", "boats"] })
      const path = `/api/hub/entities/${made.id}`
      const changed = assertOk(await key.send("PATCH", path, { tags: ["boats"], properties: { size: 1 } }))
      assert.deepStrictEqual(changed.properties, { tags: ["boats"], size: 1 })
      const two = { tags: ["one"], properties: { tags: ["two"] } }
      assert.hasAllKeys(faultsOf(await key.send("PATCH", path, two)), ["tags"])
      const tool = { name: "svc_create_entity", arguments: { profileSlug: "note", title: "By tool", tags: ["x"] } }
      const { message } = await mcp(key, "tools/call", tool)
      assert.deepStrictEqual(message.result?.structuredContent?.["properties"], { tags: ["x"] })
    })

    it("if a client gives a source for a new entity, the event of the creation stores the source", async () => {
      const from = { source: "cli", sourceMessageId: "message-1" }
      const { id } = await anEntity(owner, from)
      const event = (await eventsOf(owner)).find(({ subjectId }) => subjectId === id) as unknown as { data: object }
      assert.deepInclude(event.data, from)
    })

    it("an artifact of the kind `url` can be stored without an address, but if it has an address, the address must be public", async () => {
      const draft = { workspaceId: ground.workspaceId, userId: ground.pod.ownerId, kind: "url", title: "A page" }
      assert.strictEqual(assertOk(await owner.send("POST", "/api/hub/artifacts", draft)).refId, null)
      const inward = { ...draft, refId: "http://127.0.0.1/" }
      assert.strictEqual((await owner.send("POST", "/api/hub/artifacts", inward)).status, 400)
    })

    it("attack: a new kind of entity cannot have the name of an action, because a grant could not distinguish the kind from the action", async () => {
      for (const slug of ["read", "create", "update", "delete", "*"]) {
        const profile = { slug, displayName: "Trick", workspaceId: ground.workspaceId }
        assert.hasAllKeys(faultsOf(await owner.send("POST", "/api/hub/profiles", profile)), ["slug"])
        const workspace = { workspaceName: "Trick", profiles: [{ slug, displayName: "Trick" }] }
        assert.strictEqual((await owner.send("POST", "/api/hub/workspaces/from-definition", workspace)).status, 400)
      }
    })

    it("attack: a key that was rotated and is still valid cannot be rotated again, and concurrent rotations of one key create only one new key", async () => {
      const { id } = procedureData(await mint({ grant: { permissions: ["entity.read"] } }))
      const rotate = (keyId: string) => owner.mutate("apiKeys.rotate", { keyId, overlapSeconds: 600 })
      const next = procedureData(await rotate(id))
      const again = await rotate(id)
      assert.deepStrictEqual([again.status, again.body.error.data.reason], [409, "KEY_ROTATED"])
      const answers = await Promise.all([rotate(next.id), rotate(next.id), rotate(next.id)])
      assert.deepStrictEqual(
        answers.map(({ status }) => status).sort((one, other) => one - other),
        [200, 409, 409]
      )
    })
  })
}
