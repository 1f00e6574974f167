/** The layers of vaults. */
import { Layer } from "effect"
import * as VaultHandlers from "./VaultHandlers.ts"
import { VaultKeys } from "./VaultKeys.ts"
import { Vaults } from "./Vaults.ts"

/** The services that other features use. */
export const services = Layer.merge(Vaults.layer, VaultKeys.layer)

export const layer = Layer.merge(VaultHandlers.layer, VaultKeys.layerResealing).pipe(Layer.provide(services))
