/**
 * Makes mutations repeatable. The first answer is stored together with its effect, and every repeated request gets this
 * answer.
 */
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

/** The value of the header if it is valid, which means printable ASCII of a sensible length. */
export const idempotencyKey = (header: string): Effect.Effect<string, Invalid> =>
  header.length >= keyLength.least && header.length <= keyLength.most && /^[\x21-\x7e]+$/.test(header)
    ? Effect.succeed(header)
    : Effect.fail(
        invalid("Idempotency-Key", `Use ${keyLength.least} to ${keyLength.most} printable characters without spaces.`)
      )

/**
 * The hash of a request, which the pod stores in order to recognise a repetition. Only `Fingerprints` makes
 * fingerprints.
 */
export type Fingerprint = Buffer & Brand.Brand<"Fingerprint">

const fingerprint = Brand.nominal<Fingerprint>()

/**
 * Makes fingerprints of requests, which are HMAC-SHA-256 with the secret of the pod, in 32 bytes. A body can contain a
 * password. If anybody could compute the hash, a reader of the table or of a backup could guess the password without
 * asking the pod.
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

/** The conflict of a repeated request whose first answer was not stored because it had a secret. */
export const answerNotKept = new Conflict({
  code: "IDEMPOTENT_ANSWER_NOT_KEPT",
  why: "The pod has already carried out this request. Its answer had a secret, which is shown once and not stored."
})

export class Idempotency extends Context.Tag("pod/Idempotency")<
  Idempotency,
  {
    /**
     * Runs `effect`, unless a request of this principal with this fingerprint succeeded within 24 hours. In that case
     * returns the stored answer. Concurrent repetitions wait for the first request. Only successes are stored. With
     * `keepsAnswer: false` only the success is recorded, and a repetition fails with Conflict.
     */
    readonly once: <E extends Failure, R>(
      principalId: string,
      print: Fingerprint,
      keepsAnswer: boolean,
      effect: Effect.Effect<unknown, E, R>
    ) => Effect.Effect<IdempotentAnswer, E | Conflict, R>
  }
>() {
  /** The twin in memory. Its transactions wait for each other, so a repetition waits for the first request. */
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(MemoryDatabase, ({ atomically }) => ({
      once: (principalId, print, keepsAnswer, effect) =>
        atomically(
          Effect.fnUntraced(function* (rows) {
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

/**
 * The form in which an answer is stored. It is an object, so that an empty answer differs from an answer that was not
 * stored.
 */
export const keptForm = (answer: unknown): string => JSON.stringify({ answer })

export const replay = (kept: string): IdempotentAnswer => {
  const { answer } = JSON.parse(kept) as { readonly answer?: unknown }
  return { answer, isReplay: true }
}

/** A request that was carried out, and its answer. Null means that the answer was not stored. */
interface KeptAnswer {
  readonly principalId: string
  readonly print: string
  readonly beganMs: number
  readonly answer: string | null
}

const keyOf = ({ principalId, print }: Pick<KeptAnswer, "principalId" | "print">) => `${principalId} ${print}`

const keptAnswers = memoryTable<KeptAnswer>("idempotency_keys", keyOf)
