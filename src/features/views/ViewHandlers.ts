/** Translates between what the surfaces open of views and the views behind the gate, with the one rule that what they show is a kind of their space. */
import { Effect, Layer } from "effect"
import { Conflict, invalid } from "../../doors/Failure.ts"
import { deleteResponse } from "../../doors/Fields.ts"
import { implement, implementProcedures, implementTools } from "../../doors/Implement.ts"
import { pagedAnswer } from "../../doors/Page.ts"
import type { WriteDetails } from "../gate/Changers.ts"
import { Profiles } from "../profiles/Profiles.ts"
import { type RecordOperations, governedRecords } from "../records/GovernedRecords.ts"
import { splitFilters } from "../records/RecordType.ts"
import { View } from "./View.ts"
import { ViewApi } from "./ViewApi.ts"
import { ViewProcedures } from "./ViewRpc.ts"
import { ViewTools } from "./ViewTools.ts"

/** Widgets are a part of the configuration: the rest is written as it was read, or read again when it moved on. */
const arranged = (views: RecordOperations<View>, id: string, widgets: ReadonlyArray<object>, said: WriteDetails) =>
  Effect.flatMap(views.get(id), ({ config, version }) =>
    views.update(id, { config: { ...config, widgets } }, { ...said, expectedVersion: said.expectedVersion ?? version })
  ).pipe(
    Effect.retry({ times: 3, while: (failure) => failure instanceof Conflict && said.expectedVersion === undefined })
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
      "views.arrange": ({ path, payload: { widgets, ...said } }) => arranged(views, path.id, widgets, said),
      "views.delete": ({ path }) => Effect.map(views.remove(path.id), deleteResponse)
    })
  )

const procedures = (views: RecordOperations<View>) =>
  implementProcedures(
    ViewProcedures,
    Effect.succeed({ "views.listViews": (input) => views.list(splitFilters(input, ["type", "profileId"])) })
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
  Effect.gen(function* () {
    const profiles = yield* Profiles
    const views = yield* governedRecords(View, {
      check: ({ profileId }, { object }) =>
        Effect.gen(function* () {
          if (profileId == null || (yield* profiles.slugOf(profileId, object.spaceId)) !== null) return
          return yield* invalid("profileId", "There is no such kind in that space.")
        })
    })
    return Layer.mergeAll(rest(views), procedures(views), tools(views))
  })
)
