/** The Effect layers for the use of keys: `services` for other features, and `layer`, which adds the handlers. */
import { Layer } from "effect"
import * as KeyLayer from "../keys/KeyLayer.ts"
import { KeyUsage } from "./KeyUsage.ts"
import * as UsageHandlers from "./UsageHandlers.ts"

export const services = KeyUsage.layer.pipe(Layer.provide(KeyLayer.services))

export const layer = UsageHandlers.layer.pipe(Layer.provideMerge(services))
