/** The handlers of model providers: they translate between the endpoints and the service. */
import { Effect } from "effect"
import { deleteResponse } from "../../doors/Fields.ts"
import { implement } from "../../doors/Implement.ts"
import { ProviderApi } from "./ProviderApi.ts"
import { Providers } from "./Providers.ts"

export const layer = implement(
  ProviderApi,
  Effect.map(Providers, ({ activate, create, deactivate, list, probe, remove, update }) => ({
    "providers.list": ({ urlParams }) => list(urlParams),
    "providers.create": ({ payload }) => create(payload),
    "providers.update": ({ path, payload }) => update(path.id, payload),
    "providers.probe": ({ path }) => probe(path.id),
    "providers.activate": ({ path }) => activate(path.id),
    "providers.deactivate": ({ path }) => deactivate(path.id),
    "providers.delete": ({ path }) => Effect.map(remove(path.id), deleteResponse)
  }))
)
