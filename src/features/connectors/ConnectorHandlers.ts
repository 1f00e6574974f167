/**
 * The handlers of connectors: they pass each call of an endpoint or a procedure to the service and return its result.
 */
import { Effect, Layer } from "effect"
import { deleteResponse } from "../../doors/Fields.ts"
import { implement, implementProcedures } from "../../doors/Implement.ts"
import { mapPage } from "../../doors/Page.ts"
import { ConnectorApi } from "./ConnectorApi.ts"
import { ConnectorProcedures } from "./ConnectorRpc.ts"
import { Connectors } from "./Connectors.ts"

const rest = implement(
  ConnectorApi,
  Effect.map(Connectors, ({ create, disconnect, list, probe, remove, update }) => ({
    "connectors.list": ({ urlParams }) => list(urlParams),
    "connectors.create": ({ payload }) => create(payload),
    "connectors.update": ({ path, payload }) => update(path.id, payload),
    "connectors.probe": ({ path }) => probe(path.id),
    "connectors.disconnect": ({ path }) => disconnect(path.id),
    "connectors.delete": ({ path }) => Effect.map(remove(path.id), deleteResponse)
  }))
)

const procedures = implementProcedures(
  ConnectorProcedures,
  Effect.map(Connectors, ({ list }) => ({
    "connectors.list": list,
    "connectors.status": (page) =>
      Effect.map(list(page), (found) =>
        mapPage(found, ({ checkedAt, id, kind, name, status, statusDetail }) => ({
          id,
          name,
          kind,
          status,
          statusDetail,
          checkedAt
        }))
      )
  }))
)

export const layer = Layer.merge(rest, procedures)
