/** The handler of backups. Only the local operator is allowed to order a backup. */
import { Effect } from "effect"
import { Backups } from "../../backups/Backups.ts"
import { Invalid, Unavailable } from "../../doors/Failure.ts"
import { implement } from "../../doors/Implement.ts"
import { TransferRefused } from "../../transfer/TransferRefused.ts"
import { BackupApi } from "./BackupApi.ts"

const tryAgainSeconds = 60

export const layer = implement(
  BackupApi,
  Effect.map(Backups, (backups) => ({
    "backups.create": ({ payload: { folder, keep, withoutSecrets } }) =>
      Effect.mapError(
        backups.make({
          ...(folder === undefined ? {} : { folder }),
          ...(keep === undefined ? {} : { keep }),
          ...(withoutSecrets === undefined ? {} : { withoutSecrets })
        }),
        (error) =>
          // The request names the folder, so a repeated request would fail again. So the answer is Invalid and not
          // Unavailable.
          folder !== undefined && error instanceof TransferRefused && error.reason === "disk"
            ? new Invalid({ faults: [{ path: "folder", message: error.message }] })
            : new Unavailable({ why: error.message, retryAfterSeconds: tryAgainSeconds })
      )
  }))
)
