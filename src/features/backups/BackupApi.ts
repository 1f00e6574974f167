/** The endpoint with which the operator of a running pod orders a backup. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { operatorOnly } from "../../doors/DeclareRest.ts"
import { operator } from "../../doors/Door.ts"
import { Unavailable } from "../../doors/Failure.ts"
import { described } from "../../doors/Fields.ts"

const folderMax = 4_096 // the maximum number of characters of a path that the operating system allows
const keepMax = 10_000 // the highest value of `keep`, the number of backups that the pod keeps in the folder

export const BackupApi = HttpApiGroup.make("backups")
  .annotate(OpenApi.Description, "Backups of the whole pod, for its operator.")
  .add(
    operatorOnly("backups.create", {
      method: "POST",
      path: "/setup/backups",
      waitsOutside: true,
      payload: Schema.Struct({
        withoutSecrets: described(
          "`true`: leave out the secrets. The restored pod then cannot use its keys, sessions and vault.",
          Schema.optional(Schema.Boolean)
        ),
        folder: described(
          "Absolute path of a folder on the machine of the pod. Default: the folder in the settings.",
          Schema.optional(Schema.String.pipe(Schema.startsWith("/"), Schema.maxLength(folderMax)))
        ),
        keep: described(
          "How many backups to keep in the folder. Default: the number in the settings.",
          Schema.optional(Schema.Int.pipe(Schema.between(1, keepMax)))
        )
      }),
      success: Schema.Struct({
        path: described("Path of the backup file on the machine of the pod.", Schema.String),
        sizeBytes: Schema.Int,
        deleted: described("Paths of the older backups that the pod deleted.", Schema.Array(Schema.String))
      }).annotations({
        examples: [{ path: "/backups/pod-20270101T030000000Z.podbackup", sizeBytes: 4096, deleted: [] }]
      }),
      door: operator("make a backup", "pod backup"),
      errors: [Unavailable],
      summary: "Make a backup of the whole pod."
    })
  )
