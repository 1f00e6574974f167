/** Exports the database of a pod to a file or a stream, without starting the pod. */
import { Effect } from "effect"
import type { Writable } from "node:stream"
import { type OpenDatabase, openPlace, type DataPlace } from "./Databases.ts"
import { type ExportOptions, exportLines } from "./Export.ts"
import { sendTo, writeNewFile } from "./NewFile.ts"
import { attempt } from "./TransferRefused.ts"

export type ExportTarget = { readonly path: string } | { readonly output: Writable }

/**
 * Writes the rows of a database as an export. A file whose name ends with `.gz` is compressed. The file gets its final
 * name only when its content is complete.
 */
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

/**
 * Opens the database of a place and exports it. A pod with an embedded database must not run. A pod on PostgreSQL is
 * allowed to run at the same time.
 */
export const exportPlace = (place: DataPlace, target: ExportTarget, options: Omit<ExportOptions, "engine">) =>
  Effect.scoped(Effect.flatMap(openPlace(place), (opened) => exportFrom(opened, target, options)))
