/**
 * What starts a rule, on each storage: events in the scope of an active rule, and the times of a schedule. Each event
 * and each time starts the rule only once.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { dueTime, planScheduled } from "../../../src/features/automations/Firings.ts"
import { AutomationStore } from "../../../src/features/automations/AutomationStore.ts"
import { type AutomationScene, aScene } from "../../support/automationScene.ts"
import { aColleague } from "../../support/membership.ts"
import { onOneStorage } from "../../support/storages.ts"

onOneStorage("what starts a rule", (storage) => {
  let scene: AutomationScene
  beforeAll(async () => void (scene = await aScene(storage)), 60_000)
  afterAll(() => scene?.stop())

  it("an automation rule does not run for events of other types, for events that do not meet its condition, or for events from before its creation", async () => {
    await scene.log({ type: "early.happened" })
    const early = await scene.rule({ when: "early.happened", then: "notify me" })
    const longer = await scene.rule({ when: "early.*", then: "notify me" })
    const conditional = await scene.rule({ when: "entity.note.create", where: "title is Right", then: "notify me" })
    const recordless = await scene.rule({ when: "early.other", where: "title is Right", then: "notify me" })
    await scene.log({ type: "early.other" })
    await scene.log({ type: "early.happened.again" })
    await scene.entity({ profileSlug: "note", title: "Wrong" })
    await scene.settled()
    const numbers = await Promise.all([early, longer, conditional, recordless].map((id) => scene.runs(id)))
    assert.deepStrictEqual(
      numbers.map(({ length }) => length),
      [0, 1, 0, 0]
    )
  })

  it("an automation rule of a workspace also runs for events that other members cause, but a rule with the scope `user` runs only for events in its owner's personal space", async () => {
    const { pod } = scene
    const workspaceId = await pod.aWorkspace(pod.owner, "Shared")
    const elsewhere = await pod.aWorkspace(pod.owner, "Elsewhere")
    const colleague = await aColleague(pod, storage, workspaceId, "editor", "beside")
    const sentence = { when: "entity.note.create", where: "title contains scope", then: "set seen to true" }
    const shared = await scene.rule(sentence, { scope: { kind: "workspace", workspaceId } })
    const own = await scene.rule(sentence, { scope: { kind: "user" } })
    const everywhere = await scene.rule(sentence, { scope: { kind: "pod" } })
    const narrowed = await scene.rule(sentence, { scope: { kind: "pod", workspaceId: elsewhere } })
    const theirs = await scene.entity({ profileSlug: "note", title: "scope 1", workspaceId }, colleague)
    await scene.entity({ profileSlug: "note", title: "scope 2" })
    await scene.entity({ profileSlug: "note", title: "scope 3", workspaceId: elsewhere })
    await scene.entity({ profileSlug: "note", title: "scope 4" }, colleague)
    await scene.settled()
    const numbers = await Promise.all([shared, own, everywhere, narrowed].map((id) => scene.runs(id)))
    assert.deepStrictEqual(
      numbers.map(({ length }) => length),
      [1, 1, 3, 1]
    )
    assert.strictEqual((await scene.read(theirs)).properties.seen, true)
    assert.deepStrictEqual(
      (await scene.runs(shared, colleague)).map(({ id }) => id),
      numbers[0].map(({ id }) => id)
    )
    assert.deepStrictEqual(await scene.runs(everywhere, colleague), [])
  })

  it("an automation rule for a project runs only for records of the project, and puts the records that it creates into the project", async () => {
    const { owner } = scene.pod
    const { body: project } = await owner.send("POST", "/api/hub/projects", { name: "Roof" })
    const sentence = { when: "entity.note.create", where: "title contains roof", then: "create a task called Fix roof" }
    const ruleId = await scene.rule(sentence, { scope: { kind: "pod", projectId: project.id } })
    await scene.entity({ profileSlug: "note", title: "roof outside" })
    await scene.entity({ profileSlug: "note", title: "roof inside", projectId: project.id })
    await scene.settled()
    const [run, ...others] = await scene.runs(ruleId)
    assert.deepStrictEqual([run.error, others], [null, []])
    const { body } = await owner.send("GET", `/api/hub/entities?projectId=${project.id}&profileSlug=task`)
    assert.deepStrictEqual(
      body.map(({ id }: { readonly id: string }) => id),
      [run.output.steps[0].id]
    )
  })

  it("a paused automation rule does not run until it is resumed, a changed rule runs its new steps, and a deleted rule never runs again", async () => {
    const ruleId = await scene.rule({ when: "phase.one", then: "create a task called Old step" })
    assert.strictEqual((await scene.change(ruleId, { active: false })).status, "paused")
    await scene.log({ type: "phase.one" })
    await scene.settled()
    const changed = { when: "phase.one", then: "create a task called New step" }
    assert.strictEqual((await scene.change(ruleId, { active: true, sentence: changed })).status, "active")
    await scene.log({ type: "phase.one" })
    const [run] = await scene.untilRuns(ruleId, ([first]) => first?.status === "succeeded")
    assert.strictEqual((await scene.read(run.output.steps[0].id)).title, "New step")
    assert.strictEqual(await scene.remove(ruleId), 200)
    await scene.log({ type: "phase.one" })
    await scene.settled()
    assert.lengthOf(await scene.runs(ruleId), 1)
    const { body } = await scene.pod.owner.send("GET", "/api/hub/rules?limit=100")
    assert.notInclude(
      body.rules.map(({ id }: { readonly id: string }) => id),
      ruleId
    )
  })

  it("an automation rule can start when somebody deletes a record, although the run can no longer read this record", async () => {
    const ruleId = await scene.rule({ when: "entity.note.delete", then: "create a task called Look what is gone" })
    const id = await scene.entity({ profileSlug: "note", title: "Gone" })
    await scene.pod.owner.send("DELETE", `/api/hub/entities/${id}`)
    assert.strictEqual((await scene.ended(ruleId)).error, null)
  })

  it("if several scheduled times of an automation rule have passed, the rule starts only once, even if several pods look for due rules", async () => {
    const ruleId = await scene.rule("WHEN every day at 9:00 THEN create a task called Morning")
    const looking = (days: number, minutes: number) =>
      scene.pod.run(
        Effect.gen(function* () {
          const now = yield* DateTime.now
          const at = DateTime.add(DateTime.setPartsUtc(now, { hours: 9, minutes, seconds: 0, millis: 0 }), { days })
          yield* (yield* planScheduled).lookAt(at)
        })
      )
    await Promise.all([looking(3, 5), looking(3, 5)])
    await scene.ended(ruleId)
    await looking(3, 59)
    await looking(4, 0)
    const runs = await scene.untilRuns(
      ruleId,
      (all) => all.filter(({ finishedAt }) => finishedAt !== null).length === 2
    )
    assert.deepStrictEqual(
      runs.map(({ eventId, status }) => [eventId, status]),
      [
        [null, "succeeded"],
        [null, "succeeded"]
      ]
    )
    assert.lengthOf(
      (await scene.kept("task")).filter(({ title }) => title === "Morning"),
      2
    )
  })

  it("an automation rule that is due only on 29 February does not prevent the other rules from running, even if the last such day was years ago", async () => {
    const leap = await scene.rule("WHEN cron 0 0 29 2 * THEN create a task called Leap day")
    const daily = await scene.rule("WHEN every day at 10:00 THEN create a task called Daily")
    const look = (at: string) =>
      scene.pod.run(Effect.flatMap(planScheduled, ({ lookAt }) => lookAt(DateTime.unsafeMake(at))))
    await look("2102-11-05T10:01:00Z") // At this time, the last 29 February was in 2096, because 2100 is no leap year.
    await Promise.all([scene.ended(leap), scene.ended(daily)])
  })

  it("an automation rule whose schedule cannot be read does not prevent the other rules from running", async () => {
    const ruleId = await scene.rule("WHEN every day at 11:00 THEN create a task called After the fault")
    await scene.pod.run(
      Effect.gen(function* () {
        const store = yield* AutomationStore
        const scheduled = Effect.map(store.scheduled, (rules) => [
          { ...rules[0], ruleId: "00000000-0000-4000-8000-000000000001", cron: "never" },
          ...rules
        ])
        const { lookAt } = yield* Effect.provideService(planScheduled, AutomationStore, { ...store, scheduled })
        yield* lookAt(DateTime.unsafeMake("2102-11-06T11:01:00Z"))
      })
    )
    await scene.ended(ruleId)
  })
})

it("of the past times in the schedule of an automation rule, only the latest time is due, and only if the rule has not changed since that time", () => {
  const at = (text: string) => DateTime.unsafeMake(`2026-03-0${text}Z`)
  const due = (changed: string, now: string) => {
    const found = dueTime({ cron: "0 9 * * *", changedAt: at(changed) }, at(now))
    return found === null ? null : DateTime.formatIso(found)
  }
  assert.isNull(due("1T09:00:00", "1T09:00:00"))
  assert.isNull(due("1T10:00:00", "2T08:59:59.999"))
  assert.strictEqual(due("1T10:00:00", "2T09:00:00"), "2026-03-02T09:00:00.000Z")
  assert.strictEqual(due("1T10:00:00", "5T23:00:00"), "2026-03-05T09:00:00.000Z")
})

it("a schedule for a day that does not exist in every month or year is due only on that day", () => {
  const due = (cron: string, now: string) => {
    const found = dueTime({ cron, changedAt: DateTime.unsafeMake("2020-01-01T00:00:00Z") }, DateTime.unsafeMake(now))
    return found === null ? null : DateTime.formatIso(found)
  }
  assert.strictEqual(due("30 6 29 2 *", "2026-03-15T00:00:00Z"), "2024-02-29T06:30:00.000Z")
  assert.strictEqual(due("30 6 29 2 *", "2024-02-29T06:30:00Z"), "2024-02-29T06:30:00.000Z")
  assert.strictEqual(due("30 6 29 2 *", "2024-02-29T06:29:59Z"), "2020-02-29T06:30:00.000Z")
  assert.isNull(due("30 6 29 2 *", "2020-02-29T06:29:59Z"))
  assert.strictEqual(due("0 0 31 * *", "2026-03-15T00:00:00Z"), "2026-01-31T00:00:00.000Z")
  assert.strictEqual(due("0,30 8-9 * * 1", "2026-03-02T09:15:00Z"), "2026-03-02T09:00:00.000Z")
  assert.strictEqual(due("0 0 29 2 1", "2026-03-01T00:00:00Z"), "2026-02-23T00:00:00.000Z")
})
