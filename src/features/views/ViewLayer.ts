/** The layers of views. */
import { Layer } from "effect"
import * as ViewHandlers from "./ViewHandlers.ts"
import { Views } from "./Views.ts"

/** The services that other features use. */
export const services = Views.layer

export const layer = ViewHandlers.layer.pipe(Layer.provideMerge(services))
