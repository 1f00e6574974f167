/** The Effect layers of the tool with which agents wait for people. */
import { Effect, Layer } from "effect"
import { implementTools } from "../../doors/Implement.ts"
import * as ConversationLayer from "../conversations/ConversationLayer.ts"
import { EventWatch } from "../events/EventWatch.ts"
import * as ProposalLayer from "../proposals/ProposalLayer.ts"
import { Waiting } from "./Waiting.ts"
import { WaitTools } from "./WaitTools.ts"

const handlers = implementTools(
  WaitTools,
  Effect.map(Waiting, (waiting) => ({ svc_wait_for_answer: waiting.answer }))
)

export const layer = handlers.pipe(
  Layer.provide(Waiting.layer),
  Layer.provide(Layer.mergeAll(ConversationLayer.services, ProposalLayer.services, EventWatch.layer))
)
