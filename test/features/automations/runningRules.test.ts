/** Rules that run, on each storage: their triggers, their steps, what they write, and the runs that they leave. */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { aReceiver, quickWebhooks } from "../../support/receiver.ts"
import { onEachStorage } from "../../support/storages.ts"
import { type AutomationScene, aScene, hasEnded } from "../../support/automationScene.ts"

onEachStorage("rules that run", (storage) => {
  let scene: AutomationScene
  beforeAll(async () => void (scene = await aScene(storage, { webhooks: quickWebhooks() })), 60_000)
  afterAll(() => scene?.stop())

  it("a rule creates an entity when its event happens, and its run says what it made", async () => {
    const ruleId = await scene.rule({
      when: "entity.note.create",
      where: "title contains crash",
      then: "create a task called Look at the crash"
    })
    await scene.entity({ profileSlug: "note", title: "Typing error" })
    const bug = await scene.entity({ profileSlug: "note", title: "Crash at start" })
    const run = await scene.ended(ruleId)
    const [caused] = await scene.events("entity.note.create")
    assert.deepInclude(run, { ruleId, status: "succeeded", error: null, eventId: caused.id })
    assert.strictEqual(caused.subjectId, bug)
    const [{ id, kind, status }] = run.output.steps
    assert.deepStrictEqual([kind, status], ["create", "done"])
    assert.strictEqual((await scene.read(id)).title, "Look at the crash")
    const [made] = await scene.events("entity.task.create")
    assert.deepInclude(made, {
      subjectId: id,
      source: "automation",
      causationId: caused.id,
      correlationId: caused.correlationId,
      metadata: { kind: "automation", ruleId, runId: run.id, depth: 0 }
    })
    assert.lengthOf(await scene.runs(ruleId), 1)
  })
})
