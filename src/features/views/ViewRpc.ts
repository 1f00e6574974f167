/** The procedures of views: list views, and list the widgets that a page can have. */
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { NoInput, query } from "../../doors/DeclareProcedure.ts"
import { fullGrantInSpaces, rows } from "../../doors/Door.ts"
import { pageOf } from "../../doors/Page.ts"
import { View, ViewInput } from "./View.ts"
import { WidgetDefinition } from "./WidgetDefinition.ts"

export const ViewProcedures = RpcGroup.make(
  query("views.listViews", {
    input: ViewInput,
    success: pageOf(View.schema),
    door: rows("hub-protocol.read", "view"),
    summary: "List the views that the caller may read, latest change first."
  }),
  query("widgetDefinitions.list", {
    input: NoInput,
    success: Schema.Array(WidgetDefinition),
    door: fullGrantInSpaces("hub-protocol.read"),
    summary: "List the kinds of widgets that a view can have."
  })
)
