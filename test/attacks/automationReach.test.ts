/** Attacks on automation rules: the pod judges each step of a run by the rights of the caller that made the rule. */
import { SqlClient } from "@effect/sql"
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { Effect } from "effect"
import { type AutomationScene, aScene, hasEnded } from "../support/automationScene.ts"
import { aColleague, takeRole } from "../support/membership.ts"
import type { Caller } from "../support/pod.ts"
import { onOneStorage } from "../support/storages.ts"
import { asOwner } from "../support/stores.ts"

onOneStorage("attacks on automation rules that run", (storage) => {
  let scene: AutomationScene
  beforeAll(async () => void (scene = await aScene(storage)), 60_000)
  afterAll(() => scene?.stop())
  const note = (title: string, more: object = {}, caller?: Caller) =>
    scene.entity({ profileSlug: "note", title, ...more }, caller)
  const onNote = (title: string, then: string, more: object = {}, caller?: Caller) =>
    scene.rule({ when: "entity.note.create", where: `title is ${title}`, then }, more, caller)
  const titled = async (kind: string, title: string) =>
    (await scene.kept(kind)).filter((each: { readonly title: string }) => each.title === title)

  it("attack: if a key with limits made an automation rule, the rule reads and writes only what the grant of the key allows", async () => {
    const grant = { permissions: ["rule.create", "entity.note.read", "entity.note.create"] }
    const key = await scene.pod.aKey(scene.pod.owner, { grant })
    const wide = await onNote("Limited", "create a task called Too much", {}, key)
    const within = await onNote("Limited", "create a note called Allowed", {}, key)
    const editing = await onNote("Limited", "set title to Changed", {}, key)
    const blind = await scene.rule({ when: "entity.task.create", then: "create a note called Seen" }, {}, key)
    await note("Limited")
    await scene.entity({ profileSlug: "task", title: "Hidden from the key" })
    await scene.settled()
    const [refused] = await scene.runs(wide)
    assert.deepStrictEqual(
      [refused.status, refused.error],
      ["failed", "The grant of the key does not cover this write."]
    )
    assert.strictEqual((await scene.runs(editing))[0].status, "failed")
    assert.strictEqual((await scene.runs(within))[0].status, "succeeded")
    assert.deepStrictEqual(await scene.runs(blind), [])
    assert.deepStrictEqual([await titled("task", "Too much"), await titled("note", "Seen")], [[], []])
  })

  it("attack: if a key that is allowed to log events but not to read records starts an automation rule, the rule changes no record", async () => {
    const { owner } = scene.pod
    const logging = await scene.pod.aKey(owner, { grant: { permissions: ["event.create"] } })
    const reading = await scene.pod.aKey(owner, { grant: { permissions: ["event.create", "entity.note.read"] } })
    const ruleId = await scene.rule({ when: "deal.closed", then: "set title to Closed" })
    const [first, second, third] = [await note("Blind"), await note("Read"), await note("Signed in")]
    await scene.log({ type: "deal.closed", subjectId: first }, logging)
    await scene.log({ type: "deal.closed", subjectId: second }, reading)
    await scene.log({ type: "deal.closed", subjectId: third })
    await scene.settled()
    const titles = await Promise.all([first, second, third].map(async (id) => (await scene.read(id)).title))
    assert.deepStrictEqual(titles, ["Blind", "Closed", "Closed"])
    const failed = (await scene.runs(ruleId)).filter(({ status }) => status === "failed")
    assert.deepStrictEqual(
      failed.map(({ error }) => error),
      ["The rule cannot set title, because the event that started the rule has no record that the rule may change."]
    )
  })

  it("attack: an agent's automation rule can create only proposals, but a rule that a person approved writes with the rights of this person", async () => {
    const { owner } = scene.pod
    const made = (await owner.mutate("agents.create", { name: "Ruler", capabilities: ["*"] })).body.result.data
    const agent = await scene.pod.aKey(owner, { agentId: made.id })
    const draft = {
      intent: "By an agent",
      scope: { kind: "pod" },
      sentence: { when: "entity.note.create", where: "title is Agents", then: "create a task called By the agent" }
    }
    const { body: asked } = await agent.send("POST", "/api/hub/rules", draft)
    assert.strictEqual(asked.status, "proposed")
    await note("Agents", { forceCreate: true })
    await scene.settled()
    assert.deepStrictEqual(await titled("task", "By the agent"), [])
    assert.strictEqual((await owner.send("POST", `/api/hub/proposals/${asked.proposalId}/approve`, {})).status, 200)
    const auto = { scopeKind: "pod", targetKind: "action", targetPattern: "rule.create", verdict: "auto" }
    await owner.mutate("governanceRules.create", { ...auto, agentUserId: made.id })
    const direct = await scene.rule(draft.sentence, {}, agent)
    await note("Agents", { forceCreate: true })
    await scene.settled()
    const [proposed] = await scene.runs(direct)
    assert.deepStrictEqual(
      [proposed.status, proposed.error, proposed.output.steps[0].status],
      ["succeeded", null, "proposed"]
    )
    const { body: waiting } = await owner.send("GET", `/api/hub/proposals/${proposed.output.steps[0].proposalId}`)
    assert.strictEqual((waiting.proposal ?? waiting).status, "pending")
    const [approved] = await scene.runs(asked.proposedId)
    assert.deepStrictEqual([approved.status, approved.output.steps[0].status], ["succeeded", "done"])
    assert.lengthOf(await titled("task", "By the agent"), 1)
  })

  it("attack: only the person who owns an agent can approve an automation rule that the agent proposes", async () => {
    const { pod } = scene
    const workspaceId = await pod.aWorkspace(pod.owner, "Approved")
    const colleague = await aColleague(pod, storage, workspaceId, "admin", "approver")
    const { id: agentId } = (await colleague.mutate("agents.create", { name: "Helper", capabilities: ["*"] })).body
      .result.data
    await colleague.send("POST", "/api/hub/workspaces/enroll-agent", { agentUserId: agentId, workspaceId })
    const agent = await pod.aKey(colleague, { agentId })
    const sentence = { when: "entity.note.create", then: "create a task called Not mine" }
    const draft = { intent: "By a helper", scope: { kind: "workspace", workspaceId }, sentence }
    const { body: asked } = await agent.send("POST", "/api/hub/rules", draft)
    assert.strictEqual(asked.status, "proposed")
    const path = `/api/hub/proposals/${asked.proposalId}/approve`
    const { body, status } = await pod.owner.send("POST", path, {})
    assert.deepStrictEqual([status, body.code], [403, "OWNER_ONLY"])
    assert.strictEqual((await colleague.send("POST", path, {})).status, 200)
  })

  it("attack: if a key makes an automation rule, the rule does not run any more after the key is revoked", async () => {
    const key = await scene.pod.aKey(scene.pod.owner)
    const ruleId = await onNote("Revoked", "create a task called From a revoked key", {}, key)
    await note("Revoked")
    assert.strictEqual((await scene.ended(ruleId)).status, "succeeded")
    await scene.pod.owner.mutate("apiKeys.revoke", { keyId: key.id })
    await note("Revoked", { forceCreate: true })
    await scene.settled()
    assert.lengthOf(await scene.runs(ruleId), 1)
    assert.lengthOf(await titled("task", "From a revoked key"), 1)
  })

  it("attack: after a person has left a workspace or is suspended, the automation rules of this person do not run for events of the workspace", async () => {
    const { pod } = scene
    const workspaceId = await pod.aWorkspace(pod.owner, "Left")
    const there = { scope: { kind: "workspace", workspaceId } }
    const leaver = await aColleague(pod, storage, workspaceId, "editor", "leaver")
    const suspended = await aColleague(pod, storage, workspaceId, "editor", "suspended")
    const ids = [
      await onNote("Left", "create a task called By a leaver", there, leaver),
      await onNote("Left", "create a task called By a leaver", {}, leaver),
      await onNote("Left", "create a task called By a leaver", there, suspended)
    ]
    await takeRole(pod, storage, leaver.id, workspaceId)
    await pod.owner.send("PATCH", `/api/hub/people/${suspended.id}`, { isSuspended: true })
    await note("Left", { workspaceId })
    await scene.settled()
    assert.deepStrictEqual(await titled("task", "By a leaver"), [])
    assert.deepStrictEqual(await scene.runs(ids[0]), [])
    assert.deepStrictEqual(await scene.runs(ids[1], leaver), [])
    assert.deepStrictEqual(await scene.runs(ids[2]), [])
  })

  it("attack: an automation rule does not run for a record that the person who made the rule may not read, and the list of runs stays empty", async () => {
    const { pod } = scene
    const workspaceId = await pod.aWorkspace(pod.owner, "Hidden")
    const colleague = await aColleague(pod, storage, workspaceId, "editor", "hiding")
    const there = { scope: { kind: "workspace", workspaceId } }
    const ruleId = await scene.rule({ when: "command.create", then: "create a note called A command" }, there)
    const command = (sharing: string) =>
      colleague.send("POST", "/api/hub/commands", { name: `${sharing} command`, workspaceId, sharing, config: {} })
    assert.strictEqual((await command("user")).status, 200)
    await scene.settled()
    assert.deepStrictEqual(await scene.runs(ruleId), [])
    assert.strictEqual((await command("space")).status, 200)
    assert.strictEqual((await scene.ended(ruleId)).status, "succeeded")
  })

  it("attack: if two automation rules start each other, only five runs succeed, and the next run fails with an error that says why", async () => {
    const then = (kind: string) => `create a ${kind} called Loop`
    const first = await onNote("Loop", then("task"))
    const second = await scene.rule({ when: "entity.task.create", where: "title is Loop", then: then("note") })
    await note("Loop")
    await scene.settled()
    const outcomes = async (id: string) => (await scene.runs(id)).map(({ status }) => status).toReversed()
    assert.deepStrictEqual(await outcomes(first), ["succeeded", "succeeded", "succeeded"])
    assert.deepStrictEqual(await outcomes(second), ["succeeded", "succeeded", "failed"])
    assert.match((await scene.runs(second))[0].error, /started each other 5 times/)
    assert.deepStrictEqual([(await titled("task", "Loop")).length, (await titled("note", "Loop")).length], [3, 3])
    const depths = (await scene.events("entity.task.create")).map(({ metadata }) => metadata?.depth)
    assert.includeMembers(depths, [0, 2, 4])
  })

  it("attack: an automation rule runs at most 60 times in a minute, and the pod stores a single failed run for all starts above this limit", async () => {
    const ruleId = await scene.rule({ when: "busy.happened", then: "create a task called Busy" })
    const logEvents = async (count: number) => {
      await Promise.all(Array.from({ length: count }, () => scene.log({ type: "busy.happened" })))
      await scene.settled()
    }
    await logEvents(60)
    // On a slow machine, the first runs began more than a minute ago.
    await scene.pod.run(
      asOwner(
        Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`UPDATE automation_firings SET began_at = now() WHERE rule_id = ${ruleId}::uuid`
        )
      )
    )
    await logEvents(15)
    const runs = await scene.runs(ruleId)
    const failed = runs.filter(({ status }) => status === "failed")
    assert.deepStrictEqual([runs.length - failed.length, failed.length], [60, 1])
    assert.match(failed[0].error, /60 times within a minute/)
    assert.lengthOf(await titled("task", "Busy"), 60)
  })

  it("attack: if many events come at the same moment, each event starts exactly one run of the automation rule", async () => {
    const ruleId = await scene.rule({
      when: "entity.note.create",
      where: "title contains crowd",
      then: "set seen to true"
    })
    const ids = await Promise.all(Array.from({ length: 20 }, (_, at) => note(`crowd ${at}`)))
    const runs = await scene.untilRuns(ruleId, (listed) => listed.length === 20 && listed.every(hasEnded))
    assert.sameMembers(
      runs.map(({ output }) => output.steps[0].id),
      ids
    )
    for (const id of ids) assert.deepInclude(await scene.read(id), { version: 2, properties: { seen: true } })
  })

  it("attack: a client cannot log an event that only the pod may log, forge how many automation rules led to an event, or start a rule for a record of another person's own space", async () => {
    const { pod } = scene
    for (const type of ["entity.note.create", "automation.failed", "automation.notify", "Automation.run"]) {
      assert.strictEqual((await pod.owner.mutate("events.log", { type })).status, 400, type)
    }
    const deep = await scene.rule({ when: "forged.happened", then: "create a task called Forged" })
    const metadata = { kind: "automation", ruleId: deep, runId: deep, depth: 9 }
    await scene.log({ type: "forged.happened", source: "automation", metadata })
    assert.strictEqual((await scene.ended(deep)).status, "succeeded")
    const workspaceId = await pod.aWorkspace(pod.owner, "Forged")
    const colleague = await aColleague(pod, storage, workspaceId, "editor", "forger")
    const own = await note("My own")
    const shared = await note("Ours", { workspaceId })
    const ruleId = await scene.rule({ when: "forged.again", then: "set touched to true" })
    await scene.log({ type: "forged.again", workspaceId, subjectId: own }, colleague)
    await scene.log({ type: "forged.again", workspaceId }, colleague)
    await scene.settled()
    assert.deepStrictEqual(await scene.runs(ruleId), [])
    await scene.log({ type: "forged.again", workspaceId, subjectId: shared }, colleague)
    assert.strictEqual((await scene.ended(ruleId)).status, "succeeded")
    assert.notProperty((await scene.read(own)).properties, "touched")
  })

  it("attack: an editor of a workspace can pause another person's automation rule and an administrator can delete it, but neither can change what the rule does", async () => {
    const { pod } = scene
    const workspaceId = await pod.aWorkspace(pod.owner, "Ruled")
    const editor = await aColleague(pod, storage, workspaceId, "editor", "changer")
    const admin = await aColleague(pod, storage, workspaceId, "admin", "manager")
    const stranger = await pod.aPerson("ruleless@example.com")
    const there = { scope: { kind: "workspace", workspaceId } }
    const ruleId = await onNote("Ruled", "create a task called Ruled", there)
    const path = `/api/hub/rules/${ruleId}`
    const sentence = { when: "entity.note.create", then: "create a task called Taken over" }
    for (const [caller, change, expected] of [
      [stranger, { active: false }, 404],
      [editor, { sentence }, 403],
      [editor, { expiresAt: "2099-01-01T00:00:00Z" }, 403],
      [admin, { intent: "Mine now" }, 403],
      [editor, { active: false }, 200],
      [editor, { active: true }, 403]
    ] as const) {
      const { body, status } = await caller.send("PATCH", path, change)
      assert.strictEqual(status, expected, JSON.stringify([change, body]))
    }
    assert.strictEqual(await scene.remove(ruleId, stranger), 404)
    assert.strictEqual(await scene.remove(ruleId, editor), 403)
    assert.strictEqual(await scene.remove(ruleId, admin), 200)
  })

  it("attack: an automation rule gets the limits of a key that changes the text of the rule, but not the limits of a key that only pauses the rule", async () => {
    const { pod } = scene
    const key = await pod.aKey(pod.owner, { grant: { permissions: ["rule", "entity.note"] } })
    const ruleId = await onNote("Rewritten", "create a note called Before")
    const path = `/api/hub/rules/${ruleId}`
    const turn = async (caller: Caller, active: boolean) =>
      assert.strictEqual((await caller.send("PATCH", path, { active })).status, 200)
    await turn(key, false)
    await turn(pod.owner, true)
    await note("Rewritten")
    await scene.settled()
    const sentence = { when: "entity.note.create", where: "title is Rewritten", then: "create a task called After" }
    assert.strictEqual((await key.send("PATCH", path, { sentence })).status, 200)
    await note("Rewritten", { forceCreate: true })
    await scene.settled()
    assert.deepStrictEqual(
      (await scene.runs(ruleId)).map(({ error }) => error),
      ["The grant of the key does not cover this write.", null]
    )
  })

  it("attack: if a key with limits resumes an automation rule or changes its expiry, the rule gets these limits, and then no other key can resume the rule or change its expiry", async () => {
    const { pod } = scene
    const key = await pod.aKey(pod.owner, { grant: { permissions: ["rule", "entity.note"] } })
    const other = await pod.aKey(pod.owner)
    const rules = [
      await onNote("Resumed", "create a task called Beyond"),
      await onNote("Resumed", "create a task called Beyond", { expiresAt: "2098-01-01T00:00:00Z" })
    ]
    const [paused, ending] = rules.map((id) => `/api/hub/rules/${id}`)
    const statusOf = async (caller: Caller, path: string, change: object) =>
      (await caller.send("PATCH", path, change)).status
    assert.strictEqual(await statusOf(pod.owner, paused, { active: false }), 200)
    assert.strictEqual(await statusOf(key, paused, { active: true }), 200)
    assert.strictEqual(await statusOf(key, ending, { expiresAt: "2097-01-01T00:00:00Z" }), 200)
    assert.strictEqual(await statusOf(key, ending, { expiresAt: "2099-01-01T00:00:00Z" }), 200)
    await note("Resumed")
    await scene.settled()
    for (const ruleId of rules) {
      const errors = (await scene.runs(ruleId)).map(({ error }) => error)
      assert.deepStrictEqual(errors, ["The grant of the key does not cover this write."])
    }
    assert.strictEqual(await statusOf(other, paused, { active: false }), 200)
    assert.strictEqual(await statusOf(other, paused, { active: true }), 403)
    assert.strictEqual(await statusOf(other, ending, { expiresAt: null }), 403)
    assert.strictEqual(await statusOf(key, paused, { active: true }), 200)
    assert.deepStrictEqual(await titled("task", "Beyond"), [])
  })

  it("if a key with limits that made an automation rule is rotated, the new key can resume the rule", async () => {
    const { pod } = scene
    const key = await pod.aKey(pod.owner, { grant: { permissions: ["rule", "entity.note"] } })
    const path = `/api/hub/rules/${await onNote("Rotated", "create a note called By a new key", {}, key)}`
    assert.strictEqual((await key.send("PATCH", path, { active: false })).status, 200)
    const { body } = await pod.owner.mutate("apiKeys.rotate", { keyId: key.id })
    const successor = pod.as({ authorization: `Bearer ${body.result.data.key}` })
    assert.strictEqual((await successor.send("PATCH", path, { active: true })).status, 200)
  })

  it("attack: if a person changes only the purpose of an automation rule that a key with limits made, the limits still apply, even after the key is revoked", async () => {
    const { owner } = scene.pod
    const key = await scene.pod.aKey(owner, { grant: { permissions: ["rule", "entity.note"] } })
    const wide = await onNote("Renamed", "create a task called Lifted", {}, key)
    const broad = await scene.pod.aKey(owner)
    for (const by of [owner, broad]) {
      const { status } = await by.send("PATCH", `/api/hub/rules/${wide}`, { intent: `Renamed by ${by === owner}` })
      assert.strictEqual(status, 200)
    }
    await note("Renamed")
    await scene.settled()
    assert.deepStrictEqual(
      (await scene.runs(wide)).map(({ error }) => error),
      ["The grant of the key does not cover this write."]
    )
    assert.strictEqual((await owner.mutate("apiKeys.revoke", { keyId: key.id })).status, 200)
    assert.strictEqual((await owner.send("PATCH", `/api/hub/rules/${wide}`, { intent: "Again" })).status, 200)
    await note("Renamed", { forceCreate: true })
    await scene.settled()
    assert.deepStrictEqual(await titled("task", "Lifted"), [])
    // If a person changes what the rule does, this person becomes the maker of the rule. The rule then has the rights
    // of this person.
    const sentence = { when: "entity.note.create", where: "title is Renamed", then: "create a task called Taken over" }
    assert.strictEqual((await owner.send("PATCH", `/api/hub/rules/${wide}`, { sentence })).status, 200)
    await note("Renamed", { forceCreate: true })
    await scene.settled()
    assert.strictEqual((await titled("task", "Taken over")).length, 1)
  })

  it("attack: the pod refuses a huge text in an automation rule, but it runs a rule for a record with a huge text", async () => {
    const huge = "x".repeat(600)
    for (const then of [
      `post "${huge}" in general`,
      `post "a" in "${huge}"`,
      `call webhook "${huge}"`,
      Array.from({ length: 11 }, () => "notify me").join(", then ")
    ]) {
      const draft = { intent: "x", scope: { kind: "pod" }, sentence: { when: "a.b", then } }
      assert.strictEqual((await scene.pod.owner.send("POST", "/api/hub/rules", draft)).status, 403)
    }
    const ruleId = await scene.rule({
      when: "entity.note.create",
      where: "description contains needle",
      then: "notify me, then set seen to true"
    })
    await note("y".repeat(500), { description: `${"z".repeat(900_000)} needle` })
    const run = await scene.ended(ruleId)
    assert.deepStrictEqual([run.status, run.output.steps.length], ["succeeded", 2])
  })
})
