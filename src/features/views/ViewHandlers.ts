/**
 * The handlers of views. They pass each call of an endpoint, procedure or tool to the service, and return its result.
 */
import { Effect, Layer } from "effect"
import { Conflict } from "../../doors/Failure.ts"
import { deleteResponse } from "../../doors/Fields.ts"
import { implement, implementProcedures, implementTools } from "../../doors/Implement.ts"
import { pagedAnswer } from "../../doors/Page.ts"
import type { WriteDetails } from "../gate/Changers.ts"
import type { RecordOperations } from "../records/RecordOperations.ts"
import { splitFilters } from "../records/RecordType.ts"
import type { View } from "./View.ts"
import { ViewApi } from "./ViewApi.ts"
import { ViewProcedures } from "./ViewRpc.ts"
import { Views } from "./Views.ts"
import { widgetDefinitions } from "./WidgetDefinition.ts"
import { ViewTools } from "./ViewTools.ts"

/**
 * Replaces the widgets of a view. The widgets are part of the configuration of the view. So this function reads the
 * other parts of the configuration first and writes them again. If somebody changes the view in between, it tries
 * again, up to three times. It does not try again if the caller sent an expected version.
 */
const arrangeView = (
  views: RecordOperations<View>,
  id: string,
  widgets: ReadonlyArray<object>,
  details: WriteDetails
) =>
  Effect.flatMap(views.get(id), ({ config, version }) =>
    views.update(
      id,
      { config: { ...config, widgets } },
      { ...details, expectedVersion: details.expectedVersion ?? version }
    )
  ).pipe(
    Effect.retry({ times: 3, while: (failure) => failure instanceof Conflict && details.expectedVersion === undefined })
  )

const rest = (views: RecordOperations<View>) =>
  implement(
    ViewApi,
    Effect.succeed({
      "views.list": ({ urlParams }) => views.list(splitFilters(urlParams, ["type", "profileId"])),
      "views.get": ({ path }) => views.get(path.id),
      "views.create": ({ payload: { reasoning, sessionId, userId: _caller, workspaceId, ...fields } }) =>
        views.create({ workspaceId, fields, reasoning, sessionId }),
      "views.update": ({ path, payload: { expectedVersion, reasoning, sessionId, userId: _caller, ...fields } }) =>
        views.update(path.id, fields, { reasoning, sessionId, expectedVersion }),
      "views.arrange": ({ path, payload: { widgets, ...details } }) => arrangeView(views, path.id, widgets, details),
      "views.delete": ({ path }) => Effect.map(views.remove(path.id), deleteResponse)
    })
  )

const procedures = (views: RecordOperations<View>) =>
  implementProcedures(
    ViewProcedures,
    Effect.succeed({
      "views.listViews": (input) => views.list(splitFilters(input, ["type", "profileId"])),
      "widgetDefinitions.list": () => Effect.succeed(widgetDefinitions)
    })
  )

const tools = (views: RecordOperations<View>) =>
  implementTools(
    ViewTools,
    Effect.succeed({
      svc_list_views: (input) =>
        Effect.map(views.list(splitFilters(input, ["type", "profileId"])), (page) =>
          pagedAnswer(page, (found) => ({ views: found }))
        )
    })
  )

export const layer = Layer.unwrapEffect(
  Effect.map(Views, (views) => Layer.mergeAll(rest(views), procedures(views), tools(views)))
)
