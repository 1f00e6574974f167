/** Functions that call the webhook stores, for the test suites of these stores. */
import { DateTime, Effect } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { CallStore, type EndedCall, type Outcome, turnOf } from "../../../src/features/webhooks/CallStore.ts"
import type { PlannedDelivery } from "../../../src/features/webhooks/Delivery.ts"
import { DeliveryStore } from "../../../src/features/webhooks/DeliveryStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { Transaction } from "../../../src/platform/Transaction.ts"
import { withReach } from "../../support/stores.ts"

export const inStore = <A, E>(
  reach: ReachShape,
  call: (store: typeof DeliveryStore.Service) => Effect.Effect<A, E, any>
) => withReach(reach)(Effect.flatMap(DeliveryStore, call))

export const inCalls = <A, E>(reach: ReachShape, call: (store: typeof CallStore.Service) => Effect.Effect<A, E, any>) =>
  withReach(reach)(Effect.flatMap(CallStore, call))

/** Claims deliveries as a pod does: the claims of one person run one after another. */
export const claimedBy = (reach: ReachShape, webhookIds: ReadonlyArray<string>, most = 100) =>
  Effect.flatMap(Transaction, ({ exclusively }) =>
    exclusively(
      turnOf(reach.principal.personId),
      inCalls(reach, ({ claim }) => claim(webhookIds, most, 60))
    )
  )

/** Stores how calls ended, and stops the webhooks that `storeResults` returns, as a pod does. */
export const settledBy = (reach: ReachShape, ended: ReadonlyArray<EndedCall>, disableAfterSeconds = 1000) =>
  inCalls(reach, ({ storeResults, stop }) =>
    Effect.tap(storeResults(ended, disableAfterSeconds), ({ unwanted }) => Effect.forEach(unwanted, stop))
  )

export const aPlannedDelivery = (
  spaceId: string,
  webhookId: string,
  more: Partial<PlannedDelivery> = {}
): PlannedDelivery => ({
  id: uuidv7(),
  spaceId,
  webhookId,
  homeId: spaceId,
  eventId: uuidv7(),
  eventType: "test.happened",
  seq: 1,
  subjectId: uuidv7(),
  isTest: false,
  ...more
})

export const anOutcome = (more: Partial<Outcome> = {}): Outcome => ({
  status: "success",
  pauseSeconds: 0,
  request: { headers: {}, bodyStart: "{", bodyEnd: "}", isCut: false },
  responseStatus: 200,
  responseHeaders: {},
  responseBody: "",
  error: null,
  startedAt: DateTime.unsafeMake(0),
  latencyMs: 10,
  isGone: false,
  ...more
})
