/**
 * A step in the creation of a workspace failed: what the pod reports about this workspace, and how it continues the
 * creation.
 */
import { SqlClient } from "@effect/sql"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, LogLevel } from "effect"
import { MemberStore } from "../../../src/features/workspaces/MemberStore.ts"
import { ProvisioningStore } from "../../../src/features/workspaces/ProvisioningStore.ts"
import { anEmbedded } from "../../support/pgliteImage.ts"
import { asOwner } from "../../support/stores.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"

/**
 * Makes a function that runs the statement with a database client. The tests run this function as the owner of the
 * tables.
 */
const sql =
  (text: TemplateStringsArray) =>
  (client: SqlClient.SqlClient): Effect.Effect<unknown, unknown> =>
    client.unsafe(text.join(""))

/** The failures in these tests are intended, so nothing is logged. */
const silence = Logger.minimumLogLevel(LogLevel.None)

/** True for each step that fails at present. `tried` counts how often each step was tried. */
const broken = { membership: false, profiles: false }
const tried = { membership: 0, profiles: 0 }

const dyingAt = (step: keyof typeof broken) =>
  Effect.suspend(() => {
    tried[step] += 1
    return broken[step] ? Effect.dieMessage(`secret words about ${step}`) : Effect.void
  })

const adapters = Layer.mergeAll(
  Layer.effect(
    MemberStore,
    Effect.map(MemberStore, (store) => ({
      ...store,
      enroll: (...args: Parameters<typeof store.enroll>) =>
        Effect.zipRight(dyingAt("membership"), store.enroll(...args))
    }))
  ),
  Layer.effect(
    ProvisioningStore,
    Effect.map(ProvisioningStore, (store) => ({
      ...store,
      addProfiles: (...args: Parameters<typeof store.addProfiles>) =>
        Effect.zipRight(dyingAt("profiles"), store.addProfiles(...args))
    }))
  )
)

describe("a workspace with a failed provisioning step", () => {
  let pod: TestPod
  let agentId: string
  beforeAll(async () => {
    pod = await aPod({ kind: "memory" }, {}, { adapters, logging: silence })
  })
  afterAll(() => pod?.stop())
  beforeEach(async () => {
    Object.assign(broken, { membership: false, profiles: false })
    Object.assign(tried, { membership: 0, profiles: 0 })
    const made = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
    agentId = made.body.result.data.id
  })

  const make = (body: object) => pod.owner.send("POST", "/api/hub/workspaces/from-definition", body)
  const provision = () => pod.owner.send("POST", "/api/hub/workspaces/provision-agent", { agentUserId: agentId })
  const read = async (id: string) => (await pod.owner.send("GET", `/api/hub/workspaces/${id}`)).body
  const retry = (id: string, caller: Caller = pod.owner) =>
    caller.send("POST", `/api/hub/workspaces/${id}/retry-provisioning`)
  const profiles = [{ slug: "lead", displayName: "Lead" }]

  it("a workspace whose provisioning failed shows the failed step and a reason without internal details", async () => {
    broken.profiles = true
    const { body, status } = await make({ profiles })
    assert.deepStrictEqual([status, body.created], [200, true])
    const workspace = await read(body.workspaceId)
    assert.deepInclude(workspace, { provisioningStatus: "failed", failedStep: "profiles" })
    assert.notInclude(workspace.failedStepError, "secret")
    const listed = (await pod.owner.send("GET", "/api/hub/workspaces")).body.workspaces
    const row = listed.find(({ id }: { id: string }) => id === body.workspaceId)
    assert.deepInclude(row, { provisioningStatus: "failed", failedStep: "profiles" })
  })

  it("only a person who may change a workspace can retry its failed provisioning, which continues at the failed step until the workspace is ready", async () => {
    broken.membership = true
    const { workspaceId } = (await provision()).body
    assert.deepInclude(await read(workspaceId), { provisioningStatus: "failed", failedStep: "membership" })
    const stranger = await pod.aPerson()
    assert.strictEqual((await retry(workspaceId, stranger)).status, 403)
    assert.strictEqual((await retry(workspaceId, await pod.aKey(pod.owner, { agentId }))).status, 403)
    const still = await retry(workspaceId)
    assert.deepInclude(still.body, { provisioningStatus: "failed", failedStep: "membership" })
    broken.membership = false
    const { body, status } = await retry(workspaceId)
    assert.strictEqual(status, 200)
    assert.strictEqual(body.provisioningStatus, "ready")
    assert.notProperty(body, "failedStep")
    assert.notProperty(body, "failedStepError")
    assert.isTrue(body.members.some(({ userId }: { userId: string }) => userId === agentId))
  })

  it("a repeated request to create a workspace whose provisioning failed continues the provisioning until the workspace is ready", async () => {
    broken.membership = true
    const { workspaceId } = (await provision()).body
    broken.membership = false
    assert.deepStrictEqual((await provision()).body, { workspaceId, created: false })
    assert.strictEqual((await read(workspaceId)).provisioningStatus, "ready")
    broken.profiles = true
    const made = await make({ profiles, proposalId: "again" })
    broken.profiles = false
    const again = await make({ profiles, proposalId: "again" })
    assert.deepStrictEqual(again.body, { workspaceId: made.body.workspaceId, created: false })
    assert.strictEqual((await read(made.body.workspaceId)).provisioningStatus, "ready")
  })

  it("when the provisioning of a workspace is retried, finished steps do not run again, and if the workspace is ready, no step runs", async () => {
    broken.profiles = true
    const { workspaceId } = (await make({ profiles })).body
    broken.profiles = false
    await retry(workspaceId)
    assert.strictEqual(tried.profiles, 2)
    const ready = await retry(workspaceId)
    assert.deepStrictEqual([ready.status, ready.body.provisioningStatus], [200, "ready"])
    assert.strictEqual(tried.profiles, 2)
  })
})

describe("a workspace with a provisioning step that the database refuses", () => {
  let pod: TestPod
  beforeAll(async () => {
    pod = await aPod({ kind: "pglite", open: anEmbedded }, {}, { logging: silence })
    await asSql(sql`ALTER TABLE profiles ADD CONSTRAINT no_lead CHECK (slug <> 'lead') NOT VALID`)
  })
  afterAll(() => pod?.stop())

  const asSql = (statement: (client: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
    pod.run(Effect.flatMap(SqlClient.SqlClient, (client) => asOwner(Effect.orDie(statement(client)))))
  const made = { workspaceName: "Leads", profiles: [{ slug: "lead", displayName: "Lead" }] }
  const fromDefinition = "/api/hub/workspaces/from-definition"
  const read = async (id: string) => (await pod.owner.send("GET", `/api/hub/workspaces/${id}`)).body

  it("if a provisioning step fails in the database, the finished steps remain stored, even for a request with an idempotency key, and a retry finishes the other steps", async () => {
    const keyed = { "idempotency-key": "leads-01" }
    const answers = [
      await pod.owner.send("POST", fromDefinition, made),
      await pod.owner.send("POST", fromDefinition, made, keyed)
    ]
    for (const { body, status } of answers) {
      assert.strictEqual(status, 200, JSON.stringify(body))
      const workspace = await read(body.workspaceId)
      assert.deepInclude(workspace, { provisioningStatus: "failed", failedStep: "profiles" })
      assert.notInclude(workspace.failedStepError, "no_lead")
    }
    await asSql(sql`ALTER TABLE profiles DROP CONSTRAINT no_lead`)
    for (const { body } of answers) {
      const { body: ready } = await pod.owner.send("POST", `/api/hub/workspaces/${body.workspaceId}/retry-provisioning`)
      assert.strictEqual(ready.provisioningStatus, "ready", JSON.stringify(ready))
    }
    await asSql(sql`ALTER TABLE profiles ADD CONSTRAINT no_lead CHECK (slug <> 'lead') NOT VALID`)
  })

  it("if a person approves a workspace that the pod cannot complete, nothing is created, and the proposal remains pending", async () => {
    const agent = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
    const key = await pod.aKey(pod.owner, { agentId: agent.body.result.data.id })
    const asked = await key.send("POST", fromDefinition, made)
    const path = `/api/hub/proposals/${asked.body.proposalId}`
    const before = (await pod.owner.send("GET", "/api/hub/workspaces")).body.workspaces.length
    assert.strictEqual((await pod.owner.send("POST", `${path}/approve`, {})).status, 500)
    assert.strictEqual((await pod.owner.send("GET", "/api/hub/workspaces")).body.workspaces.length, before)
    assert.strictEqual((await pod.owner.send("GET", path)).body.status, "pending")
    await asSql(sql`ALTER TABLE profiles DROP CONSTRAINT no_lead`)
    assert.strictEqual((await pod.owner.send("POST", `${path}/approve`, {})).status, 200)
    assert.strictEqual((await read(asked.body.proposedId)).provisioningStatus, "ready")
  })
})
