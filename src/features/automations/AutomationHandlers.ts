/**
 * The handlers of automation runs. They call the store directly, because the store returns only runs that the caller
 * may read.
 */
import { Effect } from "effect"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { implementProcedures } from "../../doors/Implement.ts"
import { Records } from "../records/Records.ts"
import { splitFilters } from "../records/RecordType.ts"
import { requestedSpaces } from "../workspaces/WorkspaceAccess.ts"
import { AutomationProcedures } from "./AutomationRpc.ts"
import { AutomationRun } from "./AutomationRun.ts"

const runMissing = missingRecord("run of an automation")

export const layer = implementProcedures(
  AutomationProcedures,
  Effect.map(Records, (records) => ({
    "automations.listRuns": Effect.fnUntraced(function* ({ workspaceId, ...input }) {
      const spaces = yield* requestedSpaces(workspaceId)
      return yield* records.list(AutomationRun, {
        ...splitFilters(input, ["automationId", "ruleId", "status"]),
        spaces
      })
    }),
    "automations.getRun": ({ runId }) =>
      Effect.catchTag(records.get(AutomationRun, runId), "RecordNotFound", () => Effect.fail(runMissing))
  }))
)
