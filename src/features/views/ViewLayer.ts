/** The Effect layers of views: `services` for other features, and `layer`, which adds the handlers. */
import { Layer } from "effect"
import * as ViewHandlers from "./ViewHandlers.ts"
import { Views } from "./Views.ts"

export const services = Views.layer

export const layer = ViewHandlers.layer.pipe(Layer.provideMerge(services))
