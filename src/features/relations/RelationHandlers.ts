/**
 * The handlers of relations. They pass each call of an endpoint, a procedure or a tool to a service and return its
 * result.
 */
import { Effect, Layer } from "effect"
import { deleteResponse } from "../../doors/Fields.ts"
import { implement, implementProcedures, implementTools } from "../../doors/Implement.ts"
import { pagedAnswer } from "../../doors/Page.ts"
import { RelationApi, RelationDefApi } from "./RelationApi.ts"
import { kindPairs } from "./RelationDef.ts"
import { RelationDefs } from "./RelationDefs.ts"
import { RelationProcedures } from "./RelationRpc.ts"
import { Relations } from "./Relations.ts"
import { RelationTools } from "./RelationTools.ts"

const rest = implement(
  RelationApi,
  Effect.map(Relations, (relations) => ({
    "relations.list": ({ urlParams }) => relations.list(urlParams),
    "relations.connections": ({ path, urlParams }) => relations.connections(path.id, urlParams.limit),
    "relations.create": ({ payload: { sourceMessageId, ...draft } }) =>
      relations.create(
        sourceMessageId === undefined ? draft : { ...draft, metadata: { sourceMessageId, ...draft.metadata } }
      ),
    "relations.delete": ({ path }) => Effect.as(relations.remove(path.id), deleteResponse(path))
  }))
)

const definitions = implement(
  RelationDefApi,
  Effect.map(RelationDefs, (defs) => ({
    "relationDefs.list": ({ urlParams }) => defs.list(urlParams),
    "relationDefs.create": ({ payload: { reasoning, sessionId, workspaceId, ...fields } }) =>
      defs.create({ workspaceId, fields, reasoning, sessionId }),
    "relationDefs.update": ({ path, payload: { expectedVersion, reasoning, sessionId, ...fields } }) =>
      defs.update(path.id, fields, { expectedVersion, reasoning, sessionId }),
    "relationDefs.delete": ({ path }) => Effect.map(defs.remove(path.id), deleteResponse)
  }))
)

const procedures = implementProcedures(
  RelationProcedures,
  Effect.gen(function* () {
    const relations = yield* Relations
    const defs = yield* RelationDefs
    return {
      "relations.listRelations": (input) => relations.list(input),
      "relations.listRelationsPodWide": (input) => relations.listPodWide(input),
      "relations.listTypes": ({ workspaceId }) => defs.types(workspaceId),
      "relationDefs.list": (input) => defs.list(input),
      "profileRelations.list": ({ profileSlug, ...listing }) =>
        Effect.map(defs.list(listing), ({ items, next }) => ({
          items: items.flatMap((def) => kindPairs(def, profileSlug)),
          next
        }))
    }
  })
)

const tools = implementTools(
  RelationTools,
  Effect.map(Relations, (relations) => ({
    svc_get_relations: (input) =>
      Effect.map(relations.list(input), (page) => pagedAnswer(page, (found) => ({ relations: found }))),
    svc_link_entities: (input) => relations.create({ ...input, metadata: {} })
  }))
)

export const layer = Layer.mergeAll(rest, definitions, procedures, tools)
