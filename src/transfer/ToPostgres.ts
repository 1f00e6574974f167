/**
 * Moves an embedded pod to PostgreSQL: exports one snapshot of the pod to a file, imports the file, and compares the
 * states of both databases.
 */
import { Effect, type Redacted } from "effect"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { type OpenDatabase, openPlace } from "./Databases.ts"
import { exportFrom } from "./ExportTo.ts"
import { importFile } from "./ImportInto.ts"
import { noProgress, type Progress } from "./TransferRefused.ts"

export interface MoveOrder {
  readonly dataDir: string
  readonly url: Redacted.Redacted
  readonly podVersion: string
  readonly progress?: Progress
}

/**
 * Moves the pod through an export file. Each call writes the file again, because the pod might have written data since
 * the last call.
 */
const moveFrom = Effect.fnUntraced(function* (
  source: OpenDatabase,
  { dataDir, podVersion, progress = noProgress, url }: MoveOrder
) {
  const path = join(dataDir, "to-postgres.ndjson")
  yield* Effect.acquireRelease(
    Effect.sync(() => rmSync(path, { force: true })),
    () => Effect.sync(() => rmSync(path, { force: true }))
  )
  yield* exportFrom(source, { path }, { podVersion, scope: { kind: "pod" }, progress })
  return yield* importFile({ kind: "postgres", url }, { path, isEmptyOnly: true, progress })
})

/**
 * Moves the pod of a data directory to an empty database of a server. The directory stays unchanged, because it
 * contains the secrets that the pod still needs. If a call was interrupted, the next call continues its work. Fails
 * while the pod runs.
 */
export const moveToPostgres = (order: MoveOrder) =>
  Effect.scoped(
    Effect.flatMap(openPlace({ kind: "embedded", dataDir: order.dataDir }), (source) => moveFrom(source, order))
  )
