/** Assembles the layers of brands and their kits: the services that other features use, and the handlers. */
import { Layer } from "effect"
import * as BrandHandlers from "./BrandHandlers.ts"
import { Brands } from "./Brands.ts"

/** The services that other features use. */
export const services = Brands.layer

export const layer = BrandHandlers.layer.pipe(Layer.provideMerge(services))
