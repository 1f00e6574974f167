/** The layers of federation, which accepts assertions of trusted issuers. */
import { Layer } from "effect"
import * as FederationHandlers from "./FederationHandlers.ts"
import { Federations } from "./Federations.ts"

/** The services that other features use. */
export const services = Federations.layer

export const layer = FederationHandlers.layer.pipe(Layer.provideMerge(services))
