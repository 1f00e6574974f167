/** Translates between what the surfaces open of entities and the service. */
import { Effect, Layer } from "effect"
import { Conflict, invalid, NotFound } from "../../doors/Failure.ts"
import { implement, implementProcedures, implementTools } from "../../doors/Implement.ts"
import { Entities } from "./Entities.ts"
import type { Entity } from "./Entity.ts"
import { EntityApi, type Written } from "./EntityApi.ts"
import { EntityProcedures } from "./EntityRpc.ts"
import { EntityTools } from "./EntityTools.ts"

const wire = {
  EntityNotFound: () => Effect.fail(new NotFound({ why: "There is no such entity." })),
  EntityChanged: ({ version }: { readonly version: number }) =>
    Effect.fail(new Conflict({ code: "VERSION_CONFLICT", why: `The entity is at version ${version} by now.` })),
  ProfileUnknown: ({ slug }: { readonly slug: string }) =>
    Effect.fail(invalid("profileSlug", `There is no profile ${slug}.`))
}

const written = (status: Written["status"]) => (entity: Entity) => ({
  ...entity,
  status,
  effectiveWorkspaceId: entity.workspaceId
})

const everywhere = { q: undefined, scope: "all" as const, includePodWide: true, offset: 0 }

const rest = implement(
  EntityApi,
  Effect.map(Entities, (entities) => ({
    "entities.list": ({ urlParams }) => entities.list(urlParams),
    "entities.listOfUser": ({ urlParams }) => entities.list(urlParams),
    "entities.get": ({ path }) => Effect.catchTags(entities.get(path.id), { EntityNotFound: wire.EntityNotFound }),
    "entities.create": ({ payload }) =>
      entities
        .create(payload)
        .pipe(Effect.map(written("created")), Effect.catchTags({ ProfileUnknown: wire.ProfileUnknown })),
    "entities.update": ({ path, payload }) =>
      entities
        .update(path.id, payload)
        .pipe(
          Effect.map(written("updated")),
          Effect.catchTags({ EntityNotFound: wire.EntityNotFound, EntityChanged: wire.EntityChanged })
        ),
    "entities.delete": ({ path }) =>
      entities
        .remove(path.id)
        .pipe(
          Effect.as({ status: "deleted" as const, id: path.id, success: true }),
          Effect.catchTags({ EntityNotFound: wire.EntityNotFound, EntityChanged: wire.EntityChanged })
        )
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
  Effect.map(Entities, (entities) => ({
    svc_get_entities: ({ detail, ...input }) =>
      Effect.map(entities.list({ ...everywhere, ...input }), (found) => ({
        entities: detail === "full" ? found : found.map(lean)
      }))
  }))
)

export const layer = Layer.mergeAll(rest, procedures, tools)
