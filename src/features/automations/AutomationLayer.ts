/** The layers of automation rules and their runs. */
import { Layer } from "effect"
import * as ProposalLayer from "../proposals/ProposalLayer.ts"
import * as AutomationHandlers from "./AutomationHandlers.ts"
import * as AutomationRuleHandlers from "./AutomationRuleHandlers.ts"
import { AutomationRules } from "./AutomationRules.ts"

/** The service that other features use. */
export const services = AutomationRules.layer.pipe(Layer.provide(ProposalLayer.services))

export const layer = Layer.mergeAll(AutomationHandlers.layer, AutomationRuleHandlers.layer).pipe(
  Layer.provideMerge(services)
)
