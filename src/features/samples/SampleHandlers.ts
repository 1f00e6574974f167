/** The handlers of two endpoints: one makes a delivery for the sample data, and the other removes the sample data. */
import { Effect, Layer } from "effect"
import { implement } from "../../doors/Implement.ts"
import { SampleApi } from "./SampleApi.ts"
import { Samples } from "./Samples.ts"

export const layer = implement(
  SampleApi,
  Effect.map(Samples, (samples) => ({
    "samples.remove": () => samples.remove,
    "samples.deliver": ({ payload: { eventId, webhookId } }) =>
      Effect.map(samples.deliver(webhookId, eventId), (deliveryId) => ({ deliveryId }))
  }))
).pipe(Layer.provide(Samples.layer))
