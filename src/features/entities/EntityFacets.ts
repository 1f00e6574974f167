/**
 * Tells the feature `facets` what it must know about an entity: who may read the entity, in which space and projects it
 * is, and which facets it can have.
 */
import { Effect, Layer } from "effect"
import { FacetBearers } from "../facets/FacetBearers.ts"
import { entityOrMissing } from "./Entity.ts"
import { EntityRules } from "./EntityRules.ts"
import { EntityStore } from "./EntityStore.ts"

export const layer = Layer.effect(
  FacetBearers,
  Effect.gen(function* () {
    const store = yield* EntityStore
    const { validateFacet } = yield* EntityRules
    return {
      checkReadable: (entityId) => Effect.asVoid(entityOrMissing(store.get(entityId))),
      locate: (entityId) =>
        Effect.map(entityOrMissing(store.locate(entityId, "update")), ({ entity, projectIds, spaceId }) => ({
          id: entity.id,
          kind: entity.profileSlug,
          spaceId,
          projectIds
        })),
      validateFacet
    }
  })
)
