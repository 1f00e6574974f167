/** The failure for a data directory that cannot be used. */
import { Data } from "effect"

/** The directory cannot be used as it is. Nothing in it was changed. */
export class DataDirectoryUnfit extends Data.TaggedError("DataDirectoryUnfit")<{
  readonly message: string
  /**
   * `damaged`: only a backup helps. `incomplete`: a part of the data is missing. Absent: the fault is in the directory
   * itself and not in the database.
   */
  readonly state?: "damaged" | "incomplete"
}> {}
