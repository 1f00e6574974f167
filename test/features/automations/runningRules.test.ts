/** Rules that run, on each storage: their steps, what they write, and the records of their runs. */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { type AutomationScene, aScene } from "../../support/automationScene.ts"
import { aColleague } from "../../support/membership.ts"
import { aReceiver, quickWebhooks } from "../../support/receiver.ts"
import { onEachStorage } from "../../support/storages.ts"

onEachStorage("rules that run", (storage) => {
  let scene: AutomationScene
  beforeAll(async () => void (scene = await aScene(storage, { webhooks: quickWebhooks() })), 60_000)
  afterAll(() => scene?.stop())
  /** Makes a rule that starts when a note with this title is created. */
  const onNote = (title: string, then: string, more: object = {}) =>
    scene.rule({ when: "entity.note.create", where: `title is ${title}`, then }, more)
  const note = (title: string, more: object = {}) => scene.entity({ profileSlug: "note", title, ...more })

  it("an automation rule with a step for a missing person, channel or webhook fails, runs no later step, and logs the failure", async () => {
    for (const step of [
      "notify Nobody",
      "tell Nobody to look",
      'post "Hello" in nowhere',
      'call webhook "none"',
      "create a gizmo called Something"
    ]) {
      const title = `Failing ${step.split(" ")[0]}`
      const ruleId = await onNote(title, `${step}, then create a task called Never`)
      const recordId = await note(title)
      const run = await scene.ended(ruleId)
      assert.deepStrictEqual([run.status, run.output.steps], ["failed", []], step)
      assert.match(run.error, /\.$/)
      const [failure] = await scene.events("automation.failed")
      assert.deepInclude(failure, { subjectId: ruleId, source: "automation", causationId: run.eventId })
      assert.deepStrictEqual(failure.data, { runId: run.id, recordId, error: run.error })
    }
    assert.deepStrictEqual(
      (await scene.kept("task")).filter(({ title }) => title === "Never"),
      []
    )
  })

  it("a step of an automation rule fails with a readable message if the record is missing or does not allow the value that the step sets", async () => {
    const ruleId = await scene.rule({ when: "test.recordless", then: "set title to Something" })
    await scene.log({ type: "test.recordless" })
    assert.deepInclude(await scene.ended(ruleId), {
      status: "failed",
      error:
        "The rule cannot set title, because the event that started the rule has no record that the rule may change."
    })
    const emptied = await onNote("Emptied", 'set title to ""')
    await note("Emptied")
    const run = await scene.ended(emptied)
    assert.strictEqual(run.status, "failed")
    assert.match(run.error, /title/)
  })

  it("an automation rule creates an entity when its event happens, and the record of the run contains the id of this entity", async () => {
    const ruleId = await scene.rule({
      when: "entity.note.create",
      where: "title contains crash",
      then: "create a task called Look at the crash"
    })
    await note("Typing error")
    const crash = await note("Crash at start")
    const run = await scene.ended(ruleId)
    const [caused] = await scene.events("entity.note.create")
    assert.deepInclude(run, { ruleId, status: "succeeded", error: null, eventId: caused.id })
    assert.strictEqual(caused.subjectId, crash)
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
    const { body } = await scene.pod.owner.query("automations.getRun", { runId: run.id })
    assert.deepStrictEqual(body.result.data, run)
  })

  it("the steps of an automation rule set fields and properties of the record that started the rule, one after the other", async () => {
    const ruleId = await onNote("Set me", "set mood to calm, then set title to Calm note, then set place.city to Oslo")
    const id = await note("Set me", { properties: { mood: "curious", kept: 1 } })
    assert.strictEqual((await scene.ended(ruleId)).status, "succeeded")
    assert.deepInclude(await scene.read(id), {
      title: "Calm note",
      properties: { mood: "calm", kept: 1, place: { city: "Oslo" } },
      version: 4
    })
  })

  it("an automation rule posts all its messages to a channel in one thread, and all its messages to an agent in another thread", async () => {
    const { owner } = scene.pod
    const { body: channel } = await owner.send("POST", "/api/hub/channels", { title: "Releases" })
    const agent = (await owner.mutate("agents.create", { name: "Scout" })).body.result.data
    const ruleId = await onNote("Say it", 'post "A note is in" in releases, then tell Scout to read the note')
    await note("Say it")
    await note("Say it", { forceCreate: true })
    const runs = await scene.untilRuns(ruleId, (listed) => listed.filter(({ finishedAt }) => finishedAt).length === 2)
    assert.deepStrictEqual(
      runs.map(({ error }) => error),
      [null, null]
    )
    const { body: threads } = await owner.send("GET", "/api/hub/threads?limit=50")
    const messagesIn = async (found: { readonly id: string }) =>
      (await owner.send("GET", `/api/hub/threads/${found.id}/messages`)).body.map(
        ({ content, role }: { readonly content: string; readonly role: string }) => `${role}: ${content}`
      )
    const ofRule = threads.filter(({ externalId }: { readonly externalId: string | null }) =>
      externalId?.startsWith(ruleId)
    )
    assert.lengthOf(ofRule, 2)
    const posted = ofRule.find(({ parentChannelId }: any) => parentChannelId === channel.id)
    const agentThread = ofRule.find(({ assignedAgentId }: any) => assignedAgentId === agent.id)
    assert.deepStrictEqual(await messagesIn(posted), ["system: A note is in", "system: A note is in"])
    assert.deepStrictEqual(await messagesIn(agentThread), ["user: read the note", "user: read the note"])
  })

  it("an automation rule can notify a colleague and the person who owns the rule, but the rule fails if the colleague may not read the record", async () => {
    const { pod } = scene
    const workspaceId = await pod.aWorkspace(pod.owner, "Notified")
    const colleague = await aColleague(pod, storage, workspaceId, "viewer", "notified")
    const there = { scope: { kind: "workspace", workspaceId } }
    const toMe = await onNote("Tell all", "notify me", there)
    const byName = await onNote("Tell all", 'notify notified that "There is a note"', there)
    const byEmail = await onNote("Tell all", "notify Notified@example.com", there)
    const subjectId = await note("Tell all", { workspaceId })
    const notices: Array<unknown> = []
    for (const ruleId of [toMe, byName, byEmail]) {
      const run = await scene.ended(ruleId)
      assert.strictEqual(run.error, null)
      const event = (await scene.events("automation.notify")).find(({ data }) => data.runId === run.id)
      assert.deepInclude(event, { subjectId, source: "automation", causationId: run.eventId })
      assert.strictEqual(run.output.steps[0].id, event.id)
      notices.push([event.workspaceId, event.data.personId, event.data.text])
    }
    assert.deepStrictEqual(notices, [
      [null, pod.ownerId, "entity.note.create"],
      [workspaceId, colleague.id, "There is a note"],
      [workspaceId, colleague.id, "entity.note.create"]
    ])
    const outside = await onNote("Own note", "notify notified")
    await note("Own note")
    assert.strictEqual((await scene.ended(outside)).status, "failed")
  })

  it("an automation rule can send its trigger event to a webhook of the person who owns the rule, even if the webhook does not follow this type of event", async () => {
    const receiver = await aReceiver()
    try {
      const draft = { name: "Bridge", url: receiver.url, eventTypes: ["nothing.such"] }
      const made = (await scene.pod.owner.mutate("webhooks.create", draft)).body.result.data
      const ruleId = await onNote("Call it", 'call webhook "bridge"')
      const subjectId = await note("Call it")
      const run = await scene.ended(ruleId)
      assert.deepStrictEqual([run.error, run.output.steps[0].id], [null, made.subscription.id])
      const { body } = await receiver.until(() => true)
      assert.deepInclude(body, { id: run.eventId, type: "entity.note.create", subjectId })
    } finally {
      await receiver.stop()
    }
  })
})
