/** The Effect layer of the pulse. It has three sources of reactions: automations, notifications and webhooks. */
import { Effect, Layer } from "effect"
import * as GraphLayer from "../graph/GraphLayer.ts"
import * as PeopleLayer from "../people/PeopleLayer.ts"
import * as ProposalLayer from "../proposals/ProposalLayer.ts"
import * as WebhookLayer from "../webhooks/WebhookLayer.ts"
import { Webhooks } from "../webhooks/Webhooks.ts"
import { automationReactions, notifyReactions } from "./CausedReactions.ts"
import * as PulseHandlers from "./PulseHandlers.ts"
import { PulseNames } from "./PulseNames.ts"
import { Pulses } from "./Pulses.ts"

const sources = Effect.all([automationReactions, notifyReactions, Effect.map(Webhooks, ({ reactions }) => reactions)])

const names = PulseNames.layer.pipe(
  Layer.provide(Layer.mergeAll(GraphLayer.services, PeopleLayer.services, ProposalLayer.services))
)

const pulses = Layer.unwrapEffect(Effect.map(sources, Pulses.layer)).pipe(
  Layer.provide(Layer.merge(names, WebhookLayer.services))
)

export const layer = PulseHandlers.layer.pipe(Layer.provide(pulses))
