/**
 * Defines two Effect layers for the use of keys. Other features use `services`. The pod runs `layer`, which has the
 * handlers.
 */
import { Layer } from "effect"
import { EventWatch } from "../events/EventWatch.ts"
import * as KeyLayer from "../keys/KeyLayer.ts"
import { KeyUsage } from "./KeyUsage.ts"
import * as UsageHandlers from "./UsageHandlers.ts"

export const services = KeyUsage.layer.pipe(Layer.provide(KeyLayer.services))

export const layer = UsageHandlers.layer.pipe(Layer.provideMerge(services), Layer.provide(EventWatch.layer))
