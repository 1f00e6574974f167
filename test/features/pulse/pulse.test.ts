/** The pulse over HTTP: a list of events with the reactions to each event. */
import { afterAll, afterEach, assert, beforeAll, it } from "@effect/vitest"
import { assertOk, procedureData } from "../../attacks/attackScene.ts"
import type { Caller } from "../../support/pod.ts"
import { onOneStorage } from "../../support/storages.ts"
import { aWebhookScene, type WebhookScene } from "../../support/webhookScene.ts"
import { aMoment } from "../../support/aMoment.ts"

onOneStorage("the event listing `pulse`, which shows the effects of events", (storage) => {
  let scene: WebhookScene
  beforeAll(async () => {
    scene = await aWebhookScene(storage)
  })
  afterEach(() => scene.closeReceivers())
  afterAll(() => scene?.stop())

  const pulse = async (caller: Caller, query = "") =>
    assertOk(await caller.send("GET", `/api/hub/subscriptions${query}`)).items as ReadonlyArray<any>
  const fanout = (caller: Caller, eventId: string, query = "") =>
    caller.send("GET", `/api/hub/subscriptions/${eventId}/fanout${query}`)

  it("a person cannot read the event listing `pulse` of another person, and gets the same 404 for an event of another person as for a missing event", async () => {
    const [person, other] = [await scene.pod.aPerson(), await scene.pod.aPerson()]
    const event = await scene.log({ source: "intelligence" }, person)
    assert.deepInclude(
      (await pulse(person)).map(({ id }) => id),
      event.id
    )
    assert.deepStrictEqual(await pulse(other), [])
    assert.strictEqual((await fanout(other, event.id)).status, 404)
    assert.strictEqual((await fanout(other, "0190a0a0-0000-7000-8000-000000000001")).status, 404)
    const narrow = await scene.pod.aKey(person, { grant: { permissions: ["event.read"] } })
    assert.strictEqual((await narrow.send("GET", "/api/hub/subscriptions")).body.code, "GRANT_DOOR_UNSUPPORTED")
  })

  it("the event listing `pulse` refuses a request with an unknown `kind`, an unknown `lens` or a workspace of other people", async () => {
    const workspaceId = await scene.pod.aWorkspace(scene.pod.owner)
    const person = await scene.pod.aPerson()
    for (const query of ["?kind=nothing", "?lens=outer", "?limit=0", "?limit=501"]) {
      assert.strictEqual((await person.send("GET", `/api/hub/subscriptions${query}`)).status, 400, query)
    }
    const refused = await person.send("GET", `/api/hub/subscriptions?workspaceId=${workspaceId}`)
    assert.strictEqual(refused.status, 403)
  })

  it("the event listing `pulse` shows the webhook deliveries of each event with their results, but leaves out all deliveries if the request has the lens `internal`", async () => {
    const person = await scene.pod.aPerson("ledger@example.com")
    const receiver = await scene.listening()
    const { id: webhookId } = await scene.follow(receiver.url, { name: "Ledger" }, person)
    const event = await scene.log({}, person)
    await scene.untilDeliveries(webhookId, (listed) => listed.some(({ status }) => status === "success"), person)
    const [item] = await pulse(person, "?kind=webhook")
    assert.deepInclude(item, { id: event.id, type: "test.happened", actor: "ledger", actorAI: false })
    const delivered = { kind: "webhook", label: "Ledger", status: "success", responseStatus: "204" }
    assert.deepStrictEqual(item.reactions, [delivered])
    assert.deepStrictEqual(assertOk(await fanout(person, event.id)).reactions, [delivered])
    assert.deepStrictEqual(assertOk(await fanout(person, event.id, "?lens=internal")).reactions, [])
    assert.notInclude(
      (await pulse(person, "?lens=internal")).map(({ id }) => id),
      event.id
    )
  })

  it("if a key for one workspace requests the event listing `pulse`, the answer shows only deliveries of webhooks that this key made", async () => {
    const person = await scene.pod.aPerson()
    const workspaceId = await scene.pod.aWorkspace(person)
    const [key, narrow] = [await scene.pod.aKey(person), await scene.pod.aKey(person, { workspaceId })]
    const [first, second] = [await scene.listening(), await scene.listening()]
    const isSent = (listed: ReadonlyArray<any>) => listed.some(({ status }) => status === "success")
    const ledger = await scene.follow(first.url, { name: "Ledger", workspaceId }, person)
    const before = await scene.log({ workspaceId }, person)
    await scene.untilDeliveries(ledger.id, isSent, person)
    for (const caller of [person, key]) {
      assert.deepStrictEqual(
        (await pulse(caller, "?kind=webhook")).map(({ id, reactions }) => [id, reactions[0].label]),
        [[before.id, "Ledger"]]
      )
    }
    assert.deepStrictEqual(await pulse(narrow, "?kind=webhook"), [])
    assert.deepStrictEqual(assertOk(await fanout(narrow, before.id)).reactions, [])

    const own = await scene.follow(second.url, { name: "Own", workspaceId }, narrow)
    const after = await scene.log({ workspaceId }, person)
    await scene.untilDeliveries(own.id, isSent, narrow)
    assert.deepStrictEqual(
      (await pulse(narrow, "?kind=webhook")).map(({ id, reactions }) => [id, reactions.map(({ label }: any) => label)]),
      [[after.id, ["Own"]]]
    )
  })

  it("the event listing `pulse` shows an event of an agent with the agent's name, and shows a proposal as pending until a person has decided on it", async () => {
    const person = await scene.pod.aPerson()
    const agentId = procedureData(await person.mutate("agents.create", { name: "Scout", capabilities: ["*"] })).id
    const key = await scene.pod.aKey(person, { agentId })
    const asked = await key.send("POST", "/api/hub/entities", { title: "The crane", profileSlug: "note" })
    assert.strictEqual(asked.body.status, "proposed", JSON.stringify(asked.body))
    const [waiting] = await pulse(person, "?kind=ai_react")
    assert.deepInclude(waiting, { actor: "Scout", actorAI: true, pending: true, subjectType: "proposal" })
    assert.strictEqual(waiting.proposalId, asked.body.proposalId)
    assertOk(await person.send("POST", `/api/hub/proposals/${waiting.proposalId}/approve`, {}))
    const decided = (await pulse(person, "?kind=ai_react")).find(({ id }) => id === waiting.id)
    assert.notProperty(decided, "pending")
  })

  it("the event listing `pulse` shows the title of the record of each event, even if the events of a page are about more than 50 records", async () => {
    const person = await scene.pod.aPerson()
    const titles = Array.from({ length: 51 }, (_, at) => `Crane ${at}`)
    for (const title of titles) {
      const { id } = assertOk(await person.send("POST", "/api/hub/entities", { title, profileSlug: "note" }))
      await scene.log({ type: "entity.note.seen", subjectId: id, source: "automation" }, person)
    }
    const names = (await pulse(person, "?limit=500&kind=automation")).map(({ subjectName }) => subjectName)
    assert.deepStrictEqual(names.toReversed(), titles)
  })

  it("the pages of the event listing `pulse` show each event once, even if a filter selects only few events", async () => {
    const person = await scene.pod.aPerson()
    const receiver = await scene.listening()
    const { id: webhookId } = await scene.follow(receiver.url, { eventTypes: ["*"] }, person)
    const logged: Array<string> = []
    for (let at = 0; at < 12; at++) {
      const type = at % 5 === 0 ? "test.rare" : "test.happened"
      logged.unshift((await scene.log({ type, source: at % 2 === 0 ? "automation" : "api" }, person)).id)
    }
    await scene.untilDeliveries(webhookId, (listed) => listed.length >= 12, person)
    for (const query of ["limit=3", "limit=5&kind=webhook", "limit=2&kind=automation", "limit=1&eventType=test.rare"]) {
      const all = (await pulse(person, `?${query.replace(/limit=\d+/, "limit=500")}`)).map(({ id }) => id)
      const paged: Array<string> = []
      for (let cursor: string | null = ""; cursor !== null;) {
        const { body, headers, status } = await person.send(
          "GET",
          `/api/hub/subscriptions?${query}${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`
        )
        assert.strictEqual(status, 200, JSON.stringify(body))
        paged.push(...body.items.map(({ id }: { readonly id: string }) => id))
        cursor = headers.get("x-svc-next-cursor")
      }
      assert.deepStrictEqual(paged, all, query)
      assert.isTrue(all.every((id) => logged.includes(id)) || query.includes("automation"), query)
    }
  })

  it("for one event, the operation `fanout` of the event listing `pulse` shows the events that this event caused", async () => {
    const person = await scene.pod.aPerson()
    const cause = await scene.log({}, person)
    await scene.log({ type: "ai.answered", causationId: cause.id }, person)
    const { reactions } = assertOk(await fanout(person, cause.id))
    assert.deepStrictEqual(reactions, [{ kind: "ai_feed", label: "Ai answered", status: "success" }])
  })

  it("the event listing `pulse` shows an automation run under the event that started it, and shows a notification under the event that the automation rule logged", async () => {
    const person = await scene.pod.aPerson()
    const rule = {
      intent: "Tell me of tasks",
      scope: { kind: "pod" },
      sentence: { when: "a task is created", then: "notify me" }
    }
    assertOk(await person.send("POST", "/api/hub/rules", rule))
    const task = assertOk(await person.send("POST", "/api/hub/entities", { title: "Oil", profileSlug: "task" }))
    for (;;) {
      // The rule logs an event when it notifies the person. This event is the cause of the notification.
      const [entry] = await pulse(person, "?kind=notify")
      if (entry === undefined) {
        await aMoment()
        continue
      }
      assert.deepInclude(entry, { type: "automation.notify", actorAI: true })
      assert.deepStrictEqual(entry.reactions, [{ kind: "notify", label: "Automation notice", status: "success" }])
      break
    }
    const [item] = await pulse(person, "?kind=automation&eventType=entity.task.create")
    assert.deepInclude(item, { subject: "Task created: Oil", subjectId: task.entityId ?? task.id })
    assert.deepInclude(item.reactions, { kind: "automation", label: "Tell me of tasks", status: "success" })
    assert.deepInclude(assertOk(await fanout(person, item.id)).reactions, {
      kind: "automation",
      label: "Automation notify",
      status: "success"
    })
  })
})
