/** Whether the database stores anything: asked by a small write, and remembered for seconds. */
import type { SqlError } from "@effect/sql"
import { Effect, Exit } from "effect"
import { sqlStates, writeFaultOf } from "./Database.ts"
import { elapsedMs } from "./ElapsedTime.ts"

const storedMs = 5_000 // how long a write that was stored counts
const refusedMs = 1_000 // the same for one that was not, so that a pod is soon used again

/**
 * Stores something small. `isThorough`: takes room on the disk too, because a small write finds its room in a file that
 * exists, also on a full disk.
 */
export type StoreSomething = (isThorough: boolean) => Effect.Effect<void, SqlError.SqlError>

export interface WriteProbe {
  /** Tries a write, or answers what the last one has shown. */
  readonly check: Effect.Effect<void, SqlError.SqlError>
  /** Notes the SQLSTATE of a statement that failed. After a full disk the next check is a thorough one. */
  readonly heard: (state: string) => void
}

export const writeProbe = (store: StoreSomething): WriteProbe => {
  const one = Effect.unsafeMakeSemaphore(1) // who asks meanwhile gets the same answer
  let known: Exit.Exit<void, SqlError.SqlError> | undefined
  let untilMs = 0
  let wasFull = false
  const ask = Effect.gen(function* () {
    if (known !== undefined && (yield* elapsedMs) < untilMs) return yield* known
    const isThorough = wasFull
    const exit = yield* Effect.exit(store(isThorough))
    if (Exit.isSuccess(exit) && isThorough) wasFull = false
    if (Exit.isFailure(exit) && exit.cause._tag === "Fail") wasFull ||= writeFaultOf(exit.cause.error) === "diskFull"
    known = exit
    untilMs = (yield* elapsedMs) + (Exit.isSuccess(exit) ? storedMs : refusedMs)
    return yield* exit
  })
  return {
    check: one.withPermits(1)(ask),
    heard: (state) => {
      if (state !== sqlStates.diskFull && state !== sqlStates.readOnly) return
      wasFull ||= state === sqlStates.diskFull
      if (known !== undefined && Exit.isSuccess(known)) known = undefined
    }
  }
}
