/**
 * Lets clients repeat a mutation safely. The first answer is stored together with its effect, and every repeated
 * request gets the stored answer.
 */
import { Array, Brand, Clock, Context, Effect, Layer, Redacted } from "effect"
import { createHmac } from "node:crypto"
import { MemoryDatabase, memoryTable } from "../platform/MemoryDatabase.ts"
import { Conflict, invalid, type Failure, type Invalid } from "./Failure.ts"

/** What identifies a request: the value of the idempotency header, the method, the route and the body. */
export interface IdempotentRequest {
  readonly key: string
  readonly method: string
  readonly route: string
  readonly body: string
}

// the allowed length of the header's value, in characters
export const keyLength = { least: 8, most: 256 }

/**
 * Checks the value of the idempotency header. The value must be printable ASCII without spaces and have an allowed
 * length.
 */
export const idempotencyKey = (header: string): Effect.Effect<string, Invalid> =>
  header.length >= keyLength.least && header.length <= keyLength.most && /^[\x21-\x7e]+$/.test(header)
    ? Effect.succeed(header)
    : Effect.fail(
        invalid("Idempotency-Key", `Use ${keyLength.least} to ${keyLength.most} printable characters without spaces.`)
      )

/**
 * The hashes of a request, by which the pod recognizes a repetition. One hash is made with the present secret, and one
 * with each former secret, because the secret might have changed since the first request. Only `Fingerprints` makes
 * these hashes.
 */
export type Fingerprint = Array.NonEmptyReadonlyArray<Buffer> & Brand.Brand<"Fingerprint">

const fingerprint = Brand.nominal<Fingerprint>()

/**
 * Makes the fingerprints of requests: HMAC-SHA-256 with the secret of the pod, 32 bytes. A request body can contain a
 * password. Without the secret, a reader of the table or of a backup cannot compute fingerprints, and so cannot use
 * them to guess the password.
 */
export class Fingerprints extends Context.Tag("pod/Fingerprints")<
  Fingerprints,
  { readonly of: (request: IdempotentRequest) => Fingerprint }
>() {
  static readonly layer = (secrets: Array.NonEmptyReadonlyArray<Redacted.Redacted>) =>
    Layer.succeed(this, {
      of: ({ body, key, method, route }) =>
        fingerprint(
          Array.map(secrets, (secret) =>
            createHmac("sha256", Redacted.value(secret))
              .update(`pod idempotency: ${JSON.stringify([key, method, route, body])}`)
              .digest()
          )
        )
    })
}

export interface IdempotentAnswer {
  readonly answer: unknown
  readonly isReplay: boolean
}

/** The conflict of a repeated request whose first answer was not stored, because that answer contained a secret. */
export const answerNotKept = new Conflict({
  code: "IDEMPOTENT_ANSWER_NOT_KEPT",
  why: "The pod has already carried out a request with this idempotency key. Its answer contained a secret, which the pod shows only once. To get another secret, send a new request with another idempotency key."
})

/** The refusal of an idempotency key by an operation whose answer the pod does not store (`acceptsIdempotencyKey`). */
export const idempotencyKeyRefusal = invalid(
  "Idempotency-Key",
  "The pod does not store the answer of this operation, so a repeated request would run again. Leave out the header Idempotency-Key."
)

export class Idempotency extends Context.Tag("pod/Idempotency")<
  Idempotency,
  {
    /**
     * Runs `effect`. If the principal has already made this request with success in the last 24 hours, the function
     * does not run `effect` and returns the stored answer. Repetitions at the same time wait for the first request.
     * Only successes are stored. With `keepsAnswer: false` the answer is not stored, and a repetition fails with
     * `Conflict`.
     */
    readonly once: <E extends Failure, R>(
      principalId: string,
      fingerprint: Fingerprint,
      keepsAnswer: boolean,
      effect: Effect.Effect<unknown, E, R>
    ) => Effect.Effect<IdempotentAnswer, E | Conflict, R>
  }
>() {
  /**
   * The service in memory. Transactions in memory run one after the other, so a repetition waits for the first request.
   */
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(MemoryDatabase, ({ atomically }) => ({
      once: (principalId, fingerprint, keepsAnswer, effect) =>
        atomically(
          Effect.fnUntraced(function* (rows) {
            const nowMs = yield* Clock.currentTimeMillis
            const requests = fingerprint.map((each) => ({ principalId, fingerprint: each.toString("hex") }))
            for (const request of requests) {
              const earlier = rows.find(keptAnswers, keyOf(request))
              if (earlier !== undefined && nowMs - earlier.beganMs < keptMs) {
                return earlier.answer === null ? yield* answerNotKept : replay(earlier.answer)
              }
            }
            const answer = yield* effect
            for (const request of requests) {
              rows.put(keptAnswers, { ...request, beganMs: nowMs, answer: keepsAnswer ? keptForm(answer) : null })
            }
            return { answer, isReplay: false }
          })
        )
    }))
  )
}

// a stored answer is kept for a day
const keptMs = 86_400_000

/**
 * Returns the form in which an answer is stored. The form is an object, so that an empty answer differs from an answer
 * that was not stored.
 */
export const keptForm = (answer: unknown): string => JSON.stringify({ answer })

export const replay = (storedText: string): IdempotentAnswer => {
  // `keptForm` has written this text, so the cast is safe.
  const { answer } = JSON.parse(storedText) as { readonly answer?: unknown }
  return { answer, isReplay: true }
}

/** A finished request with its answer. A null answer means that the answer was not stored. */
interface KeptAnswer {
  readonly principalId: string
  readonly fingerprint: string
  readonly beganMs: number
  readonly answer: string | null
}

const keyOf = ({ principalId, fingerprint }: Pick<KeptAnswer, "principalId" | "fingerprint">) =>
  `${principalId} ${fingerprint}`

const keptAnswers = memoryTable<KeptAnswer>("idempotency_keys", keyOf)
