/** The handlers of backups: the owner sees whether there are any, and only the operator of the data directory orders one. */
import { Effect, Layer } from "effect"
import { Backups, BackupSettings } from "../../backups/Backups.ts"
import { Unavailable } from "../../doors/Failure.ts"
import { implement, implementProcedures } from "../../doors/Implement.ts"
import { FigureStore } from "../figures/FigureStore.ts"
import { podOwnerOnly } from "../people/PodOwner.ts"
import { BackupApi } from "./BackupApi.ts"
import { BackupProcedures } from "./BackupRpc.ts"

const tryAgainSeconds = 60

const rest = implement(
  BackupApi,
  Effect.map(Backups, (backups) => ({
    "backups.create": ({ payload: { folder, keep, withoutSecrets } }) =>
      Effect.mapError(
        backups.make({
          ...(folder === undefined ? {} : { folder }),
          ...(keep === undefined ? {} : { keep }),
          ...(withoutSecrets === undefined ? {} : { withoutSecrets })
        }),
        ({ message }) => new Unavailable({ why: message, retryAfterSeconds: tryAgainSeconds })
      )
  }))
)

const procedures = implementProcedures(
  BackupProcedures,
  Effect.map(Effect.all([FigureStore, BackupSettings]), ([{ lastBackup }, { everySeconds }]) => ({
    "system.getBackups": () =>
      Effect.zipRight(
        podOwnerOnly("sees the backups"),
        Effect.map(lastBackup, (last) => ({ last, everySeconds }))
      )
  }))
)

export const layer = Layer.merge(rest, procedures)
