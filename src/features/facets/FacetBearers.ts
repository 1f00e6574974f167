/**
 * What the feature `facets` must know about the entities that have facets. The feature `entities` provides this service.
 */
import { Context, type Effect } from "effect"
import type { Invalid, NotFound } from "../../doors/Failure.ts"
import type { Reach } from "../../doors/Reach.ts"
import type { CheckStage } from "../gate/Changers.ts"
import type { Fields } from "../profiles/PropertyRules.ts"

/** An entity that can have facets, with its space and projects. The gate needs them for its decision. */
export interface FacetBearer {
  readonly id: string
  readonly kind: string
  readonly spaceId: string
  readonly projectIds: ReadonlyArray<string>
}

export class FacetBearers extends Context.Tag("pod/FacetBearers")<
  FacetBearers,
  {
    /** Fails with NotFound if the caller may not read the entity. */
    readonly checkReadable: (entityId: string) => Effect.Effect<void, NotFound, Reach>
    /**
     * Finds the entity of a write. Fails with NotFound if the caller is allowed neither to read nor to update the
     * entity.
     */
    readonly locate: (entityId: string) => Effect.Effect<FacetBearer, NotFound, Reach>
    /**
     * Validates the properties of a facet for an entity of the given kind. If `before` is null, the facet is new and
     * gets its defaults.
     */
    readonly validateFacet: (
      slug: string,
      by: { readonly kind: string; readonly spaceId: string },
      before: Fields | null,
      after: Fields,
      moment: CheckStage
    ) => Effect.Effect<Fields, Invalid, Reach>
  }
>() {}
