/** The handlers of automation runs. They need no service, because the store already applies the reach of the call. */
import { Effect } from "effect"
import { noSuch } from "../../doors/NoSuch.ts"
import { implementProcedures } from "../../doors/Implement.ts"
import { Records } from "../records/Records.ts"
import { split } from "../records/RecordType.ts"
import { spaceNamed } from "../workspaces/WorkspaceAccess.ts"
import { AutomationProcedures } from "./AutomationRpc.ts"
import { AutomationRun } from "./AutomationRun.ts"

const absent = noSuch("run")

export const layer = implementProcedures(
  AutomationProcedures,
  Effect.map(Records, (records) => ({
    "automations.listRuns": ({ workspaceId, ...input }) =>
      Effect.gen(function* () {
        const spaces = workspaceId === undefined ? null : [yield* spaceNamed(workspaceId)]
        return yield* records.list(AutomationRun, { ...split(input, ["automationId", "ruleId", "status"]), spaces })
      }),
    "automations.getRun": ({ runId }) =>
      Effect.catchTag(records.get(AutomationRun, runId), "RecordNotFound", () => Effect.fail(absent))
  }))
)
