/**
 * The handlers of entities. They pass each call of an endpoint, a procedure or a tool to a service and return its
 * result.
 */
import { Effect, Layer } from "effect"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { pagedAnswer } from "../../doors/Page.ts"
import { implement, implementProcedures, implementTools } from "../../doors/Implement.ts"
import { repeatableTool } from "../../doors/RepeatableTool.ts"
import { Entities } from "./Entities.ts"
import type { Entity } from "./Entity.ts"
import { WrittenEntity } from "./EntityAnswers.ts"
import { EntityApi } from "./EntityApi.ts"
import { storeFailures } from "./EntityContents.ts"
import { EntityProcedures } from "./EntityRpc.ts"
import { EntityTools } from "./EntityTools.ts"
import type { EntityWriteResult } from "./EntityWrites.ts"
import { IdentityResolver } from "../identity/IdentityResolver.ts"
import { shortenText } from "../../platform/StoredText.ts"

const entityMissing = () => Effect.fail(storeFailures.EntityNotFound())

const writeAnswer = (status: WrittenEntity["status"]) => (entity: Entity) => ({
  status,
  effectiveWorkspaceId: entity.workspaceId,
  writeReceipt: { state: "applied" as const },
  ...entity
})

// The spread comes last. If properties follow the spread, the JavaScript engine builds the object again for each such
// property. This takes more than a microsecond (measured).
const toWritten = ({ entity, existing, status }: EntityWriteResult): WrittenEntity => ({
  status,
  effectiveWorkspaceId: entity.workspaceId,
  writeReceipt: { state: "applied" },
  resolution: { existingSameProfile: existing, autoConnected: [], suggestions: [] },
  ...entity
})

/**
 * Adds default values for the filters that only the REST endpoint has. With these values, the filters leave out no
 * entity.
 */
const inAllSpaces = <A extends object>(filters: A) => ({
  q: undefined,
  scope: "all" as const,
  includePodWide: true,
  offset: 0,
  ...filters
})

type Service = typeof Entities.Service

const create = (entities: Service, draft: Parameters<Service["create"]>[0]) =>
  Effect.map(entities.create(draft), toWritten)

const update = (entities: Service, id: string, change: Parameters<Service["update"]>[1]) =>
  Effect.map(entities.update(id, change), writeAnswer("updated"))

const rest = implement(
  EntityApi,
  Effect.map(Entities, (entities) => ({
    "entities.list": ({ urlParams }) => entities.search(urlParams),
    "entities.listOfUser": ({ urlParams }) => entities.search(urlParams),
    "entities.get": ({ path }) => Effect.catchTags(entities.get(path.id), { EntityNotFound: entityMissing }),
    "entities.create": ({ payload }) => create(entities, payload),
    // If `forceCreate` is absent, a create searches for duplicates only of people and companies. An upsert searches
    // for duplicates of entities of every kind.
    "entities.upsert": ({ payload }) => create(entities, { ...payload, forceCreate: payload.forceCreate ?? false }),
    "entities.update": ({ path, payload }) => update(entities, path.id, payload),
    "entities.delete": ({ path }) =>
      Effect.as(entities.remove(path.id), { status: "deleted" as const, id: path.id, success: true })
  }))
)

const procedures = implementProcedures(
  EntityProcedures,
  Effect.map(Entities, (entities) => ({
    "entities.getEntities": (input) => entities.list(inAllSpaces(input))
  }))
)

const leanLength = 120 // the maximum number of characters of a text in a lean answer; a longer text is cut

/** Shortens an entity: cuts long texts, and leaves out nulls and an empty `systemData`. */
const lean = (entity: Entity): Partial<Entity> => {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(entity)) {
    if (value === null || (name === "systemData" && Object.keys(value).length === 0)) continue
    fields[name] = typeof value === "string" && value.length > leanLength ? `${shortenText(value, leanLength)}…` : value
  }
  return fields
}

const tools = implementTools(
  EntityTools,
  Effect.gen(function* () {
    const entities = yield* Entities
    const identity = yield* IdentityResolver
    const once = yield* repeatableTool
    return {
      svc_get_entities: ({ detail, ...input }) =>
        Effect.map(entities.list(inAllSpaces(input)), (page) =>
          pagedAnswer(page, (items) => ({ entities: detail === "full" ? items : items.map(lean) }))
        ),
      svc_get_entity: ({ detail, entityId, workspaceId }) =>
        entities.get(entityId).pipe(
          Effect.filterOrFail(
            (entity) => workspaceId === undefined || entity.workspaceId === workspaceId,
            () => missingRecord("entity")
          ),
          Effect.map((entity) => (detail === "full" ? entity : lean(entity))),
          Effect.catchTags({ EntityNotFound: entityMissing })
        ),
      svc_resolve_identity: (input) =>
        Effect.map(identity.resolve(input), ({ candidates, entityId, match }) => ({
          match,
          ...(entityId === null ? {} : { entityId }),
          candidates
        })),
      svc_create_entity: ({ idempotencyKey: key, ...draft }) => {
        const created = create(entities, draft)
        if (key === undefined) return created
        const write = { tool: "svc_create_entity", key, input: draft, schema: WrittenEntity }
        return Effect.map(once(write, created), (answer) => answer.result)
      },
      svc_update_entity: ({ entityId, ...change }) => update(entities, entityId, change)
    }
  })
)

export const layer = Layer.mergeAll(rest, procedures, tools)
