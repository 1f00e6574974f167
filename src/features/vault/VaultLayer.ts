/** The Effect layers of vaults: `services` for other features, and `layer`, which adds the handlers. */
import { Layer } from "effect"
import * as VaultHandlers from "./VaultHandlers.ts"
import { VaultKeys } from "./VaultKeys.ts"
import { Vaults } from "./Vaults.ts"

export const services = Layer.merge(Vaults.layer, VaultKeys.layer)

export const layer = Layer.merge(VaultHandlers.layer, VaultKeys.layerResealing).pipe(Layer.provide(services))
