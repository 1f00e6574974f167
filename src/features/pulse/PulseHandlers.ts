/** The handlers of the pulse. They pass each call of an endpoint to the service. */
import { Effect } from "effect"
import { implement } from "../../doors/Implement.ts"
import { pagedAnswer } from "../../doors/Page.ts"
import { PulseApi } from "./PulseApi.ts"
import { Pulses } from "./Pulses.ts"

export const layer = implement(
  PulseApi,
  Effect.map(Pulses, ({ fanout, list }) => ({
    "subscriptions.list": ({ urlParams }) =>
      Effect.map(list(urlParams), (page) => pagedAnswer(page, (items) => ({ items }))),
    "subscriptions.fanout": ({ path: { eventId }, urlParams: { lens } }) => fanout(eventId, lens)
  }))
)
