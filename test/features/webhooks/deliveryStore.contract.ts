/** What the store of deliveries promises on each engine: each event once, and former secrets only for their time. */
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, type Layer } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { DeliveryStore } from "../../../src/features/webhooks/DeliveryStore.ts"
import { Webhook } from "../../../src/features/webhooks/Webhook.ts"
import { Records } from "../../../src/features/records/Records.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aPassed } from "../../support/passed.ts"
import { aMember } from "../../support/people.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import { aPlannedDelivery, inStore } from "./deliveryCalls.ts"

/** Makes a webhook without the rules of the service. */
const aWebhook = (reach: ReachShape, spaceId: string, more: Partial<Webhook> = {}) => {
  const id = uuidv7()
  const fields = {
    name: "Test",
    url: "https://hooks.example.com/in",
    eventTypes: ["*"],
    lens: "all" as const,
    secret: "secret",
    formerSecret: null,
    formerSecretEnds: null,
    active: true,
    retryConfig: { maxRetries: 3 },
    keyId: null,
    lastTriggeredAt: null,
    ...more
  }
  const event = { type: "webhook.create", subjectId: id, data: {} }
  const added = Effect.flatMap(Records, ({ add }) => add(Webhook, { id, spaceId, fields }, event, aPassed))
  return withReach(reach)(Effect.as(added, id))
}

export const deliveryStoreContract = (stores: Layer.Layer<Stores>): void => {
  const check = (name: string, body: () => Effect.Effect<void, unknown, Stores>) =>
    it.effect(name, () => Effect.provide(body(), stores))

  check("an event is planned once for a webhook, however often it is read", () =>
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const webhookId = uuidv7()
      const one = aPlannedDelivery(spaceId, webhookId)
      yield* inStore(reach, ({ plan }) => plan([one]))
      yield* inStore(reach, ({ plan }) => plan([{ ...one, id: uuidv7() }]))
      const listed = yield* inStore(reach, ({ list }) => list(webhookId, 10))
      assert.deepStrictEqual(
        listed.map(({ id }) => id),
        [one.id]
      )
    })
  )

  check("the former secret of a webhook is deleted when its time has ended, and not before", () =>
    Effect.gen(function* () {
      const { reach, spaceId } = yield* aMember()
      const made = (formerSecretEnds: DateTime.Utc) =>
        aWebhook(reach, spaceId, { formerSecret: "former", formerSecretEnds })
      const [ended, going] = [yield* made(DateTime.unsafeMake(0)), yield* made(DateTime.unsafeMake("2200-01-01"))]
      yield* Effect.flatMap(DeliveryStore, ({ forgetFormerSecrets }) => forgetFormerSecrets)
      const former = (id: string) =>
        withReach(reach)(
          Effect.map(
            Effect.flatMap(Records, ({ get }) => get(Webhook, id)),
            ({ formerSecret }) => formerSecret
          )
        )
      assert.deepStrictEqual([yield* former(ended), yield* former(going)], [null, "former"])
    })
  )
}
