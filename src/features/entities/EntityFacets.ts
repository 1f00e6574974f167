/**
 * Tells the feature `facets` what it must know about an entity: who may read the entity, in which space and projects it
 * is, and which facets it can have.
 */
import { Effect, Layer } from "effect"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { FacetBearers } from "../facets/FacetBearers.ts"
import { EntityRules } from "./EntityRules.ts"
import { EntityStore } from "./EntityStore.ts"

const absent = () => Effect.fail(missingRecord("entity"))

export const layer = Layer.effect(
  FacetBearers,
  Effect.gen(function* () {
    const store = yield* EntityStore
    const { validateFacet } = yield* EntityRules
    return {
      checkReadable: (entityId) => Effect.asVoid(Effect.catchTag(store.get(entityId), "EntityNotFound", absent)),
      place: (entityId) =>
        store.place(entityId, "update").pipe(
          Effect.map(({ entity, projectIds, spaceId }) => ({
            id: entity.id,
            kind: entity.profileSlug,
            spaceId,
            projectIds
          })),
          Effect.catchTag("EntityNotFound", absent)
        ),
      validateFacet
    }
  })
)
