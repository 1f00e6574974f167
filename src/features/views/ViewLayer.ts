/** Defines two Effect layers for views. Other features use `services`. The pod runs `layer`, which has the handlers. */
import { Layer } from "effect"
import * as ViewHandlers from "./ViewHandlers.ts"
import { Views } from "./Views.ts"

export const services = Views.layer

export const layer = ViewHandlers.layer.pipe(Layer.provideMerge(services))
