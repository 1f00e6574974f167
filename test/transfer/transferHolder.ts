/**
 * A process that does an import, move, restore or backup. If the test names a step, the process kills itself at this
 * step. Otherwise it writes the number of its steps at the end.
 */
import { Effect, Redacted } from "effect"
import { restoreBackup } from "../../src/backups/Restore.ts"
import { packSnapshot, takeSnapshot } from "../../src/backups/Backup.ts"
import { openPlace, type DataPlace } from "../../src/transfer/Databases.ts"
import { importFile } from "../../src/transfer/ImportInto.ts"
import { moveToPostgres } from "../../src/transfer/ToPostgres.ts"
import { attempt, type Progress } from "../../src/transfer/TransferRefused.ts"

const [work, path = "", target = "", stopAt = ""] = process.argv.slice(-4)

/** Counts a step. At the given step the process kills itself with SIGKILL, which no code can handle. */
let steps = 0
const progress: Progress = () => {
  steps += 1
  if (String(steps) === stopAt) process.kill(process.pid, "SIGKILL")
}

const place: DataPlace = target.startsWith("postgres")
  ? { kind: "postgres", url: Redacted.make(target) }
  : { kind: "embedded", dataDir: target }

const backUp = Effect.scoped(
  Effect.flatMap(openPlace({ kind: "embedded", dataDir: path }), ({ owner }) =>
    attempt(async () => {
      const order = { folder: target, dataDir: path, podVersion: "0.0.0", kind: "plain", keep: 7, progress } as const
      return packSnapshot(await takeSnapshot(owner, order, `${path}/pg`), order)
    })
  )
)

const works: Readonly<Record<string, Effect.Effect<unknown, unknown>>> = {
  import: importFile(place, { path, progress }),
  move: moveToPostgres({ dataDir: path, url: Redacted.make(target), podVersion: "0.0.0", progress }),
  restore: restoreBackup(path, place, target, progress),
  backup: backUp
}

await Effect.runPromise(works[work ?? ""] ?? Effect.dieMessage("no such work"))
process.stdout.write(`${steps}\n`)
