/** Mutations that may be sent again: the first answer is kept with its effect and answers every repetition. */
import { Context, Deferred, Effect, Layer } from "effect"
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

/** The header as sent, or what is wrong with it. Any printable ASCII of a sensible length. */
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

export interface OnceAnswer {
  readonly answer: unknown
  readonly isReplay: boolean
}

/** The same request came again and its answer, which held a secret, was not kept. */
export const answerNotKept = new Conflict({
  code: "IDEMPOTENT_ANSWER_NOT_KEPT",
  why: "This request was already carried out. Its answer held a secret, which is shown once and not kept."
})

export class Idempotency extends Context.Tag("pod/Idempotency")<
  Idempotency,
  {
    /**
     * Runs `effect` unless this principal's request with this fingerprint succeeded within 24 hours; then answers what
     * it answered. Concurrent repetitions wait for the first. Only successes are kept. `keepsAnswer: false` keeps the
     * fact alone, and a repetition fails with Conflict.
     */
    readonly once: <E extends Failure, R>(
      principalId: string,
      print: Buffer,
      keepsAnswer: boolean,
      effect: Effect.Effect<unknown, E, R>
    ) => Effect.Effect<OnceAnswer, E | Conflict, R>
  }
>() {
  /** The twin in memory: one process, lost at its end. */
  static readonly layerMemory = Layer.sync(this, () => {
    const kept = new Map<string, Deferred.Deferred<{ readonly answer: unknown } | undefined>>()
    return {
      once: (principalId, print, keepsAnswer, effect) => {
        const id = `${principalId} ${print.toString("hex")}`
        const attempt: ReturnType<Context.Tag.Service<typeof Idempotency>["once"]> = Effect.suspend(() => {
          const earlier = kept.get(id)
          if (earlier !== undefined) {
            return Effect.flatMap(Deferred.await(earlier), (first) =>
              first === undefined
                ? (attempt as never)
                : keepsAnswer
                  ? Effect.succeed({ answer: first.answer, isReplay: true })
                  : Effect.fail(answerNotKept)
            )
          }
          const mine = Deferred.unsafeMake<{ readonly answer: unknown } | undefined>(undefined as never)
          kept.set(id, mine)
          return effect.pipe(
            Effect.tap((answer) => Deferred.succeed(mine, { answer })),
            Effect.tapErrorCause(() =>
              Effect.zipRight(
                Effect.sync(() => kept.delete(id)),
                Deferred.succeed(mine, undefined)
              )
            ),
            Effect.map((answer) => ({ answer, isReplay: false }))
          ) as never
        })
        return attempt as never
      }
    }
  })
}
