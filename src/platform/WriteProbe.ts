/**
 * Finds out whether the database can store anything. It makes a small write and remembers the result for some seconds.
 */
import type { SqlError } from "@effect/sql"
import { Effect, Exit } from "effect"
import { sqlStates, writeFaultOf } from "./Database.ts"
import { elapsedMs } from "./ElapsedTime.ts"

// how long the result of a successful write is remembered
const storedMs = 5_000
// how long the result of a failed write is remembered; this is short, so that calls can soon write again
const refusedMs = 1_000

/**
 * Stores something small. With `isThorough` it also takes new space on the disk. A small write alone uses free space in
 * an existing file, so it succeeds even on a full disk.
 */
export type StoreSomething = (isThorough: boolean) => Effect.Effect<void, SqlError.SqlError>

export interface WriteProbe {
  /** Tries a write, or returns the remembered result of the last one. Fails if the database cannot store anything. */
  readonly check: Effect.Effect<void, SqlError.SqlError>
  /**
   * Call this with the SQLSTATE of each failed statement. If the disk was full, the next check takes new space on the
   * disk.
   */
  readonly onSqlState: (state: string) => void
}

export const writeProbe = (store: StoreSomething): WriteProbe => {
  // only one check runs at a time; callers that ask during a check wait for it and get the same result
  const one = Effect.unsafeMakeSemaphore(1)
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
    onSqlState: (state) => {
      if (state !== sqlStates.diskFull && state !== sqlStates.readOnly) return
      wasFull ||= state === sqlStates.diskFull
      if (known !== undefined && Exit.isSuccess(known)) known = undefined
    }
  }
}
