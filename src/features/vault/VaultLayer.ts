/**
 * Defines two Effect layers for vaults. Other features use `services`. The pod runs `layer`, which has the handlers.
 * After a change of the pod's key, `layer` also encrypts the data keys again.
 */
import { Layer } from "effect"
import * as VaultHandlers from "./VaultHandlers.ts"
import { VaultKeys } from "./VaultKeys.ts"
import { Vaults } from "./Vaults.ts"

export const services = Layer.merge(Vaults.layer, VaultKeys.layer)

export const layer = Layer.merge(VaultHandlers.layer, VaultKeys.layerResealing).pipe(Layer.provide(services))
