/**
 * Attacks: two callers change one record at the same moment. Each change is allowed alone, but not both together. Also
 * tests simultaneous changes of different parts of a record, and of overlapping lists.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { whileLogIsHeld } from "../support/heldLog.ts"
import { aPod, type Answer, type TestPod } from "../support/pod.ts"
import { connected } from "../support/postgresServer.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../support/postgres.ts"
import { anEntity, assertOk, createRecord, procedureData } from "./attackScene.ts"

describePostgres("attacks: simultaneous changes of one record", (server) => {
  let pod: TestPod
  let database: TestDatabase
  beforeAll(async () => {
    database = await aDatabaseOn(server)
    pod = await aPod({ kind: "postgres", url: database.url })
  }, 60_000)
  afterAll(async () => {
    await pod?.stop()
    await database?.drop()
  })

  const send = (method: string, path: string, body?: object) => pod.owner.send(method, `/api/hub/${path}`, body)
  const whileLogLocked = (spaceId: string, calls: ReadonlyArray<() => Promise<Answer>>) =>
    whileLogIsHeld(database.url, spaceId, calls)

  it("if one call removes an option of a property and another call makes this option the default at the same moment, the pod refuses one of the calls", async () => {
    const { id: profileId } = await createRecord(pod.owner, "profiles", { slug: "gauge", displayName: "Gauge" })
    for (const round of [0, 1, 2, 3]) {
      const draft = { profileId, slug: `unit${round}`, valueType: "select", uiHints: { options: ["metre", "foot"] } }
      const { id } = await createRecord(pod.owner, "property-defs", draft)
      const changes = [{ uiHints: { options: ["metre"] } }, { constraints: { defaultValue: "foot" } }]
      const answers = await whileLogLocked(
        pod.ownerId,
        (round % 2 === 0 ? changes : changes.toReversed()).map(
          (change) => () => send("PATCH", `property-defs/${id}`, change)
        )
      )
      assert.sameMembers(
        answers.map(({ status }) => status),
        [200, 400],
        JSON.stringify(answers.map(({ body }) => body))
      )
    }
  })

  it("if one call changes the field `intent` of an automation rule and another call changes the field `sentence` at the same moment, the pod stores both changes", async () => {
    const sentences = [
      { when: "a task is created", where: "priority is high", then: "notify me" },
      { when: "a note is created", where: "priority is low", then: "notify me" }
    ]
    for (const round of [0, 1, 2, 3]) {
      const draft = { intent: `First ${round}`, scope: { kind: "pod" }, sentence: sentences[0] }
      const { ruleId: id } = assertOk(await send("POST", "rules", draft))
      const changes = [{ intent: `Second ${round}` }, { sentence: sentences[1] }]
      const answers = await whileLogLocked(
        pod.ownerId,
        (round % 2 === 0 ? changes : changes.toReversed()).map((change) => () => send("PATCH", `rules/${id}`, change))
      )
      for (const answer of answers) assertOk(answer)
      const listed: ReadonlyArray<{ readonly id: string; readonly rule: any }> = assertOk(
        await send("GET", "rules?limit=100")
      ).rules
      const stored = listed.find((rule) => rule.id === id)
      assert.strictEqual(stored?.rule.intent, `Second ${round}`)
      assert.strictEqual(stored?.rule.sentence.when, "entity.note.create") // the stored form of the second sentence
    }
  })

  it("if two keys set different addresses of one webhook at the same moment, the webhook has the rights of the key whose address is stored", async () => {
    const workspaceId = await pod.aWorkspace(pod.owner, "Called")
    const grant = { permissions: ["webhook", "entity.read"], workspaceIds: [workspaceId] }
    const narrow = await pod.aKey(pod.owner, { grant })
    const wide = await pod.aKey(pod.owner)
    for (const round of [0, 1, 2, 3]) {
      const [own, other] = [`https://own${round}.example/`, `https://other${round}.example/`]
      const draft = { name: "Calls", url: own, eventTypes: ["entity.create"], workspaceId }
      const { id } = procedureData(await narrow.mutate("webhooks.create", draft)).subscription
      const calls = [
        () => wide.mutate("webhooks.update", { id, url: other }),
        () => narrow.mutate("webhooks.update", { id, url: own })
      ]
      const answers = await whileLogLocked(workspaceId, round % 2 === 0 ? calls : calls.toReversed())
      for (const { body, status } of answers) assert.include([200, 404, 409], status, JSON.stringify(body))
      const [stored] = await connected(
        database.url,
        async (client) =>
          (
            await client.query<{ readonly url: string; readonly key_id: string }>(
              "SELECT url, key_id FROM webhooks WHERE id = $1",
              [id]
            )
          ).rows
      )
      assert.strictEqual(stored.key_id, stored.url === own ? narrow.id : wide.id)
    }
  })

  it("if several calls add overlapping lists of entities to one project at the same moment, all calls succeed, and the project contains each entity once", async () => {
    const entities: Array<string> = []
    for (const at of [0, 1, 2, 3, 4, 5]) entities.push((await anEntity(pod.owner, { title: `Filed ${at}` })).id)
    for (const round of [0, 1, 2]) {
      const { id } = await createRecord(pod.owner, "projects", { name: `Shelf ${"y".repeat(round * 9)}` })
      const lists = [entities, entities.toReversed(), entities.slice(2), entities.slice(0, 4).toReversed()]
      const answers = await Promise.all(
        [...lists, ...lists].map((entityIds) => send("POST", `projects/${id}/entities`, { entityIds }))
      )
      for (const answer of answers) assertOk(answer)
      const outputs: ReadonlyArray<{ readonly id: string }> = assertOk(
        await send("GET", `projects/${id}/outputs`)
      ).outputs
      assert.sameMembers(
        outputs.map((output) => output.id),
        entities
      )
    }
  })

  it("if a person reverts the removal of a relation while somebody creates the same relation again, exactly one relation links the entities", async () => {
    const made = procedureData(await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] }))
    const agent = await pod.aKey(pod.owner, { agentId: made.id })
    for (const round of [0, 1, 2, 3]) {
      const source = await anEntity(pod.owner, { title: `Source ${round}` })
      const target = await anEntity(pod.owner, { title: `Target ${round}` })
      const draft = { sourceEntityId: source.id, targetEntityId: target.id, type: "mentions" }
      const { id } = await createRecord(pod.owner, "relations", draft)
      const { proposalId } = assertOk(await agent.send("DELETE", `/api/hub/relations/${id}`))
      assertOk(await send("POST", `proposals/${proposalId}/approve`, {}))
      const calls = [() => send("POST", `proposals/${proposalId}/revert`), () => send("POST", "relations", draft)]
      const answers = await whileLogLocked(pod.ownerId, round % 2 === 0 ? calls : calls.toReversed())
      const [reverted, created] = round % 2 === 0 ? answers : answers.toReversed()
      assertOk(created)
      if (reverted.status !== 200) {
        assert.deepStrictEqual(
          [reverted.status, reverted.body.code],
          [409, "LINKED_ALREADY"],
          JSON.stringify(reverted.body)
        )
      }
      const { rows } = await connected(database.url, (client) =>
        client.query<{ readonly count: number }>(
          "SELECT count(*)::integer AS count FROM relations WHERE source_entity_id = $1 AND archived_at IS NULL",
          [source.id]
        )
      )
      assert.strictEqual(rows[0].count, 1)
    }
  })
})
