/**
 * Makes vectors in jobs. The database shows which texts have no vector yet. So if a node is killed, another node with
 * the same database makes the missing vectors. If the embedding model changes, the pod makes all vectors again.
 */
import { Duration, Effect, Queue } from "effect"
import { elapsedMs } from "../../platform/ElapsedTime.ts"
import type { JobQueue } from "../../platform/jobs/JobQueue.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import type { EmbeddingModel } from "../../platform/models/Embeddings.ts"
import type { ModelFailureCode } from "../../platform/models/ModelFailure.ts"
import { QuestionVectors } from "./QuestionVectors.ts"
import { packVector } from "./vectors/PackedVector.ts"
import type { PassagePlace, PassageVector } from "./Vectors.ts"

// the maximum time of a job in milliseconds; after this time, another job makes the remaining vectors
const attemptMs = 60_000
// the maximum pause in milliseconds; the pause doubles with each failure in a row
const restMaxMs = 60_000
const lookEvery = Duration.seconds(2)
// how often a pod without an embedding model checks whether it has one now
const lookEveryWithoutModel = Duration.seconds(10)
// the minimum pause between two searches for spaces without vectors; many calls of `wake` then cause only one search
const lookRest = Duration.millis(100)
const spacesAtOnce = 20

/** The settings of a job queue that makes vectors, without the name and the payload of the queue. */
export const embedQueueRules = {
  retryLimit: 3,
  retryDelaySeconds: 5,
  expireSeconds: 180,
  concurrency: 2,
  single: "waiting"
} as const

export type EmbedFailure = Effect.Effect.Error<ReturnType<EmbeddingModel["embed"]>>

export interface TextToEmbed extends PassagePlace {
  readonly text: string
}

export type VectorsOf = (texts: ReadonlyArray<TextToEmbed>) => Effect.Effect<ReadonlyArray<PassageVector>, EmbedFailure>

interface SpacePayload {
  readonly spaceId: string
}

export interface EmbedWork {
  readonly queue: JobQueue<SpacePayload, SpacePayload>
  /** Finds at most `limit` spaces that have texts without a vector of this model. */
  readonly spacesWithoutVectors: (model: string, limit: number) => Effect.Effect<ReadonlyArray<string>>
  /**
   * Makes the next vectors of a space. Returns true if the space possibly still has texts without a vector of this
   * model.
   */
  readonly step: (model: string, spaceId: string, vectorsOf: VectorsOf) => Effect.Effect<boolean, EmbedFailure>
}

/** The error codes of calls that fail because of the text. The same call with another text can succeed. */
const textFailures: ReadonlySet<ModelFailureCode> = new Set([
  "context_length_exceeded",
  "content_filter",
  "bad_request"
])
const isOfText = (failure: EmbedFailure) => failure._tag === "ModelFailure" && textFailures.has(failure.code)

/**
 * Makes the vectors of texts. If the service refuses a call, this function sends the texts again one by one, because
 * perhaps the service refuses only one text. If the service refuses a single text, the text gets no vector, and a
 * search finds the text only by its words.
 */
const vectorsBy = ({ embed }: Pick<EmbeddingModel, "embed">): VectorsOf => {
  const vectorsOf: VectorsOf = (texts) =>
    texts.length === 0
      ? Effect.succeed([])
      : embed(texts.map(({ text }) => text)).pipe(
          Effect.map((vectors) =>
            texts.flatMap(({ fingerprint, objectId, start }, at) => {
              const vector = packVector(vectors[at])
              return vector === null ? [] : [{ objectId, start, fingerprint, vector }]
            })
          ),
          Effect.catchIf(isOfText, ({ message }) =>
            texts.length === 1
              ? Effect.as(Effect.logWarning(`No vector of ${texts[0].objectId}: ${message}`), [])
              : Effect.map(
                  Effect.forEach(texts, (text) => vectorsOf([text])),
                  (each) => each.flat()
                )
          )
        )
  return vectorsOf
}

/**
 * Makes vectors until the scope closes. Each step uses the model that is active at that moment, so the next step after
 * a switch uses the new model. Returns `wake`, which immediately searches for spaces that have texts without vectors.
 * Without `wake`, the pod searches every `pollEvery`.
 */
export const startEmbedding = Effect.fnUntraced(function* ({ spacesWithoutVectors, queue, step }: EmbedWork) {
  const jobs = yield* Jobs
  const { usedModel } = yield* QuestionVectors

  const advance = Effect.fnUntraced(function* (spaceId: string) {
    const until = (yield* elapsedMs) + attemptMs
    while ((yield* elapsedMs) <= until) {
      const model = yield* usedModel
      if (model === undefined || !(yield* step(model.model, spaceId, vectorsBy(model)))) return
    }
  })

  // The job does not fail if the service fails. The texts of the space then still have no vectors. So the first search
  // for spaces after the pause finds the space again.
  let failures = 0
  let restUntil = 0
  let restingModel: string | undefined
  // The pause applies only to the model that failed. If the pod now uses another model, the pod does not wait.
  const isResting = Effect.zipWith(
    elapsedMs,
    usedModel,
    (nowMs, model) => nowMs < restUntil && model?.model === restingModel
  )
  const attempt = (spaceId: string) =>
    Effect.matchEffect(advance(spaceId), {
      onSuccess: () => Effect.sync(() => void (failures = 0)),
      onFailure: ({ message }) =>
        Effect.flatMap(Effect.zip(elapsedMs, usedModel), ([nowMs, model]) => {
          restingModel = model?.model
          restUntil = nowMs + Math.min(restMaxMs, 1000 * 2 ** ++failures)
          return Effect.logWarning(`Vectors cannot be made: ${message}`)
        })
    })
  yield* Effect.orDie(jobs.work(queue, ({ spaceId }) => Effect.unlessEffect(attempt(spaceId), isResting)))

  const look = Effect.gen(function* () {
    const model = yield* usedModel
    const spaces = model === undefined ? [] : yield* spacesWithoutVectors(model.model, spacesAtOnce)
    yield* Effect.forEach(spaces, (spaceId) => jobs.enqueue(queue, { spaceId }, { singletonKey: spaceId }), {
      discard: true
    })
  }).pipe(
    Effect.unlessEffect(isResting),
    Effect.catchAllCause((cause) => Effect.logWarning("Spaces without vectors cannot be looked for", cause)),
    Effect.asVoid
  )
  const wakes = yield* Queue.sliding<void>(1)
  const pause = Effect.flatMap(usedModel, (model) =>
    Effect.timeoutOption(Queue.take(wakes), model === undefined ? lookEveryWithoutModel : lookEvery)
  )
  yield* Effect.forkScoped(Effect.forever(Effect.zipRight(look, Effect.zipRight(Effect.sleep(lookRest), pause))))
  return { wake: Effect.asVoid(Queue.offer(wakes, undefined)) }
})
