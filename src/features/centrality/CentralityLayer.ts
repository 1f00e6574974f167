/** The layers of rankings of entities. */
import { Layer } from "effect"
import { StandingReach } from "../access/StandingReach.ts"
import { Centralities } from "./Centralities.ts"
import * as CentralityHandlers from "./CentralityHandlers.ts"

/** The services that other features use. */
export const services = Centralities.layer.pipe(Layer.provide(StandingReach.layer))

export const layer = CentralityHandlers.layer.pipe(Layer.provideMerge(services))
