/**
 * A webhook gets only events that its key may read. The tests change rows that the key may read, and rows that it may
 * not read. A rotation of the key keeps the webhook, and a revocation of the key ends it.
 */
import { afterAll, afterEach, assert, beforeAll, it } from "@effect/vitest"
import { Effect } from "effect"
import { noClient, Reach, systemReach } from "../../src/doors/Reach.ts"
import { Records } from "../../src/features/records/Records.ts"
import { Webhook } from "../../src/features/webhooks/Webhook.ts"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { aScene, aStoredKey, described, type Scene } from "../doors/callers.ts"
import type { Credential } from "../doors/model.ts"
import { setRole } from "../support/membership.ts"
import { aPassed } from "../support/passed.ts"
import { onOneStorage } from "../support/storages.ts"
import { aWebhookScene, type WebhookScene } from "../support/webhookScene.ts"

/**
 * Returns the names of the spaces whose events a webhook with this credential may get. `own` is the person's own space.
 * The function is an independent model and does not use the code of the pod.
 */
const placesOf = (credential: Credential, all: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (credential.kind !== "key") return all
  const { grant, scopes, workspaceId } = credential
  if (!scopes.includes("hub-protocol.read")) return []
  if (grant !== null && (!grant.permissions.includes("*") || grant.entityIds !== null || grant.projectIds !== null))
    return []
  const listed = grant?.workspaceIds ?? null
  return all
    .filter((place) => listed === null || listed.includes(place))
    .filter((place) => workspaceId === null || place === workspaceId)
}

onOneStorage("attack: webhooks of keys with every kind of grant", (storage) => {
  let scene: WebhookScene
  let ground: Scene
  let otherId: string
  beforeAll(async () => {
    scene = await aWebhookScene(storage)
    ground = await aScene(scene.pod)
    otherId = await scene.pod.aWorkspace(scene.pod.owner, "Other")
    await setRole(scene.pod, storage, ground.stranger.id, ground.workspaceId, "editor")
  })
  afterEach(() => scene?.closeReceivers())
  afterAll(() => scene?.stop())

  /** Stores a webhook of a key without the usual access checks, because most of these keys may not make a webhook. */
  const stored = (keyId: string, url: string) => {
    const { pod } = scene
    const origin = { operation: "test", requestId: uuidv7(), client: noClient }
    const reach = systemReach("a test stores a webhook", pod.ownerId, [pod.ownerId], origin)
    const fields = {
      name: "Stored",
      url,
      eventTypes: ["*"],
      lens: "all" as const,
      secret: "secret of the test",
      formerSecret: null,
      formerSecretEnds: null,
      active: true,
      retryConfig: { maxRetries: 0 },
      keyId,
      lastTriggeredAt: null
    }
    const id = uuidv7()
    const event = { type: "webhook.create", subjectId: id, data: {} }
    return pod.run(
      Effect.gen(function* () {
        const { add } = yield* Records
        yield* add(Webhook, { id, spaceId: pod.ownerId, fields }, event, aPassed)
      }).pipe(Effect.provideService(Reach, reach))
    )
  }

  it("a webhook gets only events of the person who owns the webhook, and only from the spaces that the credential of the webhook allows", async () => {
    const { follow, listening, log, pod } = scene
    const { foreignWorkspaceId, stranger, workspaceId } = ground
    const keys = Object.entries(described(ground)).filter(([, { agentId }]) => agentId === undefined)
    const receivers = []
    for (const [name, description] of keys) {
      const { credential, id } = await aStoredKey(pod, pod.ownerId, description)
      const receiver = await listening()
      await stored(id, receiver.url)
      receivers.push({ name, credential, receiver })
    }
    const made = async (place: string | null) => {
      const draft = { profileSlug: "note", title: "Row", ...(place === null ? {} : { workspaceId: place }) }
      const { body, status } = await pod.owner.send("POST", "/api/hub/entities", draft)
      assert.strictEqual(status, 200, JSON.stringify(body))
      return (body.entity ?? body).id as string
    }
    for (const place of [null, workspaceId, otherId]) {
      const id = await made(place)
      await pod.owner.send("PATCH", `/api/hub/entities/${id}`, { title: "Changed" })
      await pod.owner.send("DELETE", `/api/hub/entities/${id}`)
      await log(place === null ? {} : { workspaceId: place })
    }
    // The stranger is an editor of the shared workspace. The stranger writes rows there and in their own workspace.
    for (const place of [workspaceId, foreignWorkspaceId]) {
      await stranger.send("POST", "/api/hub/entities", { profileSlug: "note", title: "Theirs", workspaceId: place })
      await log({ workspaceId: place }, stranger)
    }
    const control = await listening()
    await follow(control.url, { eventTypes: ["test.last"] })
    const last = []
    for (const place of [undefined, workspaceId, otherId])
      last.push(await log({ type: "test.last", workspaceId: place }))
    for (const { id } of last) await control.until(({ body }) => body.id === id)
    const places = ["own", workspaceId, otherId]
    for (const { credential, name, receiver } of receivers) {
      const allowed = placesOf(credential, places)
      // Waits until the receiver of the webhook has the last event of each space that the credential of the webhook
      // allows.
      const [first, second, third] = last.map(({ id }) => id)
      for (const [at, id] of [first, second, third].entries()) {
        if (allowed.includes(places[at])) await receiver.until(({ body }) => body.id === id)
      }
      const got = new Set(receiver.calls.map(({ body }) => (body.workspaceId ?? "own") as string))
      assert.sameMembers([...got], [...allowed], name)
      for (const { body } of receiver.calls) assert.strictEqual(body.userId, pod.ownerId, name)
    }
  })

  it("a webhook of a key for one workspace gets the events of this workspace even after the key is rotated, but not after the key is revoked", async () => {
    const { follow, listening, log, pod, untilDeliveries } = scene
    const { workspaceId } = ground
    const key = await pod.aKey(pod.owner, { workspaceId })
    const receiver = await listening()
    const { id } = await follow(receiver.url, { workspaceId }, key)
    const inside = await log({ workspaceId })
    await log({ workspaceId: otherId })
    await receiver.until(({ body }) => body.id === inside.id)
    const { body } = await pod.owner.mutate("apiKeys.rotate", { keyId: key.id })
    await log({ workspaceId: otherId })
    const rotated = await log({ workspaceId })
    await receiver.until((call) => call.body.id === rotated.id)
    await pod.owner.mutate("apiKeys.revoke", { keyId: body.result.data.id })
    const late = await log({ workspaceId })
    const control = await listening()
    await follow(control.url, { workspaceId })
    const last = await log({ workspaceId })
    await control.until((call) => call.body.id === last.id)
    await untilDeliveries(id, (listed) => listed.every(({ status }) => status !== "pending"))
    assert.notInclude(
      receiver.calls.map((call) => call.body.id),
      late.id
    )
    assert.sameMembers(
      receiver.calls.map((call) => call.body.id),
      [inside.id, rotated.id]
    )
  })
})
