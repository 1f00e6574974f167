/** The layers of vaults. */
import { Layer } from "effect"
import * as VaultHandlers from "./VaultHandlers.ts"
import { Vaults } from "./Vaults.ts"

/** The service that other features use. */
export const services = Vaults.layer

export const layer = Layer.provide(VaultHandlers.layer, services)
