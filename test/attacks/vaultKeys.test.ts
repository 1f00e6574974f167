/**
 * Attacks on vaults by keys with narrow grants, by keys with full access and by agents, with foreign ids and broken
 * values. Also tests a pod that has lost its encryption key.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { anAttackScene, assertOk, assertRefused, type AttackScene, eventsOf, procedureData } from "./attackScene.ts"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { aPod, type Caller } from "../support/pod.ts"
import { aDatabaseOn, describePostgres } from "../support/postgres.ts"
import { onOneStorage } from "../support/storages.ts"

const value = "never-To-Be-Seen-2207"

const reads = ["hasVault", "getVaultMetadata", "getCategories", "getTags", "sharedWithMe", "getSecurityStats"]

onOneStorage("attacks on the vault", (storage) => {
  let scene: AttackScene
  let id: string
  beforeAll(async () => {
    scene = await anAttackScene(storage)
    const draft = { name: "Mail", value, notes: value, tags: ["mail"] }
    id = procedureData(await scene.owner.mutate("secretsVault.create", draft)).id
  })
  afterAll(() => scene.pod.stop())

  const everyCall = (by: Caller) => [
    ...reads.map((name) => by.query(`secretsVault.${name}`, {})),
    by.query("secretsVault.list", {}),
    by.query("secretsVault.get", { id }),
    by.mutate("secretsVault.create", { name: "Mine", value: "mine" }),
    by.mutate("secretsVault.update", { id, name: "Mine" }),
    by.mutate("secretsVault.share", { id, personId: scene.victim.id, workspaceId: scene.workspaceId }),
    by.mutate("secretsVault.unshare", { id, personId: scene.victim.id }),
    by.mutate("secretsVault.delete", { id }),
    by.mutate("secretsVault.recordUnlock", {}),
    by.mutate("secretsVault.generateRecoveryKey", {}),
    by.mutate("secretsVault.recover", { recoveryKey: "00" })
  ]

  it("attack: every operation of the vault refuses a key with a narrow grant", async () => {
    const { owner, pod, workspaceId } = scene
    const grants = [
      { permissions: ["vault"] },
      { permissions: ["vault.read", "vault.update", "vault.delete"] },
      { permissions: ["*"], workspaceIds: [workspaceId] },
      { permissions: ["*"], entityIds: [id] }
    ]
    for (const grant of grants) {
      const key = await pod.aKey(owner, { grant })
      for (const answer of await Promise.all(everyCall(key))) {
        assertRefused(answer, 403)
        assert.notInclude(JSON.stringify(answer.body), value)
      }
    }
    assert.strictEqual(procedureData(await owner.query("secretsVault.get", { id })).version, 1)
  })

  it("attack: a person who was removed from a workspace cannot read an entry that was shared there after somebody adds the person again", async () => {
    const { owner, pod, workspaceId } = scene
    const reader = await pod.aPerson("reader@example.com")
    const admin = await pod.aPerson("admin@example.com")
    const join = async (person: Caller, by: Caller, role: string) => {
      const { token } = assertOk(await by.send("POST", "/api/hub/invitations", { workspaceId, role }))
      assertOk(await person.send("POST", "/api/hub/invitations/accept", { token }))
    }
    await join(admin, owner, "admin")
    await join(reader, owner, "editor")
    const ofReader = procedureData(await reader.mutate("secretsVault.create", { name: "Theirs", value })).id as string
    assertOk(await owner.mutate("secretsVault.share", { id, personId: reader.id, workspaceId }))
    assertOk(await reader.mutate("secretsVault.share", { id: ofReader, personId: pod.ownerId, workspaceId }))
    assert.strictEqual(procedureData(await reader.query("secretsVault.get", { id })).value, value)
    assertOk(await admin.send("DELETE", `/api/hub/workspaces/${workspaceId}/members/${reader.id}`))
    await join(reader, admin, "viewer")
    assert.strictEqual((await reader.query("secretsVault.get", { id })).status, 404)
    assert.strictEqual((await owner.query("secretsVault.get", { id: ofReader })).status, 404)
    assert.deepStrictEqual(procedureData(await reader.query("secretsVault.sharedWithMe", {})), [])
    assert.deepStrictEqual(procedureData(await owner.query("secretsVault.get", { id })).sharedWith, [])
    assertOk(await owner.mutate("secretsVault.share", { id, personId: reader.id, workspaceId }))
    assert.strictEqual(procedureData(await reader.query("secretsVault.get", { id })).value, value)
    assertOk(await owner.mutate("secretsVault.unshare", { id, personId: reader.id }))
  })

  it("attack: an unrestricted key can read the names of vault entries but never a value, and an agent's key can write nothing in the vault", async () => {
    const { agent, owner, pod } = scene
    const key = await pod.aKey(owner)
    for (const by of [key, agent]) {
      const metadata = procedureData(await by.query("secretsVault.getVaultMetadata", {}))
      assert.deepStrictEqual(
        metadata.entries.map(({ name }: { readonly name: string }) => name),
        ["Mail"]
      )
      assert.notInclude(JSON.stringify(metadata), value)
      for (const name of ["get", "list"]) {
        assertRefused(await by.query(`secretsVault.${name}`, { id }), 403)
      }
      for (const name of ["create", "update", "share", "unshare", "recover"]) {
        assertRefused(await by.mutate(`secretsVault.${name}`, { id }), 403)
      }
    }
    for (const name of ["delete", "recordUnlock", "generateRecoveryKey"]) {
      assertRefused(await agent.mutate(`secretsVault.${name}`, name === "delete" ? { id } : {}), 403)
    }
    assertOk(await key.mutate("secretsVault.recordUnlock", {}))
    const other = procedureData(await owner.mutate("secretsVault.create", { name: "Other", value: "x" }))
    assertOk(await key.mutate("secretsVault.delete", { id: other.id }))
    const types = (await eventsOf(owner)).map(({ type }) => type)
    assert.isFalse(types.includes("vault.recovery"))
  })

  it("attack: a client cannot read or change a vault entry through a proposal or through an event that the client logs", async () => {
    const { agent, owner } = scene
    for (const by of [agent, owner]) {
      for (const action of ["create", "update", "delete"]) {
        const proposal = { targetType: "vault", targetId: id, action, data: { name: "x", value: "x" } }
        const { body, status } = await by.send("POST", "/api/hub/proposals", proposal)
        assert.isAtLeast(status, 400, JSON.stringify(body))
      }
      const forged = await by.mutate("events.publish", { type: "vault.delete", subjectId: id, data: {} })
      assert.isAtLeast(forged.status, 400)
    }
    assert.strictEqual(procedureData(await owner.query("secretsVault.get", { id })).value, value)
  })

  it("attack: the vault refuses an invalid value and an unknown field, and its answer does not repeat the value", async () => {
    const { owner } = scene
    const broken: ReadonlyArray<object> = [
      { value: "" },
      { value: 918_273_645 },
      { value: { nested: "918273645" } },
      { value: `918273645\0` },
      { value: `918273645${"x".repeat(20_000)}` },
      { value: "fine", notes: 918_273_645 },
      { value: "fine", url: "javascript:918273645" },
      { value: "fine", id: uuidv7(), version: 918_273_645 }
    ]
    for (const fields of broken) {
      const { body, status } = await owner.mutate("secretsVault.create", { name: "Broken", ...fields })
      assert.strictEqual(status, 400, JSON.stringify(fields).slice(0, 80))
      if (!("url" in fields)) assert.notInclude(JSON.stringify(body), "918273645")
    }
    const wrong = await owner.mutate("secretsVault.recover", { recoveryKey: 918_273_645 })
    assert.strictEqual(wrong.status, 400)
    assert.notInclude(JSON.stringify(wrong.body), "918273645")
  })

  it("attack: if many changes of one vault entry come at the same moment, the vault stores or refuses each change, and no stored change is lost", async () => {
    const { owner } = scene
    const { id: one } = procedureData(await owner.mutate("secretsVault.create", { name: "Race", value: "0" }))
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => owner.mutate("secretsVault.update", { id: one, value: `value ${at}` }))
    )
    const stored = answers.filter(({ status }) => status === 200).length
    assert.isTrue(answers.every(({ status }) => status === 200 || status === 409))
    assert.strictEqual(procedureData(await owner.query("secretsVault.get", { id: one })).version, 1 + stored)
  })

  it("attack: if a request for a recovery key of a vault is sent again with the same idempotency key, the second answer does not contain the recovery key", async () => {
    const { owner } = scene
    const more = { "idempotency-key": "recovery-key-once" }
    const { recoveryKey } = procedureData(await owner.mutate("secretsVault.generateRecoveryKey", {}, more))
    const again = await owner.mutate("secretsVault.generateRecoveryKey", {}, more)
    assert.notInclude(JSON.stringify(again.body), recoveryKey)
  })
})

// This test needs PostgreSQL, because two pods share one database. The embedded engine does not allow that.
describePostgres("a pod that has lost its encryption key", (server) => {
  it("the vault of a person can be opened with the recovery key of this person, and with no other recovery key", async () => {
    const database = await aDatabaseOn(server)
    const storage = { kind: "postgres", url: database.url } as const
    const first = await aPod(storage)
    const { id } = procedureData(await first.owner.mutate("secretsVault.create", { name: "Mail", value }))
    const former = procedureData(await first.owner.mutate("secretsVault.generateRecoveryKey", {})).recoveryKey
    const { recoveryKey } = procedureData(await first.owner.mutate("secretsVault.generateRecoveryKey", {}))
    assert.notStrictEqual(former, recoveryKey)
    const other = await aPod(storage, {}, { encryptionKey: "another key of the pod, with enough random bits" })
    const { owner } = other
    assert.isTrue(procedureData(await owner.query("secretsVault.hasVault")).isLocked)
    assert.strictEqual((await owner.query("secretsVault.get", { id })).status, 409)
    assert.strictEqual((await owner.mutate("secretsVault.create", { name: "New", value })).status, 409)
    assert.strictEqual((await owner.mutate("secretsVault.generateRecoveryKey", {})).status, 409)
    for (const wrong of [
      former,
      "",
      "pod-00",
      recoveryKey.replace(/.$/, (last: string) => (last === "0" ? "1" : "0"))
    ]) {
      assert.strictEqual((await owner.mutate("secretsVault.recover", { recoveryKey: wrong })).status, 400)
    }
    const written = ` ${recoveryKey.toUpperCase().replaceAll("-", " ")} `
    const state = procedureData(await owner.mutate("secretsVault.recover", { recoveryKey: written }))
    assert.deepStrictEqual(state, { hasVault: true, isLocked: false, hasRecoveryKey: true })
    assert.strictEqual(procedureData(await owner.query("secretsVault.get", { id })).value, value)
    assert.isTrue(procedureData(await first.owner.query("secretsVault.hasVault")).isLocked)
    await other.stop()
    await first.stop()
    await database.drop()
  })
})
