/** The procedures of views. */
import { RpcGroup } from "@effect/rpc"
import { query } from "../../doors/Declare.ts"
import { rows } from "../../doors/Door.ts"
import { pageOf } from "../../doors/Page.ts"
import { View, ViewInput } from "./View.ts"

export const ViewProcedures = RpcGroup.make(
  query("views.listViews", {
    input: ViewInput,
    success: pageOf(View.schema),
    door: rows("hub-protocol.read", "view"),
    summary: "List the views that the caller may read, latest change first."
  })
)
