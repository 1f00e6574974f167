/** Attacks: many simultaneous calls try to exceed a limit, or to create a record twice that must exist once. */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { WebhookSettings } from "../../src/features/webhooks/WebhookSettings.ts"
import { type QuotaName, quotas } from "../../src/features/gate/Quota.ts"
import { aPod, type Answer, type Caller, type TestPod } from "../support/pod.ts"
import { connected } from "../support/postgresServer.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../support/postgres.ts"
import { mcp } from "../doors/surfaces.ts"
import { assertOk, procedureData } from "./attackScene.ts"
import { fillUp } from "./fullQuota.ts"

const callers = [0, 1, 2, 3, 4, 5, 6, 7]
const waitingMax = 5

describePostgres("attacks: simultaneous calls against limits", (server) => {
  let pod: TestPod
  let database: TestDatabase
  let key: Caller
  beforeAll(async () => {
    database = await aDatabaseOn(server)
    const webhooks = { ...WebhookSettings.standard(["127.0.0.1"]), waitingMax }
    pod = await aPod({ kind: "postgres", url: database.url }, {}, { webhooks })
    key = await pod.aKey(pod.owner)
  }, 60_000)
  afterAll(async () => {
    await pod?.stop()
    await database?.drop()
  })

  const rows = <R extends object>(text: string, values: ReadonlyArray<unknown> = []) =>
    connected(database.url, async (client) => (await client.query<R>(text, [...values])).rows)
  const countOf = async (from: string, values: ReadonlyArray<unknown> = []) =>
    (await rows<{ readonly count: number }>(`SELECT count(*)::integer AS count FROM ${from}`, values))[0].count
  /** The types of the events in the log of a space, oldest first. */
  const eventTypesIn = async (spaceId: string) => {
    const found = await rows<{ readonly type: string }>("SELECT type FROM events WHERE space_id = $1 ORDER BY seq", [
      spaceId
    ])
    return found.map(({ type }) => type)
  }
  const together = (send: (caller: number) => Promise<Answer>) => Promise.all(callers.map(send))
  const tool = async (name: string, input: object) => {
    const { message, status } = await mcp(key, "tools/call", { name, arguments: input })
    assert.strictEqual(status, 200)
    assert.isUndefined(message.result?.isError, JSON.stringify(message))
    return message.result?.structuredContent as Readonly<Record<string, any>>
  }

  it("if several calls add entries to an almost full vault at the same moment, the vault gets no more entries than its limit", async () => {
    procedureData(await pod.owner.mutate("secretsVault.create", { name: "First", value: "first value" }))
    await rows(
      `INSERT INTO vault_entries (id, person_id, space_id, name, sealed_value, value_hash, strength_bits)
       SELECT gen_random_uuid(), person_id, space_id, 'More', sealed_value, value_hash, strength_bits
       FROM vault_entries, generate_series(1, $1)`,
      [quotas.vault_entry.max - 4]
    )
    const answers = await together((at) => pod.owner.mutate("secretsVault.create", { name: `Entry ${at}`, value: "v" }))
    for (const { body, status } of answers) assert.include([200, 403], status, JSON.stringify(body))
    assert.strictEqual(await countOf("vault_entries"), quotas.vault_entry.max)
    assert.lengthOf(
      answers.filter(({ status }) => status === 200),
      3
    )
    assert.strictEqual(await countOf("events WHERE type = 'vault.create'"), 4)
  })

  const assertOneAdded = (name: QuotaName, answers: ReadonlyArray<Answer>, refusal: (answer: Answer) => any) => {
    const refused = answers.filter(({ status }) => status !== 200)
    assert.lengthOf(refused, callers.length - 1)
    for (const answer of refused) {
      assert.strictEqual(answer.status, 403)
      const { code, details, message } = refusal(answer)
      assert.strictEqual(code, "QUOTA_REACHED", JSON.stringify(answer.body))
      assert.deepStrictEqual(details, { limit: quotas[name].max })
      assert.include(message, `at most ${quotas[name].max}`)
    }
  }

  it("if several calls create records at the same moment and the quota of their person has room for one, the pod creates one and refuses the others with the number of the quota", async () => {
    const draft = (name: string) => ({ name, url: "http://127.0.0.1:9/", eventTypes: ["track.create"], active: false })
    const person = await pod.aPerson("webhooks@example.com")
    const first = procedureData(await person.mutate("webhooks.create", draft("First"))).subscription
    await fillUp(database.url, "webhook", `archived_at IS NULL AND user_id = '${person.id}'`, {
      id: "gen_random_uuid()"
    })
    const answers = await together((at) => person.mutate("webhooks.create", draft(`Webhook ${at}`)))
    assertOneAdded("webhook", answers, ({ body: { error } }) => ({
      code: error.data.reason,
      details: { limit: error.data.limit },
      message: error.message
    }))
    procedureData(await person.mutate("webhooks.update", { id: first.id, name: "Changed" }))
    procedureData(await person.mutate("webhooks.delete", { id: first.id }))
    procedureData(await person.mutate("webhooks.create", draft("Again")))
    const other = await pod.aPerson("other@example.com")
    procedureData(await other.mutate("webhooks.create", draft("Of another person")))
  })

  it("an agent for which as many proposals wait as the quota allows gets a refusal for its further writes, and its person can still decide", async () => {
    const agentId = procedureData(await pod.owner.mutate("agents.create", { name: "Flood", capabilities: ["*"] })).id
    const agent = await pod.aKey(pod.owner, { agentId })
    const propose = (title: string) => agent.send("POST", "/api/hub/entities", { title, profileSlug: "note" })
    const { proposalId } = assertOk(await propose("First"))
    await fillUp(database.url, "proposal", `status = 'pending' AND actor_id = '${agentId}'`, {
      id: "gen_random_uuid()"
    })
    const answers = await together((at) => propose(`Proposal ${at}`))
    assertOneAdded("proposal", answers, ({ body }) => ({
      code: body.code,
      details: { limit: body.limit },
      message: body.error
    }))
    assertOk(await pod.owner.send("POST", `/api/hub/proposals/${proposalId}/approve`, {}))
    assert.strictEqual(assertOk(await propose("Again")).status, "proposed")
  })

  it("an approval for which the quota of the person has no room is refused and leaves the proposal waiting, and it succeeds when there is room again", async () => {
    const person = await pod.aPerson("tracks@example.com")
    const track = (title: string) => ({ name: title })
    const create = (by: Caller, title: string) => by.send("POST", "/api/hub/tracks", track(title))
    const agentId = procedureData(await person.mutate("agents.create", { name: "Tracker", capabilities: ["*"] })).id
    const first = assertOk(await create(person, "First"))
    const { proposalId } = assertOk(await create(await pod.aKey(person, { agentId }), "Proposed"))
    await fillUp(database.url, "track", `archived_at IS NULL AND user_id = '${person.id}'`, { id: "gen_random_uuid()" })
    assertOk(await create(person, "Last"))
    const path = `/api/hub/proposals/${proposalId}`
    const refused = await person.send("POST", `${path}/approve`, {})
    assert.deepStrictEqual([refused.status, refused.body.code], [403, "QUOTA_REACHED"], JSON.stringify(refused.body))
    assert.strictEqual(assertOk(await person.send("GET", path)).status, "pending")
    assert.strictEqual(await countOf("tracks WHERE user_id = $1", [person.id]), quotas.track.max)
    assertOk(await person.send("DELETE", `/api/hub/tracks/${first.id}`))
    assertOk(await person.send("POST", `${path}/approve`, {}))
    assert.strictEqual(assertOk(await person.send("GET", path)).status, "approved")
  })

  it("a person who has as many keys as the quota allows gets no further key until a key is revoked", async () => {
    const request = { keyName: "Key", scope: ["hub-protocol.read"], grant: { permissions: ["*"] } }
    const person = await pod.aPerson("keys@example.com")
    const create = () => person.mutate("apiKeys.create", request)
    const first = procedureData(await create())
    await fillUp(database.url, "api_key", `revoked_at IS NULL AND person_id = '${person.id}'`, {
      id: "gen_random_uuid()",
      key_hash: "decode(replace(gen_random_uuid()::text, '-', ''), 'hex')"
    })
    const answers = await together(create)
    assert.lengthOf(
      answers.filter(({ status }) => status === 200),
      1
    )
    for (const { status } of answers) assert.include([200, 403], status)
    procedureData(await person.mutate("apiKeys.revoke", { keyId: first.id }))
    procedureData(await create())
  })

  it("if several calls recover the failed deliveries of a webhook at the same moment, the number of waiting deliveries stays within the limit", async () => {
    const draft = { name: "Calls", url: "http://127.0.0.1:9/", eventTypes: ["track.create"], active: false }
    const { subscription } = procedureData(await pod.owner.mutate("webhooks.create", draft))
    await rows(
      `INSERT INTO webhook_deliveries (id, space_id, person_id, webhook_id, home_id, event_id, event_type, seq, subject_id,
         is_test, status, ended_at)
       SELECT gen_random_uuid(), $1, $1, $2, $1, gen_random_uuid(), 'track.create', n, gen_random_uuid(), false, 'failed', now()
       FROM generate_series(1, 40) n`,
      [pod.ownerId, subscription.id]
    )
    const since = new Date(Date.now() - 3_600_000).toISOString()
    const answers = await together(() => pod.owner.mutate("webhooks.recover", { id: subscription.id, since }))
    const recovered = answers.map((answer) => procedureData(answer).count as number)
    assert.strictEqual(
      recovered.reduce((sum, each) => sum + each, 0),
      waitingMax
    )
  })

  it("if several calls of a tool create the same document at the same moment, the pod creates one document", async () => {
    for (const round of [0, 1, 2, 3]) {
      const draft = { title: `Notes ${round}`, content: "The same text." }
      const answers = await Promise.all(callers.map(() => tool("svc_create_document", draft)))
      const documents = await rows<{ readonly id: string }>("SELECT id FROM documents WHERE title = $1", [draft.title])
      assert.lengthOf(documents, 1)
      assert.deepStrictEqual(
        [...new Set(answers.map(({ document }) => document.id))],
        documents.map(({ id }) => id)
      )
      assert.lengthOf(
        answers.filter(({ isKnown }) => !isKnown),
        1
      )
      assert.strictEqual(
        await countOf("events WHERE type = 'document.create' AND subject_id = $1", [documents[0].id]),
        1
      )
    }
  })

  it("if several calls of a tool store the same text file at the same moment, the pod creates one document", async () => {
    const file = { filename: "same.md", mimeType: "text/markdown", content: "The same file." }
    await Promise.all(callers.map(() => tool("svc_store_file", file)))
    assert.strictEqual(await countOf("documents WHERE title = 'same.md'"), 1)
  })

  it("if several calls ask for a workspace for one agent at the same moment, the pod creates one workspace and logs each step of the creation once", async () => {
    for (const round of [0, 1, 2, 3]) {
      const made = procedureData(
        await pod.owner.mutate("agents.create", { name: `Agent ${round}`, capabilities: ["*"] })
      )
      const request = { agentUserId: made.id, workspaceName: `Base ${round}` }
      const answers = await together(() => pod.owner.send("POST", "/api/hub/workspaces/provision-agent", request))
      const ids = new Set(answers.map((answer) => assertOk(answer).workspaceId as string))
      assert.strictEqual(ids.size, 1)
      assert.deepStrictEqual(await eventTypesIn([...ids][0]), ["workspace.create", "member.create", "workspace.ready"])
    }
  })

  it("if several calls ask for a workspace from the same definition at the same moment, the pod creates one workspace and logs each step of the creation once", async () => {
    for (const round of [0, 1, 2, 3]) {
      const definition = {
        workspaceName: `Defined ${round}`,
        proposalId: `definition ${round}`,
        profiles: [{ slug: `thing${round}`, displayName: "Thing" }]
      }
      const answers = await together(() => pod.owner.send("POST", "/api/hub/workspaces/from-definition", definition))
      const ids = new Set(answers.map((answer) => assertOk(answer).workspaceId as string))
      assert.strictEqual(ids.size, 1)
      assert.deepStrictEqual(await eventTypesIn([...ids][0]), [
        "workspace.create",
        "workspace.profiles",
        "workspace.ready"
      ])
    }
  })

  it("if several calls add one agent to a workspace at the same moment, all of them succeed, and the agent is added once", async () => {
    const workspaceId = await pod.aWorkspace(pod.owner, "Joined")
    const made = procedureData(await pod.owner.mutate("agents.create", { name: "Joining", capabilities: ["*"] }))
    const request = { agentUserId: made.id, workspaceId }
    const answers = await together(() => pod.owner.send("POST", "/api/hub/workspaces/enroll-agent", request))
    for (const answer of answers) assert.deepStrictEqual(assertOk(answer).enrolled, [workspaceId])
    assert.strictEqual(await countOf("events WHERE type = 'member.create' AND space_id = $1", [workspaceId]), 1)
  })
})
