/** The Effect layer of model providers: it connects the handlers with the service. */
import { Layer } from "effect"
import * as VaultLayer from "../vault/VaultLayer.ts"
import * as ProviderHandlers from "./ProviderHandlers.ts"
import { Providers } from "./Providers.ts"

export const layer = ProviderHandlers.layer.pipe(
  Layer.provide(Providers.layer.pipe(Layer.provide(VaultLayer.services)))
)
