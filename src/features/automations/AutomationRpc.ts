/** The procedures that read the runs of automations. Only the pod creates runs. */
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { query } from "../../doors/DeclareProcedure.ts"
import { rows } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { Id } from "../../doors/Id.ts"
import { pageOf } from "../../doors/Page.ts"
import { AutomationRun, RunInput } from "./AutomationRun.ts"
import { described } from "../../doors/Fields.ts"

const door = rows("hub-protocol.read", "automation")

export const AutomationProcedures = RpcGroup.make(
  query("automations.listRuns", {
    input: RunInput,
    success: pageOf(AutomationRun.schema),
    door,
    summary: "List the runs of automations that the caller may read, newest first."
  }),
  query("automations.getRun", {
    input: Schema.Struct({ runId: described("Id of the run.", Id) }),
    success: AutomationRun.schema,
    door,
    errors: [NotFound],
    summary: "Read one run of an automation."
  })
)
