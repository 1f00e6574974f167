/**
 * The Effect layers of automation rules and of their runs. They contain the service that other features use, the
 * handlers, and the background work.
 */
import { Layer } from "effect"
import * as AccessLayer from "../access/AccessLayer.ts"
import * as ConversationLayer from "../conversations/ConversationLayer.ts"
import * as EntityLayer from "../entities/EntityLayer.ts"
import * as KeyLayer from "../keys/KeyLayer.ts"
import * as PeopleLayer from "../people/PeopleLayer.ts"
import * as ProposalLayer from "../proposals/ProposalLayer.ts"
import { WebhookCalls } from "../webhooks/WebhookCalls.ts"
import * as WorkspaceLayer from "../workspaces/WorkspaceLayer.ts"
import * as AutomationHandlers from "./AutomationHandlers.ts"
import * as AutomationRuleHandlers from "./AutomationRuleHandlers.ts"
import { AutomationRules } from "./AutomationRules.ts"
import { startAutomations } from "./Firings.ts"

export const services = AutomationRules.layer.pipe(
  Layer.provide(Layer.merge(KeyLayer.services, ProposalLayer.services))
)

const stepServices = Layer.mergeAll(
  AccessLayer.services,
  ConversationLayer.services,
  EntityLayer.services,
  PeopleLayer.services,
  WebhookCalls.layer.pipe(Layer.provide(KeyLayer.services)),
  WorkspaceLayer.services
)

const runs = Layer.scopedDiscard(startAutomations).pipe(Layer.provide(stepServices))

export const layer = Layer.mergeAll(AutomationHandlers.layer, AutomationRuleHandlers.layer, runs).pipe(
  Layer.provideMerge(services)
)
