/** Tests what a pod does if it stops while webhook deliveries wait. */
import { assert, it } from "@effect/vitest"
import { DateTime, Deferred, Effect, Exit, Layer, Scope } from "effect"
import { EventCursors } from "../../../src/features/events/EventCursors.ts"
import { CallStore } from "../../../src/features/webhooks/CallStore.ts"
import { startDelivering } from "../../../src/features/webhooks/Deliveries.ts"
import { DeliveryStore } from "../../../src/features/webhooks/DeliveryStore.ts"
import { SubscriberReach } from "../../../src/features/webhooks/SubscriberReach.ts"
import { WebhookAttempts } from "../../../src/features/webhooks/WebhookAttempts.ts"
import { WebhookSettings } from "../../../src/features/webhooks/WebhookSettings.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { MemoryDatabase } from "../../../src/platform/MemoryDatabase.ts"
import { Transaction } from "../../../src/platform/Transaction.ts"
import { quickWebhooks } from "../../support/receiver.ts"

it.live("while a pod stops, it begins no further round of webhook calls, even if deliveries wait", () =>
  Effect.gen(function* () {
    const began = yield* Deferred.make<void>()
    let rounds = 0
    const round = Effect.suspend(() => {
      rounds += 1
      if (rounds > 1) return Effect.succeedNone
      return Effect.zipRight(Deferred.succeed(began, undefined), Effect.never)
    })
    const due = [{ webhookId: uuidv7(), personId: uuidv7() }]
    const services = Layer.mergeAll(
      Layer.mock(DeliveryStore, {
        since: Effect.succeed(DateTime.unsafeMake(0)),
        due: () => Effect.succeed(due),
        forgetOld: Effect.void,
        forgetFormerSecrets: Effect.void
      }),
      Layer.mock(CallStore, {}),
      Layer.mock(SubscriberReach, { of: () => round }),
      EventCursors.layerMemory,
      WebhookAttempts.layer,
      Layer.succeed(WebhookSettings, quickWebhooks()),
      Transaction.layerMemory
    ).pipe(Layer.provide(MemoryDatabase.layer))
    const scope = yield* Scope.make()
    yield* startDelivering(Effect.never).pipe(Effect.provide(services), Scope.extend(scope))
    yield* Deferred.await(began)
    yield* Scope.close(scope, Exit.void)
    assert.strictEqual(rounds, 1)
  })
)
