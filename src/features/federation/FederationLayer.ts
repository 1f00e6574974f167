/**
 * The Effect layers of federation: `services` has what other features use, and `layer` also has the handlers.
 * Federation accepts assertions of trusted issuers.
 */
import { Layer } from "effect"
import { Assertions } from "./Assertions.ts"
import * as FederationHandlers from "./FederationHandlers.ts"
import { Federations } from "./Federations.ts"

export const services = Assertions.layer

export const layer = FederationHandlers.layer.pipe(Layer.provide(Federations.layer), Layer.provideMerge(services))
