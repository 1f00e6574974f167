/** Rankings of entities by how they are connected. */
import { Layer } from "effect"
import { Centralities } from "./Centralities.ts"
import * as CentralityHandlers from "./CentralityHandlers.ts"

/** The services that other features use. */
export const services = Centralities.layer

export const layer = CentralityHandlers.layer.pipe(Layer.provideMerge(services))
