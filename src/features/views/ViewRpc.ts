/** The procedures of views. */
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { query } from "../../doors/Declare.ts"
import { View, ViewInput } from "./View.ts"

export const ViewProcedures = RpcGroup.make(
  query("views.listViews", {
    input: ViewInput,
    success: Schema.Array(View.schema),
    door: { scope: "hub-protocol.read", rows: "view" },
    summary: "List the views the caller may read, latest change first."
  })
)
