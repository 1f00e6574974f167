/** The endpoint with which the operator of a running pod orders a backup. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { operated } from "../../doors/DeclareRest.ts"
import { operator } from "../../doors/Door.ts"
import { Unavailable } from "../../doors/Failure.ts"

const folderMax = 4_096 // the most characters of a path that the operating system allows
const keepMax = 10_000 // the most backups that an order can keep in the folder

export const BackupApi = HttpApiGroup.make("backups")
  .annotate(OpenApi.Description, "Backups of the whole pod, for its operator.")
  .add(
    operated("backups.create", {
      method: "POST",
      path: "/setup/backups",
      payload: Schema.Struct({
        /**
         * Leaves out the secrets of the data directory. Without the secrets, a restored pod cannot use its keys,
         * sessions and vault.
         */
        withoutSecrets: Schema.optional(Schema.Boolean),
        /** The absolute path of the folder on the machine of the pod. Default: the folder of the settings. */
        folder: Schema.optional(Schema.String.pipe(Schema.startsWith("/"), Schema.maxLength(folderMax))),
        /** How many backups stay in the folder. Default: the number in the settings. */
        keep: Schema.optional(Schema.Int.pipe(Schema.between(1, keepMax)))
      }),
      success: Schema.Struct({
        /** The path of the backup file on the machine of the pod. */
        path: Schema.String,
        sizeBytes: Schema.Int,
        /** Older backups that were deleted, because enough newer backups exist. */
        deleted: Schema.Array(Schema.String)
      }),
      door: operator("make a backup", "pod backup"),
      errors: [Unavailable],
      summary: "Make a backup of the whole pod. Only for the operator of the pod."
    })
  )
