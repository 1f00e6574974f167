/**
 * The pod notifies people of events that it logs itself: a rule failed, a rule has the step `notify`, or the pod
 * stopped a webhook.
 */
import { afterAll, afterEach, assert, beforeAll, it } from "@effect/vitest"
import { assertOk } from "../../attacks/attackScene.ts"
import type { Caller } from "../../support/pod.ts"
import { onOneStorage } from "../../support/storages.ts"
import { aWebhookScene, type WebhookScene } from "../../support/webhookScene.ts"
import { aMoment } from "../../support/aMoment.ts"

onOneStorage("notifications about rules and webhooks", (storage) => {
  let scene: WebhookScene
  beforeAll(async () => {
    scene = await aWebhookScene(storage)
  })
  afterEach(() => scene.closeReceivers())
  afterAll(() => scene?.stop())

  const untilNotified = async (person: Caller, kind: string, count = 1) => {
    for (;;) {
      const listed = assertOk(await person.send("GET", `/api/hub/notifications?kind=${kind}`)) as ReadonlyArray<any>
      if (listed[0]?.count === count) return listed[0]
      await aMoment()
    }
  }
  const aRule = async (person: Caller, then: string) => {
    const sentence = { when: "a task is created", then }
    const draft = { intent: "Watch tasks", scope: { kind: "pod" }, sentence }
    return assertOk(await person.send("POST", "/api/hub/rules", draft)).ruleId as string
  }
  const aTask = async (person: Caller, title: string) =>
    assertOk(await person.send("POST", "/api/hub/entities", { title, profileSlug: "task" }))

  it("if an automation rule fails, the person who owns the rule gets a notification with the name of the rule, and further failures only raise the count of this notification", async () => {
    const person = await scene.pod.aPerson()
    const ruleId = await aRule(person, 'post "Done" in nowhere')
    await aTask(person, "First")
    assert.deepInclude(await untilNotified(person, "automation_failed"), {
      title: "The automation “Watch tasks” failed",
      subjectId: ruleId,
      subjectType: "automation"
    })
    await aTask(person, "Second")
    await untilNotified(person, "automation_failed", 2)
  })

  it("an automation rule with the step `notify` sends a notification to the person who owns the rule", async () => {
    const person = await scene.pod.aPerson()
    const ruleId = await aRule(person, "notify me")
    await aTask(person, "Third")
    const { subjectId, text } = await untilNotified(person, "automation_notice")
    assert.strictEqual(subjectId, ruleId)
    assert.include(text, "Third")
  })

  it("when the pod stops calling a webhook, the person who owns the webhook is notified", async () => {
    const person = await scene.pod.aPerson()
    const receiver = await scene.listening((response) => void response.writeHead(410).end())
    const { id } = await scene.follow(receiver.url, { name: "Ledger" }, person)
    await scene.log({}, person)
    assert.deepInclude(await untilNotified(person, "webhook_failing"), {
      title: "The pod stopped calling the webhook “Ledger”",
      subjectId: id
    })
  })
})
