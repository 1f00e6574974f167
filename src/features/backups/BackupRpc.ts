/** The procedure that tells the owner whether the pod is backed up. */
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { NoInput, query } from "../../doors/Declare.ts"
import { signedIn } from "../../doors/Door.ts"
import { described, Timestamp } from "../../doors/Fields.ts"

export const BackupProcedures = RpcGroup.make(
  query("system.getBackups", {
    input: NoInput,
    success: Schema.Struct({
      last: described(
        "The last backup in the folder of the settings; null if there is none.",
        Schema.NullOr(Schema.Struct({ madeAt: Timestamp, sizeBytes: described("Size of the file.", Schema.Number) }))
      ),
      everySeconds: described("Seconds between two backups that the pod makes by itself; 0: none.", Schema.Number)
    }).annotations({ identifier: "BackupState" }),
    door: signedIn,
    summary: "Read when the last backup was made, and how often the pod makes one. Only for the owner of the pod."
  })
)
