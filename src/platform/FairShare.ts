/**
 * Shares the pool of connections fairly. One credential takes at most half of the connections, and waiting credentials
 * take turns. So slow statements of one credential delay only its own statements, and not the statements of everybody.
 */
import { SqlError } from "@effect/sql"
import { Context, Effect } from "effect"

/**
 * The payer of an SQL statement: the id of the credential for which the statement runs. The statement counts towards
 * the share of this credential. A statement for the pod itself has no payer.
 */
export class Payer extends Context.Tag("pod/Payer")<Payer, string>() {}

/**
 * Returns the payer of a fiber: the id of the credential for which the fiber runs. This is a plain function, because it
 * runs for each statement and must be fast.
 */
export const payerOf = (context: Context.Context<never>): string | undefined => {
  const found: unknown = context.unsafeMap.get(Payer.key)
  return typeof found === "string" ? found : undefined
}

// the maximum number of waiting statements of one credential; the pod refuses further statements
const waitingMax = 1_000
// the longest wait for a turn; equal to the time limit of a statement
const waitWithinMs = 15_000

/** A credential has too many waiting statements. */
export class ShareUsedUp extends Error {
  override readonly name = "ShareUsedUp"
}

/** A statement got no turn within the time limit, because other statements use all connections. */
export class TurnTooLate extends Error {
  override readonly name = "TurnTooLate"
}

const noTurn = (cause: ShareUsedUp | TurnTooLate) => new SqlError.SqlError({ cause, message: "No turn" })

interface Line {
  running: number
  /** The waiting statements, oldest first. */
  readonly waiting: Array<() => void>
}

/**
 * The turn of one statement to use a connection. `givenIn` is undefined until the statement gets its turn. Then
 * `givenIn` is the line (the queue of one credential) from which the statement came.
 */
interface Turn {
  givenIn: Line | undefined
}

export interface FairShare {
  readonly run: <A, E, R>(
    payer: string | undefined,
    work: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | SqlError.SqlError, R>
  /** How many statements and transactions wait for their turn. */
  readonly waiting: () => number
}

export interface ShareOptions {
  /** The number of connections of the pool. */
  readonly total: number
  /** The longest wait for a turn, in milliseconds. Tests set a shorter time. */
  readonly waitMs?: number
}

/**
 * Stands in place of a credential id for the pod's own work. This work is allowed to use all connections, but it waits
 * for its turn like the work of credentials.
 */
const ownWork = ""

export const fairShare = ({ total, waitMs = waitWithinMs }: ShareOptions): FairShare => {
  const each = Math.max(1, Math.floor(total / 2))
  const connectionsMaxOf = (payer: string) => (payer === ownWork ? total : each)
  /**
   * The line of each credential: its running and waiting statements. The credential that gets the next turn comes
   * first. A credential without statements has no line.
   */
  const lines = new Map<string, Line>()
  let running = 0

  const lineOf = (payer: string): Line => {
    const known = lines.get(payer)
    if (known !== undefined) return known
    const newLine: Line = { running: 0, waiting: [] }
    lines.set(payer, newLine)
    return newLine
  }
  const dropIfEmpty = (payer: string, line: Line) => {
    if (line.running === 0 && line.waiting.length === 0 && lines.get(payer) === line) lines.delete(payer)
  }
  const mayRun = (payer: string, line: Line) => running < total && line.running < connectionsMaxOf(payer)

  const serve = () => {
    for (const [payer, line] of lines) {
      if (running >= total) return
      if (line.waiting.length === 0 || !mayRun(payer, line)) continue
      line.running += 1
      running += 1
      lines.delete(payer)
      // moves the credential to the end of the queue, so that all other credentials get their turns first
      lines.set(payer, line)
      line.waiting.shift()?.()
    }
  }

  const release = (payer: string, line: Line) => {
    line.running -= 1
    running -= 1
    dropIfEmpty(payer, line)
    serve()
  }

  /**
   * Waits until the statement is allowed to use a connection, and records this in `turn` at the same moment. So the
   * turn can be given back even if the fiber is interrupted at this moment and does not continue.
   */
  const take = (payer: string, turn: Turn): Effect.Effect<void, SqlError.SqlError> =>
    Effect.suspend(() => {
      const line = lineOf(payer)
      if (line.waiting.length === 0 && mayRun(payer, line)) {
        line.running += 1
        running += 1
        turn.givenIn = line
        return Effect.void
      }
      if (payer !== ownWork && line.waiting.length >= waitingMax)
        return Effect.fail(noTurn(new ShareUsedUp("The share of this credential is used up.")))
      return Effect.async<void, SqlError.SqlError>((resume) => {
        const leave = () => {
          clearTimeout(patience)
          const at = line.waiting.indexOf(begin)
          if (at === -1) return
          line.waiting.splice(at, 1)
          dropIfEmpty(payer, line)
        }
        const begin = () => {
          clearTimeout(patience)
          turn.givenIn = line
          resume(Effect.void)
        }
        const patience = setTimeout(() => {
          leave()
          resume(Effect.fail(noTurn(new TurnTooLate("The statement got no turn in time."))))
        }, waitMs)
        line.waiting.push(begin)
        return Effect.sync(leave)
      })
    })

  return {
    waiting: () => [...lines.values()].reduce((sum, { waiting }) => sum + waiting.length, 0),
    run: (requestedPayer, work) =>
      Effect.suspend(() => {
        const payer = requestedPayer ?? ownWork
        const turn: Turn = { givenIn: undefined }
        return Effect.ensuring(
          Effect.zipRight(take(payer, turn), work),
          Effect.sync(() => {
            if (turn.givenIn !== undefined) release(payer, turn.givenIn)
          })
        )
      })
  }
}
