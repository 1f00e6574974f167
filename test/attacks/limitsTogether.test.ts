/** Attacks: many simultaneous calls try to exceed a limit, or to create a record twice that must exist once. */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { WebhookSettings } from "../../src/features/webhooks/WebhookSettings.ts"
import { entriesMax } from "../../src/features/vault/VaultEntry.ts"
import { aPod, type Answer, type Caller, type TestPod } from "../support/pod.ts"
import { connected } from "../support/postgresServer.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../support/postgres.ts"
import { mcp } from "../doors/surfaces.ts"
import { assertOk, procedureData } from "./attackScene.ts"

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
      [entriesMax - 4]
    )
    const answers = await together((at) => pod.owner.mutate("secretsVault.create", { name: `Entry ${at}`, value: "v" }))
    for (const { body, status } of answers) assert.include([200, 400], status, JSON.stringify(body))
    assert.strictEqual(await countOf("vault_entries"), entriesMax)
    assert.lengthOf(
      answers.filter(({ status }) => status === 200),
      3
    )
    assert.strictEqual(await countOf("events WHERE type = 'vault.create'"), 4)
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
      const types = await rows<{ readonly type: string }>("SELECT type FROM events WHERE space_id = $1 ORDER BY seq", [
        ...ids
      ])
      assert.deepStrictEqual(
        types.map(({ type }) => type),
        ["workspace.create", "member.create", "workspace.ready"]
      )
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
      const types = await rows<{ readonly type: string }>("SELECT type FROM events WHERE space_id = $1 ORDER BY seq", [
        ...ids
      ])
      assert.deepStrictEqual(
        types.map(({ type }) => type),
        ["workspace.create", "workspace.profiles", "workspace.ready"]
      )
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
