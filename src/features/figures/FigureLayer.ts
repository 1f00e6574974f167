/** The layer of figures. */
import { Layer } from "effect"
import * as HealthLayer from "../health/HealthLayer.ts"
import * as IntelligenceLayer from "../intelligence/IntelligenceLayer.ts"
import * as FigureHandlers from "./FigureHandlers.ts"

export const layer = FigureHandlers.layer.pipe(
  Layer.provide(Layer.merge(HealthLayer.services, IntelligenceLayer.services))
)
