/**
 * A caller uses a key to make a calendar feed, or to change the address of a webhook. The feed and the webhook then
 * show only what the key may read. After the key is revoked, they show nothing.
 */
import { afterAll, afterEach, assert, beforeAll, it } from "@effect/vitest"
import type { Caller } from "../support/pod.ts"
import { onOneStorage } from "../support/storages.ts"
import { aWebhookScene, type WebhookScene } from "../support/webhookScene.ts"
import { anEntity, assertOk, assertRefused, procedureData } from "./attackScene.ts"

const feedPath = "/api/hub/calendar/feed"

onOneStorage("attack: a calendar feed or a webhook is used after the key that made it was revoked", (storage) => {
  let scene: WebhookScene
  beforeAll(async () => void (scene = await aWebhookScene(storage)), 60_000)
  afterEach(() => scene?.closeReceivers())
  afterAll(() => scene?.stop())

  const feedOf = async (by: Caller): Promise<string> => assertOk(await by.send("POST", feedPath)).url
  const readFeed = (url: string) => scene.pod.stranger.send("GET", url)
  const revoke = async (keyId: string) => procedureData(await scene.pod.owner.mutate("apiKeys.revoke", { keyId }))

  it("attack: if a key makes a calendar feed, the feed still works after the key is rotated, but not after the key is revoked", async () => {
    const { pod } = scene
    const { owner } = pod
    await anEntity(owner, { title: "Secret merger", properties: { due: "2027-01-05" } })
    const key = await pod.aKey(owner)
    const url = await feedOf(key)
    assert.include(assertOk(await readFeed(url)), "Secret merger")
    const { id } = procedureData(await owner.mutate("apiKeys.rotate", { keyId: key.id }))
    assert.include(assertOk(await readFeed(url)), "Secret merger")
    await revoke(id)
    assertRefused(await readFeed(url), 404)
    // A feed that a person makes does not depend on any key.
    assert.include(assertOk(await readFeed(await feedOf(owner))), "Secret merger")
  })

  it("attack: a key that is allowed to write but not to read cannot make a calendar feed, and the earlier feed of the person who owns the key still works", async () => {
    const { pod } = scene
    const { owner } = pod
    const url = await feedOf(owner)
    const writing = await pod.aKey(owner, { scope: ["hub-protocol.write"] })
    assertRefused(await writing.send("POST", feedPath), 403, "SCOPE_MISSING")
    assert.strictEqual((await readFeed(url)).status, 200)
  })

  it("attack: if a key changed the address of a webhook, the new address gets no events after the key is revoked", async () => {
    const { follow, listening, log, pod } = scene
    const [before, after, control] = [await listening(), await listening(), await listening()]
    const { id } = await follow(before.url)
    const key = await pod.aKey(pod.owner)
    procedureData(await key.mutate("webhooks.update", { id, url: after.url }))
    const first = await log()
    await after.until(({ body }) => body.id === first.id)
    await revoke(key.id)
    await follow(control.url)
    const late = await log()
    await control.until(({ body }) => body.id === late.id)
    await scene.untilDeliveries(id, (listed) => listed.every(({ status }) => status !== "pending"))
    assert.deepStrictEqual(
      after.calls.map(({ body }) => body.id),
      [first.id]
    )
  })

  it("attack: if a key that may write but not read changes the address of a person's webhook, the new address gets no events", async () => {
    const { follow, listening, log, pod } = scene
    const [before, after, control] = [await listening(), await listening(), await listening()]
    const { id } = await follow(before.url)
    const writing = await pod.aKey(pod.owner, { scope: ["hub-protocol.write"] })
    procedureData(await writing.mutate("webhooks.update", { id, url: after.url }))
    await follow(control.url)
    const late = await log()
    await control.until(({ body }) => body.id === late.id)
    await scene.untilDeliveries(id, (listed) => listed.every(({ status }) => status !== "pending"))
    assert.deepStrictEqual(after.calls, [])
  })

  it("if a key changes a person's webhook but not the address of the webhook, the webhook still works after the key is revoked", async () => {
    const { follow, listening, log, pod } = scene
    const receiver = await listening()
    const { id } = await follow(receiver.url)
    const key = await pod.aKey(pod.owner)
    procedureData(await key.mutate("webhooks.update", { id, name: "Renamed", url: receiver.url }))
    await revoke(key.id)
    const { id: eventId } = await log()
    await receiver.until(({ body }) => body.id === eventId)
  })
})
