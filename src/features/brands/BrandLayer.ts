/**
 * The Effect layers of brands and their kits: `services` has what other features use, and `layer` also has the
 * handlers.
 */
import { Layer } from "effect"
import * as BrandHandlers from "./BrandHandlers.ts"
import { Brands } from "./Brands.ts"

export const services = Brands.layer

export const layer = BrandHandlers.layer.pipe(Layer.provideMerge(services))
