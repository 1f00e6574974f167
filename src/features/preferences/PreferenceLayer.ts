/** The Effect layer of preferences: it connects the handlers with the service. */
import { Layer } from "effect"
import * as IntelligenceLayer from "../intelligence/IntelligenceLayer.ts"
import * as PreferenceHandlers from "./PreferenceHandlers.ts"
import { Preferences } from "./Preferences.ts"

export const layer = PreferenceHandlers.layer.pipe(
  Layer.provide(Layer.merge(Preferences.layer, IntelligenceLayer.services))
)
