/** The Hub endpoints of views: read, create, update, arrange and archive them. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read, write } from "../../doors/DeclareRest.ts"
import { fullGrantInSpaces, rows, writes } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { idPath, DeleteResponse } from "../../doors/Fields.ts"
import { pageOf } from "../../doors/Page.ts"
import { ViewArrangement, View, ViewChange, ViewDraft, ViewQuery } from "./View.ts"

const updateDoor = writes("hub-protocol.write", "view", ["update"])

export const ViewApi = HttpApiGroup.make("views")
  .annotate(OpenApi.Description, "Views: layouts in which clients show collections of records.")
  .add(
    read("views.list", {
      path: "/views",
      query: ViewQuery,
      success: pageOf(View.schema),
      door: rows("hub-protocol.read", "view"),
      summary: "List the views that the caller may read, latest change first."
    })
  )
  .add(
    read("views.get", {
      path: "/views/:id",
      params: idPath,
      success: View.schema,
      // A key with limits is allowed to list views, but not to read a single view (specification §5.4). So this
      // operation requires a grant without limits.
      errors: [NotFound],
      door: fullGrantInSpaces("hub-protocol.read"),
      showsProbes: true,
      summary: "Read one view."
    })
  )
  .add(
    write("views.create", {
      method: "POST",
      path: "/views",
      payload: ViewDraft,
      success: View.schema,
      door: writes("hub-protocol.write", "view", ["create"]),
      summary: "Create a view."
    })
  )
  .add(
    write("views.update", {
      method: "PATCH",
      path: "/views/:id",
      params: idPath,
      payload: ViewChange,
      success: View.schema,
      door: updateDoor,
      summary: "Change a view."
    })
  )
  .add(
    write("views.arrange", {
      method: "POST",
      path: "/views/:id/arrange",
      params: idPath,
      payload: ViewArrangement,
      success: View.schema,
      door: updateDoor,
      summary: "Replace all widgets of a view; the other settings of the view stay as they are."
    })
  )
  .add(
    write("views.delete", {
      method: "DELETE",
      path: "/views/:id",
      params: idPath,
      success: DeleteResponse,
      door: writes("hub-protocol.write", "view", ["delete"]),
      summary: "Archive a view."
    })
  )
