/** The layers of model providers. */
import { Layer } from "effect"
import * as VaultLayer from "../vault/VaultLayer.ts"
import * as ProviderHandlers from "./ProviderHandlers.ts"
import { Providers } from "./Providers.ts"

export const layer = ProviderHandlers.layer.pipe(
  Layer.provide(Providers.layer.pipe(Layer.provide(VaultLayer.services)))
)
