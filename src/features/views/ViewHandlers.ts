/** Translates between what the surfaces open of views and the service. */
import { Effect, Layer } from "effect"
import { Conflict } from "../../doors/Failure.ts"
import { removed } from "../../doors/Fields.ts"
import { implement, implementProcedures, implementTools } from "../../doors/Implement.ts"
import { continued } from "../../doors/Page.ts"
import type { Circumstances } from "../gate/Changers.ts"
import type { Governed } from "../records/GovernedRecords.ts"
import { split } from "../records/RecordType.ts"
import type { View } from "./View.ts"
import { ViewApi } from "./ViewApi.ts"
import { ViewProcedures } from "./ViewRpc.ts"
import { Views } from "./Views.ts"
import { ViewTools } from "./ViewTools.ts"

/** Widgets are a part of the configuration: the rest is written as it was read, or read again when it moved on. */
const arranged = (views: Governed<View>, id: string, widgets: ReadonlyArray<object>, said: Circumstances) =>
  Effect.flatMap(views.get(id), ({ config, version }) =>
    views.update(id, { config: { ...config, widgets } }, { ...said, expectedVersion: said.expectedVersion ?? version })
  ).pipe(
    Effect.retry({ times: 3, while: (failure) => failure instanceof Conflict && said.expectedVersion === undefined })
  )

const rest = (views: Governed<View>) =>
  implement(
    ViewApi,
    Effect.succeed({
      "views.list": ({ urlParams }) => views.list(split(urlParams, ["type", "profileId"])),
      "views.get": ({ path }) => views.get(path.id),
      "views.create": ({ payload: { reasoning, sessionId, userId: _caller, workspaceId, ...fields } }) =>
        views.create({ workspaceId, fields, reasoning, sessionId }),
      "views.update": ({ path, payload: { expectedVersion, reasoning, sessionId, userId: _caller, ...fields } }) =>
        views.update(path.id, fields, { reasoning, sessionId, expectedVersion }),
      "views.arrange": ({ path, payload: { widgets, ...said } }) => arranged(views, path.id, widgets, said),
      "views.delete": ({ path }) => Effect.map(views.remove(path.id), removed)
    })
  )

const procedures = (views: Governed<View>) =>
  implementProcedures(
    ViewProcedures,
    Effect.succeed({ "views.listViews": (input) => views.list(split(input, ["type", "profileId"])) })
  )

const tools = (views: Governed<View>) =>
  implementTools(
    ViewTools,
    Effect.succeed({
      svc_list_views: (input) =>
        Effect.map(views.list(split(input, ["type", "profileId"])), (page) =>
          continued(page, (found) => ({ views: found }))
        )
    })
  )

export const layer = Layer.unwrapEffect(
  Effect.map(Views, (views) => Layer.mergeAll(rest(views), procedures(views), tools(views)))
)
