/**
 * A fair share of the pool: one credential takes at most half of the connections, and those who wait are served in turns. So
 * costly statements of one credential wait for each other, and not everybody for them.
 */
import { SqlError } from "@effect/sql"
import { Context, Effect } from "effect"

/** Who asks for a statement: the id of the credential. The pod's own work has none. */
export class Payer extends Context.Tag("pod/Payer")<Payer, string>() {}

/** The payer of a fiber, read without an effect, because it is asked for each statement. */
export const payerOf = (context: Context.Context<never>): string | undefined => {
  const found: unknown = context.unsafeMap.get(Payer.key)
  return typeof found === "string" ? found : undefined
}

const waitingMax = 1_000 // of one credential, such as of thirty batches; its further statements are refused at once
const waitWithinMs = 15_000 // for a turn, as long as a statement may take

/** A credential has as many statements running and waiting as it may, or waited too long. */
export class ShareUsedUp extends Error {
  override readonly name = "ShareUsedUp"
}

const usedUp = () =>
  new SqlError.SqlError({ cause: new ShareUsedUp("The share of this credential is used up."), message: "No turn" })

interface Line {
  running: number
  /** The oldest is the first. */
  readonly waiting: Array<() => void>
}

/** The turn of one statement: the line that it was given in, until then undefined. */
interface Turn {
  givenIn: Line | undefined
}

export interface FairShare {
  readonly run: <A, E, R>(
    payer: string | undefined,
    work: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | SqlError.SqlError, R>
}

export interface ShareOptions {
  /** The connections of the pool. */
  readonly total: number
  /** Tests state a shorter wait. */
  readonly waitMs?: number
}

/** What the pod itself asks is not limited, and waits in turns like the others. */
const ownWork = ""

export const fairShare = ({ total, waitMs = waitWithinMs }: ShareOptions): FairShare => {
  const each = Math.max(1, Math.floor(total / 2))
  const mostOf = (payer: string) => (payer === ownWork ? total : each)
  /** The one whose turn is next comes first. A payer without statements has no line. */
  const lines = new Map<string, Line>()
  let running = 0

  const lineOf = (payer: string): Line => {
    const known = lines.get(payer)
    if (known !== undefined) return known
    const made: Line = { running: 0, waiting: [] }
    lines.set(payer, made)
    return made
  }
  const dropIfEmpty = (payer: string, line: Line) => {
    if (line.running === 0 && line.waiting.length === 0 && lines.get(payer) === line) lines.delete(payer)
  }
  const mayRun = (payer: string, line: Line) => running < total && line.running < mostOf(payer)

  const serve = () => {
    for (const [payer, line] of lines) {
      if (running >= total) return
      if (line.waiting.length === 0 || !mayRun(payer, line)) continue
      line.running += 1
      running += 1
      lines.delete(payer)
      lines.set(payer, line) // The credential waits until each other credential had a turn.
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
   * Waits for a turn. It is noted in `turn` in the moment in which it is given: a fiber that is interrupted in that moment
   * does not go on, and must give its turn back all the same.
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
      if (payer !== ownWork && line.waiting.length >= waitingMax) return Effect.fail(usedUp())
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
          resume(Effect.fail(usedUp()))
        }, waitMs)
        line.waiting.push(begin)
        return Effect.sync(leave)
      })
    })

  return {
    run: (asked, work) =>
      Effect.suspend(() => {
        const payer = asked ?? ownWork
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
