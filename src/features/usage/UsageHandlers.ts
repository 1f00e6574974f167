/** The handlers for the use of keys. They translate between the procedures and the service. */
import { Effect } from "effect"
import { implementProcedures } from "../../doors/Implement.ts"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { callBatch } from "./CallBatch.ts"
import { KeyUsage } from "./KeyUsage.ts"
import { UsageProcedures } from "./UsageRpc.ts"

const keyMissing = () => Effect.fail(missingRecord("key of yours"))

export const layer = implementProcedures(
  UsageProcedures,
  Effect.gen(function* () {
    const usage = yield* KeyUsage
    const batch = yield* callBatch
    return {
      "apiKeys.usage": ({ keyId }) =>
        usage.of(keyId).pipe(
          Effect.map((found) => ({ keyId, ...found })),
          Effect.catchTag("KeyNotFound", keyMissing)
        ),
      "apiKeys.watchCalls": ({ keyId, lastEventId }) =>
        Effect.catchTag(batch(keyId, lastEventId ?? undefined), "KeyNotFound", keyMissing),
      "apiKeys.lastCalls": () => usage.lastCalls,
      "apiKeys.usageByDay": ({ days }) => usage.byDay(days)
    }
  })
)
