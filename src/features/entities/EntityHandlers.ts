/** Translates between what the surfaces open of entities and the services. */
import { Effect, Layer } from "effect"
import { invalid, NotFound } from "../../doors/Failure.ts"
import { removed } from "../../doors/Fields.ts"
import { implement, implementProcedures, implementTools } from "../../doors/Implement.ts"
import { Entities } from "./Entities.ts"
import type { Entity } from "./Entity.ts"
import type { Written } from "./EntityAnswers.ts"
import { EntityApi } from "./EntityApi.ts"
import { storeRefusals } from "./EntityContents.ts"
import { EntityProcedures } from "./EntityRpc.ts"
import { EntityTools } from "./EntityTools.ts"
import type { MadeEntity } from "./EntityWrites.ts"
import { FacetApi } from "./FacetApi.ts"
import { Facets } from "./Facets.ts"
import { Namesakes } from "./Namesakes.ts"

const wire = {
  EntityNotFound: () => Effect.fail(storeRefusals.EntityNotFound()),
  EntityChanged: (refusal: { readonly version: number }) => Effect.fail(storeRefusals.EntityChanged(refusal))
}

const written = (status: Written["status"]) => (entity: Entity) => ({
  ...entity,
  status,
  effectiveWorkspaceId: entity.workspaceId,
  writeReceipt: { state: "applied" as const }
})

const made = ({ entity, existing, status }: MadeEntity): Written => ({
  ...written(status)(entity),
  resolution: { existingSameProfile: existing, autoConnected: [], suggestions: [] }
})

const everywhere = { q: undefined, scope: "all" as const, includePodWide: true, offset: 0 }

type Service = typeof Entities.Service

const create = (entities: Service, draft: Parameters<Service["create"]>[0]) =>
  entities.create(draft).pipe(
    Effect.map(made),
    Effect.catchTags({
      ...wire,
      ProfileUnknown: (refusal) => Effect.fail(storeRefusals.ProfileUnknown(refusal))
    })
  )

const update = (entities: Service, id: string, change: Parameters<Service["update"]>[1]) =>
  entities.update(id, change).pipe(Effect.map(written("updated")), Effect.catchTags(wire))

const rest = implement(
  EntityApi,
  Effect.map(Entities, (entities) => ({
    "entities.list": ({ urlParams }) => entities.list(urlParams),
    "entities.listOfUser": ({ urlParams }) => entities.list(urlParams),
    "entities.get": ({ path }) => Effect.catchTags(entities.get(path.id), { EntityNotFound: wire.EntityNotFound }),
    "entities.create": ({ payload }) => create(entities, payload),
    "entities.update": ({ path, payload }) => update(entities, path.id, payload),
    "entities.delete": ({ path }) =>
      entities
        .remove(path.id)
        .pipe(Effect.as({ status: "deleted" as const, id: path.id, success: true }), Effect.catchTags(wire))
  }))
)

const facets = implement(
  FacetApi,
  Effect.map(Facets, (kept) => ({
    "facets.list": ({ path }) => kept.list(path.id),
    "facets.put": ({ path, payload: { profileSlug, properties = {}, slug = profileSlug, userId: _caller, ...said } }) =>
      Effect.gen(function* () {
        if (slug === undefined) return yield* invalid("slug", "Name the role.")
        return yield* kept.put(path.id, { slug, properties }, said)
      }),
    "facets.delete": ({ path }) => Effect.map(kept.remove(path.id, path.slug), removed)
  }))
)

const procedures = implementProcedures(
  EntityProcedures,
  Effect.map(Entities, (entities) => ({
    "entities.getEntities": (input) => entities.list({ ...everywhere, ...input })
  }))
)

const leanLength = 120 // characters of a text in a lean answer

/** Long texts cut, nulls and empty objects left out. */
const lean = (entity: Entity): Partial<Entity> =>
  Object.fromEntries(
    Object.entries(entity)
      .filter(([name, value]) => value !== null && !(name === "systemData" && Object.keys(value).length === 0))
      .map(([name, value]) => [
        name,
        typeof value === "string" && value.length > leanLength ? `${value.slice(0, leanLength).toWellFormed()}…` : value
      ])
  )

const tools = implementTools(
  EntityTools,
  Effect.gen(function* () {
    const entities = yield* Entities
    const namesakes = yield* Namesakes
    return {
      svc_get_entities: ({ detail, ...input }) =>
        Effect.gen(function* () {
          const { items, next } = yield* entities.list({ ...everywhere, ...input })
          const answer = {
            entities: detail === "full" ? items : items.map(lean),
            ...(next === null ? {} : { nextCursor: next })
          }
          return { answer, next }
        }),
      svc_get_entity: ({ detail, entityId, workspaceId }) =>
        entities.get(entityId).pipe(
          Effect.filterOrFail(
            (entity) => workspaceId === undefined || entity.workspaceId === workspaceId,
            () => new NotFound({ why: "There is no such entity." })
          ),
          Effect.map((entity) => (detail === "full" ? entity : lean(entity))),
          Effect.catchTags({ EntityNotFound: wire.EntityNotFound })
        ),
      svc_resolve_identity: (input) =>
        Effect.map(namesakes.resolve(input), ({ candidates, entityId, match }) => ({
          match,
          ...(entityId === null ? {} : { entityId }),
          candidates
        })),
      svc_create_entity: (draft) => create(entities, draft),
      svc_update_entity: ({ entityId, ...change }) => update(entities, entityId, change)
    }
  })
)

export const layer = Layer.mergeAll(rest, facets, procedures, tools)
