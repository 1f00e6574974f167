/** Moves an embedded pod to PostgreSQL: one state of it goes through a file, and the states of both sides are compared. */
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

/** The file is made again at each call, because a pod may have written since the last one. */
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
 * Moves the pod of a data directory to an empty database of a server. The directory stays as it is, with the secrets that the
 * pod needs there too. A call that was ended goes on with the next one. Fails while the pod runs.
 */
export const moveToPostgres = (order: MoveOrder) =>
  Effect.scoped(
    Effect.flatMap(openPlace({ kind: "embedded", dataDir: order.dataDir }), (source) => moveFrom(source, order))
  )
