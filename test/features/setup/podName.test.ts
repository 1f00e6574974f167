/** The name of the pod over HTTP: who may set it, which names are allowed, and where everybody reads it. */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { onOneStorage } from "../../support/storages.ts"

onOneStorage("the name of the pod", (storage) => {
  let pod: TestPod
  beforeAll(async () => {
    pod = await aPod(storage)
  })
  afterAll(() => pod?.stop())

  const give = (by: Caller, name: unknown) => by.send("PUT", "/api/hub/setup/pod-name", { name })
  const status = async () => (await pod.stranger.send("GET", "/api/hub/setup/status")).body

  it("a pod has no name at first, the owner can set and remove a name, and strangers can read the name in the status", async () => {
    assert.deepStrictEqual(await status(), { hasAdmin: true, needsSetup: false })
    const answer = await give(pod.owner, "  Harbour office ")
    assert.deepStrictEqual(
      [answer.status, answer.body],
      [200, { hasAdmin: true, needsSetup: false, podName: "Harbour office" }]
    )
    assert.strictEqual((await status()).podName, "Harbour office")
    const { body: events } = await pod.owner.send("GET", "/api/hub/events?type=pod.rename")
    assert.deepInclude(events[0], { type: "pod.rename", data: { name: "Harbour office" } })
    assert.strictEqual((await give(pod.owner, null)).status, 200)
    assert.notProperty(await status(), "podName")
  })

  it("the characters of the pod's name are stored without escaping, and a name that is empty, too long or has unsuitable characters is refused", async () => {
    const name = `<b>Ørsted</b> & "sons" 👩‍💻`
    assert.strictEqual((await give(pod.owner, name)).body.podName, name)
    for (const unfit of [
      "",
      "   ",
      "a\nb",
      "a\u0000b",
      "pod\u202egnp",
      "\u200bPod",
      "\u3164",
      "\u2800",
      "\u034f",
      "\u200d",
      "\ufe0f",
      "\ue000",
      "x".repeat(81),
      7,
      undefined
    ]) {
      assert.strictEqual((await give(pod.owner, unfit)).status, 400, JSON.stringify(unfit))
    }
    assert.strictEqual((await status()).podName, name)
    assert.strictEqual((await give(pod.owner, "é".repeat(80))).status, 200)
  })

  it("strangers, members of the pod and keys cannot set the name of the pod, and an administrator can until the owner dismisses the administrator", async () => {
    await give(pod.owner, "Before")
    const member = await pod.aPerson()
    const refused = await give(member, "Mine")
    assert.deepStrictEqual([refused.status, refused.body.code], [403, "ADMINISTRATOR_ONLY"])
    assert.strictEqual((await give(pod.stranger, "Mine")).status, 401)
    const { body } = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
    for (const key of [{}, { agentId: body.result.data.id }]) {
      const byKey = await give(await pod.aKey(pod.owner, key), "Mine")
      assert.deepStrictEqual([byKey.status, byKey.body.code], [403, "SESSION_ONLY"])
    }
    assert.strictEqual((await status()).podName, "Before")
    const appoint = (isAdministrator: boolean) =>
      pod.owner.send("PATCH", `/api/hub/people/${member.id}`, { isAdministrator })
    await appoint(true)
    assert.strictEqual((await give(member, "Ours")).body.podName, "Ours")
    await appoint(false)
    assert.strictEqual((await give(member, "Mine again")).status, 403)
    assert.strictEqual((await status()).podName, "Ours")
  })
})
