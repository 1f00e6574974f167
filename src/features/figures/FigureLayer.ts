/**
 * The Effect layers of figures (counts of the records that a caller may see). They contain the service and the
 * handlers.
 */
import { Layer } from "effect"
import * as EntityLayer from "../entities/EntityLayer.ts"
import * as HealthLayer from "../health/HealthLayer.ts"
import * as IntelligenceLayer from "../intelligence/IntelligenceLayer.ts"
import * as FigureHandlers from "./FigureHandlers.ts"
import { PodFigures } from "./PodFigures.ts"

export const services = PodFigures.layer.pipe(
  Layer.provide(Layer.mergeAll(EntityLayer.services, HealthLayer.services, IntelligenceLayer.services))
)

export const layer = FigureHandlers.layer.pipe(Layer.provide(services))
