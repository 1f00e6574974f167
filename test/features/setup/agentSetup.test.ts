/** Tests the setup of agents and services over HTTP: which credentials can do it, and what a repeated setup changes. */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { Option, Redacted } from "effect"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aMoment } from "../../support/aMoment.ts"
import { anIssuer, claimsOf, signedBy, type TestIssuer } from "../../support/issuer.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { onOneStorage } from "../../support/storages.ts"

const audience = "https://pod.example.com"
const token = "a provisioning token of a test".replaceAll(" ", "-") + "-0123456789"
const agentPath = "/api/hub/setup/agent"
const servicePath = "/api/hub/setup/service"

onOneStorage("setting up agents", (storage) => {
  let pod: TestPod
  let issuer: TestIssuer
  let operated: TestIssuer

  const bearer = (secret: string) => pod.as({ authorization: `Bearer ${secret}` })
  const assertion = (by: TestIssuer, more: object = {}, key = by.privateKey) =>
    signedBy(claimsOf(by.url, audience, { type: "agent_setup", ...more }), key)
  const setUp = async (caller: Caller, body: object) => {
    const answer = await caller.send("POST", agentPath, body)
    assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }
  const statusWith = async (key: string) => (await bearer(key).send("GET", "/api/hub/users/me")).status

  beforeAll(async () => {
    ;[issuer, operated] = [await anIssuer(), await anIssuer()]
    pod = await aPod(storage, {
      provisioningToken: Option.some(Redacted.make(token)),
      oidcIssuers: [operated.url],
      oidcAudience: Option.some(audience),
      webhookAllow: ["127.0.0.1"]
    })
  })
  afterAll(async () => {
    await pod?.stop()
    for (const each of [issuer, operated]) await each?.stop()
  })

  it("a caller without a credential, a signed-in person, a caller with a wrong token and a key without the needed scope cannot set up an agent or a service", async () => {
    const key = await pod.aKey(pod.owner)
    for (const path of [agentPath, servicePath]) {
      const body = path === agentPath ? {} : { workspaceId: uuidv7() }
      for (const caller of [pod.stranger, pod.owner, bearer("wrong"), bearer(`${token}x`)]) {
        const answer = await caller.send("POST", path, body)
        assert.strictEqual(answer.status, 401, JSON.stringify(answer.body))
      }
      const { body: refusal, status } = await key.send("POST", path, body)
      assert.deepStrictEqual([status, refusal.code, refusal.required], [403, "SCOPE_MISSING", ["setup.agent"]])
      assert.isString(refusal.decisionId)
    }
    const { body } = await pod.owner.query("agents.list")
    assert.deepStrictEqual(body.result.data, [])
  })

  it("the provisioning token sets up one agent of each type for the owner, and a second setup of the same agent revokes the key from the first setup", async () => {
    const workspaceId = await pod.aWorkspace(pod.owner)
    const body = { agentType: "researcher", workspaceId, definition: { name: "Research helper", model: "any" } }
    const first = await setUp(bearer(token), body)
    assert.deepInclude(first.registration, {
      agentType: "researcher",
      name: "Research helper",
      isNew: true,
      ownerUserId: pod.ownerId
    })
    assert.strictEqual(first.workspaceId, workspaceId)
    const me = await bearer(first.hubApiKey).send("GET", "/api/hub/users/me")
    assert.deepInclude(me.body, { id: pod.ownerId, agentId: first.agentUserId })
    assert.sameMembers(me.body.scopes, [
      "hub-protocol.read",
      "hub-protocol.write",
      "mcp.read",
      "mcp.write",
      "realtime:observe"
    ])
    const second = await setUp(bearer(token), body)
    assert.strictEqual(second.agentUserId, first.agentUserId)
    assert.deepInclude(second.registration, { isNew: false, revokedKeys: 1 })
    assert.deepStrictEqual([await statusWith(first.hubApiKey), await statusWith(second.hubApiKey)], [401, 200])
    const written = await bearer(second.hubApiKey).send("POST", "/api/hub/entities", {
      title: "found",
      profileSlug: "note",
      workspaceId
    })
    assert.deepStrictEqual([written.status, written.body.status], [200, "proposed"])
    const { body: agents } = await pod.owner.query("agents.list")
    assert.strictEqual(
      agents.result.data.filter((each: { agentType: string }) => each.agentType === "researcher").length,
      1
    )
  })

  it("many setups of one agent at the same moment create one agent and leave one valid key", async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => bearer(token).send("POST", agentPath, { agentType: "crowd" }))
    )
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200, 200]
    )
    assert.strictEqual(new Set(answers.map(({ body }) => body.agentUserId)).size, 1)
    const statuses = await Promise.all(answers.map(({ body }) => statusWith(body.hubApiKey)))
    assert.strictEqual(statuses.filter((status) => status === 200).length, 1)
  })

  it("if a person has suspended an agent, a setup of this agent gives no new key, and a setup keeps the capabilities that the person has set", async () => {
    const made = await setUp(bearer(token), { agentType: "narrowed" })
    await pod.owner.mutate("agents.update", {
      agentId: made.agentUserId,
      capabilities: ["entity.note"],
      isSuspended: true
    })
    const refused = await bearer(token).send("POST", agentPath, { agentType: "narrowed" })
    assert.deepStrictEqual([refused.status, refused.body.code], [403, "AGENT_FORBIDDEN"])
    await pod.owner.mutate("agents.update", { agentId: made.agentUserId, isSuspended: false })
    await setUp(bearer(token), { agentType: "narrowed", definition: { capabilities: ["*"] } })
    const { body } = await pod.owner.query("agents.list")
    const agent = body.result.data.find(({ id }: { id: string }) => id === made.agentUserId)
    assert.deepStrictEqual(agent.capabilities, ["entity.note"])
  })

  it("the setup of an agent or a service answers 404 if the workspace is missing or the person who owns the calling key is not a member", async () => {
    const foreign = await pod.aPerson()
    const theirs = await pod.aWorkspace(foreign)
    for (const workspaceId of [uuidv7(), theirs, pod.ownerId]) {
      for (const path of [agentPath, servicePath]) {
        const answer = await bearer(token).send("POST", path, { workspaceId })
        assert.strictEqual(answer.status, 404, JSON.stringify(answer.body))
      }
    }
  })

  it("a key with the setup scope sets up an agent of the person who owns the key, unless the grant of the key has limits", async () => {
    const person = await pod.aPerson()
    const wide = await pod.aKey(person, { scope: ["setup.agent"] })
    const made = await setUp(wide, { agentType: "researcher" })
    assert.strictEqual(made.registration.ownerUserId, person.id)
    const { body } = await person.query("apiKeys.list")
    const key = body.result.data.find(({ id }: { id: string }) => id === made.keyId)
    assert.deepStrictEqual([key.heldByAgent, key.holderId], [true, made.agentUserId])
    const workspaceId = await pod.aWorkspace(person)
    for (const limits of [
      { grant: { permissions: ["entity", "agent"] } },
      { grant: { permissions: ["*"], workspaceIds: [workspaceId] } },
      { workspaceId }
    ]) {
      const narrow = await pod.aKey(person, { scope: ["setup.agent"], ...limits })
      const refused = await narrow.send("POST", agentPath, { agentType: "third" })
      assert.deepStrictEqual([refused.status, refused.body.code], [403, "GRANT_DOOR_UNSUPPORTED"])
    }
  })

  it("the key of an agent or a service that was set up with another key expires no later than this other key", async () => {
    const workspaceId = await pod.aWorkspace(pod.owner)
    const short = await pod.aKey(pod.owner, { scope: ["setup.agent"], expiresInDays: 2 })
    const { body } = await pod.owner.query("apiKeys.list")
    const { expiresAt } = body.result.data.find(({ id }: { id: string }) => id === short.id)
    assert.strictEqual((await setUp(short, { agentType: "short-lived" })).registration.expiresAt, expiresAt)
    const aService = async (expiresInDays: number | null | undefined) =>
      (await short.send("POST", servicePath, { workspaceId, expiresInDays })).body
    for (const days of [undefined, null, 3]) assert.strictEqual((await aService(days)).expiresAt, expiresAt)
    assert.isBelow(Date.parse((await aService(1)).expiresAt), Date.parse(expiresAt))
    const lasting = await pod.aKey(pod.owner, { scope: ["setup.agent"], expiresInDays: null })
    const made = await lasting.send("POST", servicePath, { workspaceId, expiresInDays: null })
    assert.isNull(made.body.expiresAt)
  })

  it("the key of an agent cannot set up an agent or a service, even with the setup scope, and a setup with a revoked key answers 401", async () => {
    const { body } = await pod.owner.mutate("agents.create", { name: "climber", capabilities: ["*"] })
    const agentKey = await pod.aKey(pod.owner, { agentId: body.result.data.id, scope: ["setup.agent"] })
    for (const path of [agentPath, servicePath]) {
      const answer = await agentKey.send("POST", path, path === agentPath ? {} : { workspaceId: uuidv7() })
      assert.deepStrictEqual([answer.status, answer.body.code], [403, "PEOPLE_ONLY"])
    }
    const key = await pod.aKey(pod.owner, { scope: ["setup.agent"] })
    await setUp(key, { agentType: "revoked-later" })
    await pod.owner.mutate("apiKeys.revoke", { keyId: key.id })
    assert.strictEqual((await key.send("POST", agentPath, {})).status, 401)
  })

  it("a setup with an assertion of an unknown issuer waits until the owner approves the issuer, and the pod does not call the issuer before the approval", async () => {
    const waits = await bearer(await assertion(issuer)).send("POST", agentPath, {})
    assert.deepInclude(waits.body, { code: "ISSUER_PENDING_APPROVAL", issuerUrl: issuer.url })
    assert.strictEqual(waits.status, 202)
    const again = await bearer(await assertion(issuer)).send("POST", agentPath, {})
    assert.deepStrictEqual([again.status, again.body.pendingId], [202, waits.body.pendingId])
    assert.strictEqual(issuer.requests(), 0)

    const poll = () => pod.stranger.send("GET", `/api/hub/setup/agent/pending/${waits.body.pendingId}`)
    assert.strictEqual((await poll()).body.status, "pending")
    const approve = `/api/hub/setup/issuers/${waits.body.pendingId}/approve`
    const person = await pod.aPerson()
    const key = await pod.aKey(pod.owner)
    assert.strictEqual((await person.send("POST", approve)).status, 403)
    assert.strictEqual((await key.send("POST", approve)).status, 403)
    assert.strictEqual((await person.send("GET", "/api/hub/setup/issuers")).status, 403)
    const listed = await pod.owner.send("GET", "/api/hub/setup/issuers?status=pending")
    assert.deepStrictEqual(
      listed.body.map(({ issuerUrl }: { issuerUrl: string }) => issuerUrl),
      [issuer.url]
    )

    assert.strictEqual((await pod.owner.send("POST", approve)).status, 200)
    assert.strictEqual((await poll()).body.status, "approved")
    const used = await assertion(issuer)
    const made = await setUp(bearer(used), { agentType: "from-issuer" })
    assert.strictEqual(made.registration.ownerUserId, pod.ownerId)
    const replayed = await bearer(used).send("POST", agentPath, { agentType: "from-issuer" })
    assert.strictEqual(replayed.status, 401)
    assert.strictEqual(await statusWith(made.hubApiKey), 200)

    await pod.owner.send("POST", approve.replace(/approve$/, "reject"))
    const rejected = await bearer(await assertion(issuer)).send("POST", agentPath, {})
    assert.deepStrictEqual([rejected.status, rejected.body.code], [403, "ISSUER_REJECTED"])
  })

  it("attack: an issuer that answers the pod only after the owner has rejected the issuer sets up no agent", async () => {
    const slow = await anIssuer()
    const { pendingId } = (await bearer(await assertion(slow)).send("POST", agentPath, {})).body
    const decide = (decision: string) => pod.owner.send("POST", `/api/hub/setup/issuers/${pendingId}/${decision}`)
    assert.strictEqual((await decide("approve")).status, 200)
    const answer = slow.hold()
    const setup = bearer(await assertion(slow)).send("POST", agentPath, { agentType: "from-slow-issuer" })
    while (slow.requests() === 0) await aMoment()
    assert.strictEqual((await decide("reject")).status, 200)
    answer()
    const { body, status } = await setup
    assert.deepStrictEqual([status, body.code], [403, "ISSUER_REJECTED"], JSON.stringify(body))
    const agents: ReadonlyArray<{ readonly agentType: string }> = (await pod.owner.query("agents.list")).body.result
      .data
    assert.notInclude(
      agents.map(({ agentType }) => agentType),
      "from-slow-issuer"
    )
    await slow.stop()
  })

  it("a setup is refused if its assertion has the wrong type, audience or signing key, an invalid issuer URL, or an expiry that is too late", async () => {
    const refused = async (text: string) => {
      const answer = await bearer(text).send("POST", agentPath, {})
      assert.strictEqual(answer.status, 401, JSON.stringify(answer.body))
      assert.notInclude(JSON.stringify(answer.body), text)
    }
    await setUp(bearer(await assertion(operated, { type: "addon_activate" })), { agentType: "addon" })
    await refused(await assertion(operated, { type: "federated_assertion" }))
    await refused(await assertion(operated, { aud: "https://other.example.com" }))
    await refused(await assertion(operated, {}, issuer.privateKey))
    await refused(await assertion(operated, { exp: Math.floor(Date.now() / 1000) + 3600 }))
    await refused(await assertion({ ...operated, url: "https://user:secret@id.example.com" }))
    await refused(await assertion({ ...operated, url: "http://elsewhere.example.com" }))
    await refused("not.a.token")
  })

  it("the setup of a service makes a key with the read scope for one workspace, and never a key with a scope for setups, administration or providers", async () => {
    const workspaceId = await pod.aWorkspace(pod.owner)
    const made = await bearer(token).send("POST", servicePath, { workspaceId, name: "export" })
    assert.deepStrictEqual([made.status, made.body.scope], [200, ["hub-protocol.read"]], JSON.stringify(made.body))
    const status = await bearer(made.body.hubApiKey).send("GET", "/api/hub/auth/status")
    assert.deepInclude(status.body, { keyType: "service", workspaceId, userId: pod.ownerId })
    const other = await pod.aWorkspace(pod.owner)
    const outside = await bearer(made.body.hubApiKey).send("GET", `/api/hub/entities?workspaceId=${other}`)
    assert.strictEqual(outside.status, 403)
    for (const scope of ["setup.agent", "hub-protocol.admin", "providers.write"]) {
      assert.strictEqual((await bearer(token).send("POST", servicePath, { workspaceId, scope: [scope] })).status, 400)
    }
    const person = await pod.aPerson()
    const key = await pod.aKey(person, { scope: ["setup.agent"] })
    const theirs = await pod.aWorkspace(person)
    const refused = await key.send("POST", servicePath, { workspaceId: theirs })
    assert.deepStrictEqual([refused.status, refused.body.code], [403, "OWNER_ONLY"])
  })
})
