/** The Effect layers of connectors: `services` has what other features use, and `layer` also has the handlers. */
import { Layer } from "effect"
import * as VaultLayer from "../vault/VaultLayer.ts"
import * as ConnectorHandlers from "./ConnectorHandlers.ts"
import { Connectors } from "./Connectors.ts"

export const services = Connectors.layer.pipe(Layer.provide(VaultLayer.services))

export const layer = Layer.provide(ConnectorHandlers.layer, services)
