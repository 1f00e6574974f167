/** The Effect layers of brands and their kits: `services` for other features, and `layer`, which adds the handlers. */
import { Layer } from "effect"
import * as BrandHandlers from "./BrandHandlers.ts"
import { Brands } from "./Brands.ts"

export const services = Brands.layer

export const layer = BrandHandlers.layer.pipe(Layer.provideMerge(services))
