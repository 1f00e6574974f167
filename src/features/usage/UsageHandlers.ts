/** The handlers for the use of keys. They translate between the procedures and the service. */
import { Effect } from "effect"
import { implementProcedures } from "../../doors/Implement.ts"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { KeyUsage } from "./KeyUsage.ts"
import { UsageProcedures } from "./UsageRpc.ts"

export const layer = implementProcedures(
  UsageProcedures,
  Effect.map(KeyUsage, (usage) => ({
    "apiKeys.usage": ({ keyId }) =>
      usage.of(keyId).pipe(
        Effect.map((found) => ({ keyId, ...found })),
        Effect.catchTag("KeyNotFound", () => Effect.fail(missingRecord("key of yours")))
      ),
    "apiKeys.lastCalls": () => usage.lastCalls,
    "apiKeys.usageByDay": ({ days }) => usage.byDay(days)
  }))
)
