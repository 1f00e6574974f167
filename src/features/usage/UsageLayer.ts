/** The layers for the use of keys. */
import { Layer } from "effect"
import * as KeyLayer from "../keys/KeyLayer.ts"
import { KeyUsage } from "./KeyUsage.ts"
import * as UsageHandlers from "./UsageHandlers.ts"

/** The services that other features use. */
export const services = KeyUsage.layer.pipe(Layer.provide(KeyLayer.services))

export const layer = UsageHandlers.layer.pipe(Layer.provideMerge(services))
