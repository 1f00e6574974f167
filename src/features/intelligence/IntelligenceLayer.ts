/** The Effect layers of model services: `services` for other features, and `layer`, which adds the handlers. */
import { Layer } from "effect"
import * as HealthLayer from "../health/HealthLayer.ts"
import * as IntelligenceHandlers from "./IntelligenceHandlers.ts"
import { ModelServices } from "./ModelServices.ts"

export const services = ModelServices.layer.pipe(Layer.provide(HealthLayer.services))

export const layer = IntelligenceHandlers.layer.pipe(Layer.provideMerge(services))
