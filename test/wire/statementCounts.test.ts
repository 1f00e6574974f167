/** A call about many records takes as many SQL statements as a call about one record. */
import { SqlClient } from "@effect/sql"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { assertOk, assertRefused, createRecord, procedureData } from "../attacks/attackScene.ts"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { type CountedStatements, countedStatements } from "../support/countedStatements.ts"
import { aPod, type Caller, type TestPod } from "../support/pod.ts"
import { database } from "../support/storages.ts"
import { asOwner } from "../support/stores.ts"

const many = 5

describe("the number of SQL statements of a call", () => {
  let pod: TestPod
  let statements: CountedStatements
  beforeAll(async () => {
    statements = countedStatements()
    pod = await aPod(database, {}, { logging: statements.logging })
  }, 60_000)
  afterAll(() => pod?.stop())

  /** Inserts rows directly, because only events and jobs of the pod make such rows. */
  const insert = (statement: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
    pod.run(asOwner(Effect.flatMap(SqlClient.SqlClient, statement)))
  const each = <A>(make: (at: number) => Promise<A>) => Promise.all(Array.from({ length: many }, (_, at) => make(at)))
  /** Compares the number of statements of a call about the first id with a call about all ids. */
  const assertSame = async (one: () => Promise<unknown>, all: () => Promise<unknown>) =>
    assert.strictEqual(await statements.during(all), await statements.during(one))
  const ruleOf = async (person: Caller, at: number): Promise<string> => {
    const sentence = { when: "a task is created", then: "notify me" }
    const draft = { intent: `Tell me of new tasks ${at}.`, scope: { kind: "pod" }, sentence }
    return assertOk(await person.send("POST", "/api/hub/rules", draft)).ruleId
  }

  it("a search of knowledge reads all found entries together", async () => {
    const person = await pod.aPerson()
    await each((at) => createRecord(person, "knowledge", { key: `harbour.${at}`, value: `quay ${at}` }))
    const search = (limit: number) => async () => {
      const path = `/api/hub/knowledge/search?q=quay&limit=${limit}`
      assert.lengthOf(assertOk(await person.send("GET", path)), limit)
    }
    await assertSame(search(1), search(many))
  })

  it("the list of notifications reads all keys that expire soon together", async () => {
    const person = await pod.aPerson()
    const keys = await each(() => pod.aKey(person, { expiresInDays: 1 }))
    await insert(
      (sql) => sql`
        INSERT INTO notifications (id, space_id, person_id, event_id, kind, subject_id, subject_type)
        SELECT key_id, ${person.id}::uuid, ${person.id}::uuid, gen_random_uuid(), 'key_ending', key_id, 'apiKey'
        FROM unnest(${keys.map(({ id }) => id)}::uuid[]) key_id`
    )
    const list = (limit: number) => async () =>
      assert.lengthOf(procedureData(await person.query("notifCenter.list", { limit })), limit)
    await assertSame(list(1), list(many))
  })

  it("the list of notifications reads all records that rules send messages about together", async () => {
    const person = await pod.aPerson()
    const ruleId = await ruleOf(person, 0)
    const tasks = await each((at) => createRecord(person, "entities", { title: `Task ${at}`, profileSlug: "task" }))
    await insert(
      (sql) => sql`
        INSERT INTO notifications (id, space_id, person_id, event_id, kind, subject_id, subject_type, data, read_at)
        SELECT task_id, ${person.id}::uuid, ${person.id}::uuid, gen_random_uuid(), 'automation_notice', ${ruleId}::uuid, 'automation',
          jsonb_build_object('text', 'New', 'showsTitle', true,
            'about', jsonb_build_object('type', 'entity', 'id', task_id, 'spaceId', ${person.id}::text)), now()
        FROM unnest(${tasks.map(({ id }) => id)}::uuid[]) task_id`
    )
    const list = (limit: number) => async () => {
      const items = procedureData(await person.query("notifCenter.list", { limit }))
      assert.lengthOf(items, limit)
      for (const { text } of items) assert.match(text, /^New: “Task \d”$/)
    }
    await assertSame(list(1), list(many))
  })

  it("a diagnosis reads the names of all rules with failed runs together", async () => {
    const person = await pod.aPerson()
    const rules = await each((at) => ruleOf(person, at))
    await insert(
      (sql) => sql`
        INSERT INTO automation_runs (id, space_id, user_id, actor_id, rule_id, status)
        SELECT gen_random_uuid(), ${person.id}::uuid, ${person.id}::uuid, ${person.id}::uuid, rule_id, 'failed'
        FROM unnest(${rules}::uuid[]) rule_id`
    )
    const key = await pod.aKey(person)
    const diagnose = (args: object, expected: number) => async () => {
      const params = { name: "svc_diagnose", arguments: { type: "automation", ...args } }
      const accept = { accept: "application/json, text/event-stream" }
      const { body } = await key.send("POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params }, accept)
      const { findings } = JSON.parse(String(body).split("data: ")[1]).result.structuredContent
      assert.lengthOf(findings, expected)
      for (const { title } of findings) assert.notStrictEqual(title, "A run of a rule")
    }
    await assertSame(diagnose({ id: rules[0] }, 1), diagnose({}, many))
  })

  it("the list of events with their reactions reads the names of all webhooks together", async () => {
    const person = await pod.aPerson()
    await createRecord(person, "entities", { title: "Quay", profileSlug: "note" })
    const [{ id: eventId }] = procedureData(await person.query("events.list", { limit: 1 }))
    const draft = { name: "Hook", url: "https://example.com/hook", eventTypes: ["entity.delete"] }
    const hooks = await each(async () => procedureData(await person.mutate("webhooks.create", draft)).subscription)
    const called = (webhookIds: ReadonlyArray<string>) =>
      insert(
        (sql) => sql`
          INSERT INTO webhook_deliveries (id, space_id, person_id, webhook_id, home_id, event_id, event_type, seq, subject_id, status)
          SELECT gen_random_uuid(), ${person.id}::uuid, ${person.id}::uuid, webhook_id, ${person.id}::uuid, ${eventId}::uuid,
            'entity.delete', 1, gen_random_uuid(), 'success'
          FROM unnest(${[...webhookIds]}::uuid[]) webhook_id`
      )
    const count = () =>
      statements.during(async () => assertOk(await person.send("GET", "/api/hub/subscriptions?kind=webhook&lens=all")))
    const ids = hooks.map(({ id }) => id)
    await called(ids.slice(0, 1))
    const one = await count()
    await called(ids.slice(1))
    assert.strictEqual(await count(), one)
  })

  it("a new focus session reads all agents in its list together", async () => {
    const person = await pod.aPerson()
    const agents = await each(async (at) =>
      procedureData(await person.mutate("agents.create", { name: `Agent ${at}`, capabilities: ["*"] }))
    )
    // The pod refuses the session because of its channel, after it has checked the agents.
    const begin = (agentIds: ReadonlyArray<string>) => async () => {
      const draft = { goal: "Ship", agentIds, channelId: person.id }
      const refused = await person.send("POST", "/api/hub/focus-sessions", draft)
      assert.include(assertRefused(refused, 400).error, "channelId")
    }
    const ids = agents.map(({ id }) => id)
    await assertSame(begin(ids.slice(0, 1)), begin(ids))
  })

  it("a write that refers to several records checks all of them together", async () => {
    const person = await pod.aPerson()
    const ids = Array.from({ length: many }, () => uuidv7())
    const brand = (projectIds: ReadonlyArray<string>) => async () => {
      const refused = await person.send("POST", "/api/hub/brands", { name: "Team", projectIds })
      assert.lengthOf(assertRefused(refused, 400).details, projectIds.length)
    }
    await assertSame(brand(ids.slice(0, 1)), brand(ids))
  })

  it("the list of agents with their roles reads the roles of all agents together", async () => {
    const person = await pod.aPerson()
    const agent = (at: number) => person.mutate("agents.create", { name: `Agent ${at}`, capabilities: ["*"] })
    procedureData(await agent(0))
    const count = () => statements.during(async () => procedureData(await person.query("agentConfigs.list", {})))
    const one = await count()
    await each(async (at) => procedureData(await agent(at + 1)))
    assert.strictEqual(await count(), one)
  })
})
