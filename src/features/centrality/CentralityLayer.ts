/** The Effect layers of entity rankings: `services` has what other features use, and `layer` also has the handlers. */
import { Layer } from "effect"
import * as AccessLayer from "../access/AccessLayer.ts"
import { Centralities } from "./Centralities.ts"
import * as CentralityHandlers from "./CentralityHandlers.ts"

export const services = Centralities.layer.pipe(Layer.provide(AccessLayer.services))

export const layer = CentralityHandlers.layer.pipe(Layer.provideMerge(services))
