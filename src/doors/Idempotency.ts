/** Mutations that may be sent again: the first answer is stored with its effect and answers every repeated request. */
import { Brand, Clock, Context, Effect, Layer, Redacted } from "effect"
import { createHmac } from "node:crypto"
import { MemoryDatabase, memoryTable } from "../platform/MemoryDatabase.ts"
import { Conflict, invalid, type Failure, type Invalid } from "./Failure.ts"

/** Identifies a request: the value of the header with the method, the route and the body. */
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

/** What is stored of a request to recognise its repetition. Only `Fingerprints` makes one. */
export type Fingerprint = Buffer & Brand.Brand<"Fingerprint">

const fingerprint = Brand.nominal<Fingerprint>()

/**
 * Makes fingerprints: HMAC-SHA-256 under the secret of the pod, 32 bytes. A body can hold a password, and a hash that anybody
 * can compute would let a reader of the table, or of a backup, guess it without asking the pod.
 */
export class Fingerprints extends Context.Tag("pod/Fingerprints")<
  Fingerprints,
  { readonly of: (request: IdempotentRequest) => Fingerprint }
>() {
  static readonly layer = (secret: Redacted.Redacted) =>
    Layer.succeed(this, {
      of: ({ body, key, method, route }) =>
        fingerprint(
          createHmac("sha256", Redacted.value(secret))
            .update(`pod idempotency: ${JSON.stringify([key, method, route, body])}`)
            .digest()
        )
    })
}

export interface IdempotentAnswer {
  readonly answer: unknown
  readonly isReplay: boolean
}

/** The same request came again and its answer, which held a secret, was not kept. */
export const answerNotKept = new Conflict({
  code: "IDEMPOTENT_ANSWER_NOT_KEPT",
  why: "The pod has already carried out this request. Its answer had a secret, which is shown once and not stored."
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
      print: Fingerprint,
      keepsAnswer: boolean,
      effect: Effect.Effect<unknown, E, R>
    ) => Effect.Effect<IdempotentAnswer, E | Conflict, R>
  }
>() {
  /** The twin in memory. Transactions there wait for each other, so a repetition waits for the first request. */
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(MemoryDatabase, ({ atomically }) => ({
      once: (principalId, print, keepsAnswer, effect) =>
        atomically((rows) =>
          Effect.gen(function* () {
            const nowMs = yield* Clock.currentTimeMillis
            const request = { principalId, print: print.toString("hex") }
            const earlier = rows.find(keptAnswers, keyOf(request))
            if (earlier !== undefined && nowMs - earlier.beganMs < keptMs) {
              return earlier.answer === null ? yield* answerNotKept : replay(earlier.answer)
            }
            const answer = yield* effect
            rows.put(keptAnswers, { ...request, beganMs: nowMs, answer: keepsAnswer ? keptForm(answer) : null })
            return { answer, isReplay: false }
          })
        )
    }))
  )
}

const keptMs = 86_400_000 // a day

/** An answer as it is stored: in an object, so that an empty answer differs from one that was not stored. */
export const keptForm = (answer: unknown): string => JSON.stringify({ answer })

export const replay = (kept: string): IdempotentAnswer => {
  const { answer } = JSON.parse(kept) as { readonly answer?: unknown }
  return { answer, isReplay: true }
}

/** A request that was carried out, and its answer; null: the answer is not kept. */
interface KeptAnswer {
  readonly principalId: string
  readonly print: string
  readonly beganMs: number
  readonly answer: string | null
}

const keyOf = ({ principalId, print }: Pick<KeptAnswer, "principalId" | "print">) => `${principalId} ${print}`

const keptAnswers = memoryTable<KeptAnswer>("idempotency_keys", keyOf)
