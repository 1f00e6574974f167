/** Attacks on automation rules whose person, key or agent has lost the right to have rules in a workspace. */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { type AutomationScene, aScene } from "../support/automationScene.ts"
import { aColleague, setRole, takeRole } from "../support/membership.ts"
import type { Caller } from "../support/pod.ts"
import { onOneStorage } from "../support/storages.ts"
import { assertOk, procedureData } from "./attackScene.ts"

onOneStorage("attacks on automation rules whose person has lost a role", (storage) => {
  let scene: AutomationScene
  beforeAll(async () => void (scene = await aScene(storage)), 60_000)
  afterAll(() => scene?.stop())
  /** Lists the notices that the rules of a person have sent in a workspace. Only this person can read their events. */
  const noticesIn = async (workspaceId: string, person: Caller) =>
    (await scene.events("automation.notify", person)).filter((event) => event.workspaceId === workspaceId)
  const statuses = async (ruleId: string) => (await scene.runs(ruleId)).map(({ status }) => status)

  it("attack: after a person has become a viewer of a workspace, the automation rules of this person in the workspace neither notify other members nor write anything", async () => {
    const { pod } = scene
    const workspaceId = await pod.aWorkspace(pod.owner, "Demoted")
    const there = { scope: { kind: "workspace", workspaceId } }
    const person = await aColleague(pod, storage, workspaceId, "editor", "demoted")
    const when = { when: "entity.note.create" }
    const rules = [
      await scene.rule({ ...when, then: 'notify Owner that "I still speak"' }, there, person),
      await scene.rule({ ...when, then: "create a task called Written" }, there, person)
    ]
    await scene.entity({ profileSlug: "note", title: "As an editor", workspaceId })
    await scene.settled()
    for (const ruleId of rules) assert.deepStrictEqual(await statuses(ruleId), ["succeeded"])
    assert.lengthOf(await noticesIn(workspaceId, person), 1)
    await setRole(pod, storage, person.id, workspaceId, "viewer")
    await scene.entity({ profileSlug: "note", title: "As a viewer", workspaceId })
    await scene.settled()
    for (const ruleId of rules) assert.deepStrictEqual(await statuses(ruleId), ["succeeded"])
    assert.lengthOf(await noticesIn(workspaceId, person), 1)
    await setRole(pod, storage, person.id, workspaceId, "editor")
    await scene.entity({ profileSlug: "note", title: "As an editor again", workspaceId })
    await scene.settled()
    for (const ruleId of rules) assert.deepStrictEqual(await statuses(ruleId), ["succeeded", "succeeded"])
  })

  it("attack: the automation rule of a viewer can notify the viewer, but it can neither notify other members of the workspace nor write an event there", async () => {
    const { pod } = scene
    const workspaceId = await pod.aWorkspace(pod.owner, "Viewed")
    const viewer = await aColleague(pod, storage, workspaceId, "viewer", "viewing")
    const hook = { name: "mine", url: "https://receiver.example.com/hook", eventTypes: ["never.happens"] }
    procedureData(await viewer.mutate("webhooks.create", hook))
    const when = { when: "entity.note.create", where: "title is Seen by a viewer" }
    const own = await scene.rule({ ...when, then: 'notify me that "a note is there"' }, {}, viewer)
    const refused = [
      await scene.rule({ ...when, then: 'notify Owner that "a viewer speaks"' }, {}, viewer),
      await scene.rule({ ...when, then: "call webhook mine" }, {}, viewer)
    ]
    await scene.entity({ profileSlug: "note", title: "Seen by a viewer", workspaceId })
    await scene.settled()
    assert.deepStrictEqual(
      (await scene.runs(own, viewer)).map(({ status }) => status),
      ["succeeded"]
    )
    for (const ruleId of refused) {
      const [run] = await scene.runs(ruleId, viewer)
      assert.deepStrictEqual(
        [run.status, run.error],
        ["failed", "The rule may only read in this workspace, so the pod carried out nothing there."]
      )
    }
    assert.deepStrictEqual(await noticesIn(workspaceId, viewer), [])
    assert.deepStrictEqual(await scene.events("automation.run", viewer), [])
  })

  it("attack: after an agent has left a workspace or lost its capability for rules, its automation rules there notify nobody", async () => {
    const { pod } = scene
    const { owner } = pod
    const workspaceId = await pod.aWorkspace(owner, "Without agents")
    const anAgent = async (name: string) => {
      const { id } = procedureData(await owner.mutate("agents.create", { name, capabilities: ["*"] }))
      assertOk(await owner.send("POST", "/api/hub/workspaces/enroll-agent", { agentUserId: id, workspaceId }))
      const auto = { scopeKind: "pod", targetKind: "action", targetPattern: "rule.create", verdict: "auto" }
      procedureData(await owner.mutate("governanceRules.create", { ...auto, agentUserId: id }))
      const agent = await pod.aKey(owner, { agentId: id })
      const sentence = { when: "entity.note.create", then: `notify me that "${name} is here"` }
      const ruleId = await scene.rule(sentence, { scope: { kind: "workspace", workspaceId } }, agent)
      return { id: id as string, ruleId }
    }
    const leaver = await anAgent("Leaver")
    const limited = await anAgent("Limited")
    const staying = await anAgent("Staying")
    await takeRole(pod, storage, leaver.id, workspaceId)
    procedureData(await owner.mutate("agents.update", { agentId: limited.id, capabilities: ["entity"] }))
    await scene.entity({ profileSlug: "note", title: "Of the person", workspaceId })
    await scene.settled()
    assert.deepStrictEqual(await statuses(leaver.ruleId), [])
    assert.deepStrictEqual(await statuses(limited.ruleId), [])
    assert.deepStrictEqual(await statuses(staying.ruleId), ["succeeded"])
  })
})
