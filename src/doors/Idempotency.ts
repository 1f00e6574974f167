/** Mutations that may be sent again: the first answer is stored with its effect and answers every repeated request. */
import { Clock, Context, Deferred, Effect, Exit, FiberId, Layer } from "effect"
import { createHash } from "node:crypto"
import { Conflict, invalid, type Failure, type Invalid } from "./Failure.ts"

/** What tells two requests apart: the header's value with method, route and body. */
export interface IdempotentRequest {
  readonly key: string
  readonly method: string
  readonly route: string
  readonly body: string
}

export const keyLength = { least: 8, most: 256 } // characters of the header

/** The header if it is valid: printable ASCII of a sensible length. */
export const idempotencyKey = (header: string): Effect.Effect<string, Invalid> =>
  header.length >= keyLength.least && header.length <= keyLength.most && /^[\x21-\x7e]+$/.test(header)
    ? Effect.succeed(header)
    : Effect.fail(
        invalid("Idempotency-Key", `Use ${keyLength.least} to ${keyLength.most} printable characters without spaces.`)
      )

export const fingerprint = (request: IdempotentRequest): Buffer =>
  createHash("sha256")
    .update(JSON.stringify([request.key, request.method, request.route, request.body]))
    .digest()

export interface IdempotentAnswer {
  readonly answer: unknown
  readonly isReplay: boolean
}

/** The same request came again and its answer, which held a secret, was not kept. */
export const answerNotKept = new Conflict({
  code: "IDEMPOTENT_ANSWER_NOT_KEPT",
  why: "This request was already carried out. Its answer held a secret, which is shown once and not stored."
})

export class Idempotency extends Context.Tag("pod/Idempotency")<
  Idempotency,
  {
    /**
     * Runs `effect`, unless a request of this principal with this fingerprint succeeded within 24 hours: then returns the stored
     * answer. Concurrent repetitions wait for the first. Only successes are stored. With `keepsAnswer: false` only the fact is
     * stored, and a repetition fails with Conflict.
     */
    readonly once: <E extends Failure, R>(
      principalId: string,
      print: Buffer,
      keepsAnswer: boolean,
      effect: Effect.Effect<unknown, E, R>
    ) => Effect.Effect<IdempotentAnswer, E | Conflict, R>
  }
>() {
  /** The twin in memory: lost when the process ends. */
  static readonly layerMemory = Layer.sync(this, () => {
    const kept = new Map<string, Kept>()
    const once = <E extends Failure, R>(
      id: string,
      keepsAnswer: boolean,
      effect: Effect.Effect<unknown, E, R>
    ): Effect.Effect<IdempotentAnswer, E | Conflict, R> =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMs) => {
        const earlier = kept.get(id)
        if (earlier !== undefined && nowMs - earlier.beganMs < keptMs) {
          return Effect.flatMap(
            Deferred.await(earlier.outcome),
            (outcome): Effect.Effect<IdempotentAnswer, E | Conflict, R> => {
              switch (outcome.kind) {
                case "failed":
                  return once(id, keepsAnswer, effect)
                case "secret":
                  return Effect.fail(answerNotKept)
                case "answered":
                  return Effect.succeed({ answer: outcome.answer, isReplay: true })
              }
            }
          )
        }
        const mine: Kept = { beganMs: nowMs, outcome: Deferred.unsafeMake(FiberId.none) }
        kept.set(id, mine)
        return effect.pipe(
          Effect.onExit((exit) => {
            if (Exit.isFailure(exit)) kept.delete(id)
            return Deferred.succeed(mine.outcome, outcomeOf(exit, keepsAnswer))
          }),
          Effect.map((answer) => ({ answer, isReplay: false }))
        )
      })
    return {
      once: (principalId, print, keepsAnswer, effect) =>
        once(`${principalId} ${print.toString("hex")}`, keepsAnswer, effect)
    }
  })
}

const keptMs = 86_400_000 // a day

type Outcome = { readonly kind: "answered"; readonly answer: unknown } | { readonly kind: "secret" | "failed" }

const outcomeOf = (exit: Exit.Exit<unknown, unknown>, keepsAnswer: boolean): Outcome =>
  Exit.isFailure(exit)
    ? { kind: "failed" }
    : keepsAnswer
      ? { kind: "answered", answer: exit.value }
      : { kind: "secret" }

/** A request that the twin knows, from the moment it began. */
interface Kept {
  readonly beganMs: number
  readonly outcome: Deferred.Deferred<Outcome>
}
