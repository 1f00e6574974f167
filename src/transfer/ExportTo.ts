/** Exports the database of a pod that does not run to a file or a stream. */
import { Effect } from "effect"
import type { Writable } from "node:stream"
import { type OpenDatabase, openPlace, type Place } from "./Databases.ts"
import { type ExportOptions, exportLines } from "./Export.ts"
import { sendTo, writeNewFile } from "./NewFile.ts"
import { attempt } from "./TransferRefused.ts"

export type ExportTarget = { readonly path: string } | { readonly output: Writable }

/** Writes the export. A file is compressed if its name ends with `.gz`, and has its name only when it is complete. */
export const exportFrom = (
  { engine, owner }: OpenDatabase,
  target: ExportTarget,
  options: Omit<ExportOptions, "engine">
) =>
  attempt(() => {
    const lines = exportLines(owner, { ...options, engine })
    return "path" in target
      ? writeNewFile(target.path, lines, { compressed: target.path.endsWith(".gz") })
      : sendTo(lines, target.output)
  })

/** The same for the database of a place. A pod on PostgreSQL may run meanwhile. */
export const exportPlace = (place: Place, target: ExportTarget, options: Omit<ExportOptions, "engine">) =>
  Effect.scoped(Effect.flatMap(openPlace(place), (opened) => exportFrom(opened, target, options)))
