/**
 * Connectors over HTTP: what a probe finds out about the service, where the credential is sent, and who may connect and
 * disconnect.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { anAttackScene, assertOk, assertRefused, procedureData } from "../../attacks/attackScene.ts"
import { aModelStub, type ModelStub, replies } from "../../support/modelStub.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { onOneStorage } from "../../support/storages.ts"

const secret = "token-of-a-service-7319"
const at = "/api/hub/connectors"

onOneStorage("connectors", (storage) => {
  let pod: TestPod
  let service: ModelStub
  let elsewhere: ModelStub
  beforeAll(async () => {
    service = await aModelStub()
    elsewhere = await aModelStub()
    pod = await aPod(storage, { webhookAllow: ["127.0.0.1"] })
  })
  afterAll(async () => {
    await pod.stop()
    await service.stop()
    await elsewhere.stop()
  })

  const anEntry = async (person: Caller, url: string): Promise<string> =>
    procedureData(await person.mutate("secretsVault.create", { name: "Token", value: secret, url })).id
  const connect = async (person: Caller, more: object = {}) =>
    assertOk(await person.send("POST", at, { name: "Tracker", kind: "tracker", baseUrl: service.url, ...more }))
  const probe = async (person: Caller, id: string) => assertOk(await person.send("POST", `${at}/${id}/probe`))

  it("a probe of a connector sends the credential to the outside service and stores the result, and a disconnected connector makes no call", async () => {
    const person = await pod.aPerson()
    const credentialId = await anEntry(person, service.url)
    const { id, status } = await connect(person, { credentialId })
    assert.strictEqual(status, "unknown")
    service.reply(replies.json(200, { ok: true }))
    const probed = await probe(person, id)
    assert.deepInclude(probed, { status: "connected", statusDetail: "The service answered with the HTTP status 200." })
    assert.strictEqual(service.asked()[0].headers.authorization, `Bearer ${secret}`)
    // A second probe directly afterwards returns the result of the first probe.
    assert.deepStrictEqual(await probe(person, id), probed)
    assert.strictEqual(service.asked().length, 1)
    const [state] = procedureData(await person.query("connectors.status", {}))
    assert.deepInclude(state, { id, status: "connected", checkedAt: probed.checkedAt })
    const gone = assertOk(await person.send("POST", `${at}/${id}/disconnect`))
    assert.deepInclude(gone, { status: "disconnected", credentialId: null })
    assert.strictEqual((await probe(person, id)).status, "disconnected")
    assert.strictEqual(service.asked().length, 1)
    assert.strictEqual(procedureData(await person.query("secretsVault.get", { id: credentialId })).value, secret)
    assertOk(await person.send("DELETE", `${at}/${id}`))
    assert.lengthOf(assertOk(await person.send("GET", at)), 0)
  })

  it("many probes of a connector at the same moment send the credential once, and all answer with the result of this call", async () => {
    const person = await pod.aPerson()
    const { id } = await connect(person, { credentialId: await anEntry(person, service.url) })
    service.reply(replies.json(200, { ok: true }))
    const [first, ...others] = await Promise.all(Array.from({ length: 6 }, () => probe(person, id)))
    for (const other of others) assert.deepStrictEqual(other, first)
    assert.strictEqual(first.status, "connected")
    assert.strictEqual(service.asked().length, 1)
  })

  it("a probe with an idempotency key is refused and makes no call, because a transaction must not wait for another server", async () => {
    const person = await pod.aPerson()
    const { id } = await connect(person)
    const before = service.asked().length
    const refused = await person.send("POST", `${at}/${id}/probe`, undefined, { "idempotency-key": "probe-only-once" })
    assert.strictEqual(refused.status, 400)
    assert.include(JSON.stringify(refused.body), "Idempotency-Key")
    assert.strictEqual(service.asked().length, before)
  })

  it("the status of a connector says whether the service refuses the credential, fails or cannot be reached, and whether the credential is missing", async () => {
    const person = await pod.aPerson()
    const cases = [
      [replies.refusing(401), "unauthorized"],
      [replies.refusing(500), "failing"],
      [replies.cutting, "connected"]
    ] as const
    for (const [reply, status] of cases) {
      const { id } = await connect(person)
      service.reply(reply)
      assert.strictEqual((await probe(person, id)).status, status)
    }
    const closed = await aModelStub()
    await closed.stop()
    const { id } = await connect(person, { baseUrl: closed.url })
    assert.strictEqual((await probe(person, id)).status, "unreachable")
    const credentialId = await anEntry(person, service.url)
    const without = await connect(person, { credentialId })
    assertOk(await person.mutate("secretsVault.delete", { id: credentialId }))
    assert.strictEqual((await probe(person, without.id)).status, "credential_missing")
  })

  it("attack: a connector sends a credential from the vault only to the host in the vault entry, even after a redirect or a change of the connector, and never uses another person's vault entry", async () => {
    const person = await pod.aPerson()
    const other = await pod.aPerson()
    const key = await pod.aKey(person)
    const credentialId = await anEntry(person, service.url)
    const draft = { name: "x", kind: "x", baseUrl: elsewhere.url, credentialId }
    for (const by of [person, key]) assertRefused(await by.send("POST", at, draft), 400)
    assertRefused(await other.send("POST", at, { ...draft, baseUrl: service.url }), 400)
    const { id } = await connect(person, { credentialId })
    for (const by of [person, key]) {
      assertRefused(await by.send("PATCH", `${at}/${id}`, { baseUrl: elsewhere.url }), 400)
    }
    service.reply((response) => void response.writeHead(307, { location: elsewhere.url }).end())
    elsewhere.reply(replies.json(200, {}))
    assert.strictEqual((await probe(key, id)).status, "failing")
    // The person changes the host of the vault entry. The connector then no longer gets the value of the entry.
    assertOk(await person.mutate("secretsVault.update", { id: credentialId, url: elsewhere.url }))
    const { id: later } = await connect(person, { baseUrl: elsewhere.url, credentialId })
    assertOk(await person.mutate("secretsVault.update", { id: credentialId, url: service.url }))
    assert.strictEqual((await probe(person, later)).status, "credential_missing")
    assert.strictEqual(elsewhere.asked().length, 0)
    for (const baseUrl of ["http://10.1.2.3/", "http://169.254.169.254/", "ftp://example.com/", "http://0x7f.1.1.1/"]) {
      assertRefused(await person.send("POST", at, { name: "x", kind: "x", baseUrl }), 400)
    }
  })

  it("attack: another person, an agent and a key with a narrow grant can neither use nor change a connector", async () => {
    const scene = await anAttackScene({ kind: "memory" })
    const { agent, owner, pod: own, victim, workspaceId } = scene
    const draft = { name: "Tracker", kind: "tracker", baseUrl: "https://tracker.example.com" }
    const { id } = assertOk(await owner.send("POST", at, draft))
    const calls = (by: Caller) => [
      by.send("POST", at, draft),
      by.send("PATCH", `${at}/${id}`, { name: "Theirs" }),
      by.send("POST", `${at}/${id}/probe`),
      by.send("POST", `${at}/${id}/disconnect`),
      by.send("DELETE", `${at}/${id}`)
    ]
    const narrow = [
      await own.aKey(owner, { grant: { permissions: ["connector"] } }),
      await own.aKey(owner, { grant: { permissions: ["*"], workspaceIds: [workspaceId] } }),
      agent
    ]
    for (const by of narrow) for (const answer of await Promise.all(calls(by))) assertRefused(answer, 403)
    for (const by of narrow.slice(0, 2)) {
      assertRefused(await by.send("GET", at), 403)
      assert.strictEqual((await by.query("connectors.status", {})).status, 403)
    }
    for (const answer of (await Promise.all(calls(victim))).slice(1)) assertRefused(answer, 404)
    assert.strictEqual(assertOk(await owner.send("GET", at))[0].version, 1)
    await own.stop()
  })
})
