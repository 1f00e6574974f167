/** The handlers of brands: they translate between the Hub endpoints and the service. */
import { Effect } from "effect"
import { deleteResponse } from "../../doors/Fields.ts"
import { implement } from "../../doors/Implement.ts"
import { BrandApi } from "./BrandApi.ts"
import { Brands } from "./Brands.ts"

export const layer = implement(
  BrandApi,
  Effect.map(Brands, ({ governed, kit }) => ({
    "brand.kit": ({ urlParams }) => kit(urlParams),
    "brands.list": ({ urlParams }) => governed.list(urlParams),
    "brands.get": ({ path }) => governed.get(path.id),
    "brands.create": ({ payload: { workspaceId, reasoning, sessionId, ...fields } }) =>
      governed.create({ workspaceId, fields, reasoning, sessionId }),
    "brands.update": ({ path, payload: { reasoning, sessionId, expectedVersion, ...fields } }) =>
      governed.update(path.id, fields, { reasoning, sessionId, expectedVersion }),
    "brands.delete": ({ path }) => Effect.map(governed.remove(path.id), deleteResponse)
  }))
)
