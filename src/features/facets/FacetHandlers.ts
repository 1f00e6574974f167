/** The handlers of facets: they translate between the Hub endpoints and the service. */
import { Effect } from "effect"
import { invalid } from "../../doors/Failure.ts"
import { deleteResponse } from "../../doors/Fields.ts"
import { implement } from "../../doors/Implement.ts"
import { FacetApi } from "./FacetApi.ts"
import { Facets } from "./Facets.ts"

export const layer = implement(
  FacetApi,
  Effect.map(Facets, (facets) => ({
    "facets.list": ({ path }) => facets.list(path.id),
    "facets.put": Effect.fnUntraced(function* ({
      path,
      payload: { profileSlug, properties = {}, slug = profileSlug, userId: _caller, ...circumstances }
    }) {
      if (slug === undefined) return yield* invalid("slug", "Send the slug of the facet in `slug`.")
      return yield* facets.put(path.id, { slug, properties }, circumstances)
    }),
    "facets.delete": ({ path }) => Effect.map(facets.remove(path.id, path.slug), deleteResponse)
  }))
)
