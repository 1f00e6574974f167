/**
 * Makes the vectors of passages. It reads the log of each space as far as it goes, in jobs that any pod can continue, so
 * that nothing is missing after a kill and everything is made again after a change of the model.
 */
import { Clock, Context, Duration, Effect, Layer, type Option, Queue, Schema } from "effect"
import { noClient, Reach, systemReach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { jobQueue } from "../../platform/jobs/JobQueue.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { Embeddings } from "../../platform/models/Embeddings.ts"
import type { ModelFailureCode } from "../../platform/models/ModelFailure.ts"
import { SearchStore } from "./SearchStore.ts"
import { passagesToEmbed } from "./Source.ts"
import { packed } from "./vectors/PackedVector.ts"
import { type PassageVector, type VectorHead, VectorStore } from "./VectorStore.ts"

const attemptSeconds = 60 // then the job ends, and another one continues
const expireSeconds = 180

export const EmbedQueue = jobQueue({
  name: "search.embed",
  payload: Schema.Struct({ spaceId: Schema.UUID }),
  retryLimit: 3,
  retryDelaySeconds: 5,
  expireSeconds,
  concurrency: 2,
  single: "waiting"
})

type EmbedFailure = Effect.Effect.Error<ReturnType<typeof Embeddings.Service.embed>>
type TextToEmbed = ReturnType<typeof passagesToEmbed>[number]

/** Failures that another text may not have. */
const textFailures: ReadonlySet<ModelFailureCode> = new Set([
  "context_length_exceeded",
  "content_filter",
  "bad_request"
])
const isOfText = (failure: EmbedFailure) => failure._tag === "ModelFailure" && textFailures.has(failure.code)

const restMostMs = 60_000 // after failures of the service; each failure in a row doubles the rest

const lookEvery = Duration.seconds(2)
const lookRest = Duration.millis(100) // after each look, so that many searches at once cause one
const spacesAtOnce = 20
const eventsAtOnce = 50

const nobodyId = "00000000-0000-0000-0000-000000000000"

/** Making vectors is the pod's own work, in one space. Nobody is shown what it reads. */
const embedderReach = (spaceId: string) =>
  systemReach("vectors of a space are made", nobodyId, [spaceId], {
    operation: "search.embed",
    requestId: uuidv7(),
    client: noClient
  })

export class Embedder extends Context.Tag("pod/Embedder")<
  Embedder,
  {
    /** The share of all events that the model has read, from 0 to 1. None if the pod has no embedding model. */
    readonly progress: Effect.Effect<Option.Option<number>>
    /** Looks for spaces that are behind now, and not only at the next look. */
    readonly wake: Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const { embed, model } = yield* Embeddings
      if (model === undefined) return { progress: Effect.succeedNone, wake: Effect.void }
      const store = yield* VectorStore
      const sources = yield* SearchStore
      const jobs = yield* Jobs

      /**
       * Makes the vectors. A text that the service does not accept stays without one, and is found by its words. It must
       * not hold up the texts beside it, so the texts of a refused call are sent one by one.
       */
      const vectorsOf = (
        texts: ReadonlyArray<TextToEmbed>
      ): Effect.Effect<ReadonlyArray<PassageVector>, EmbedFailure> =>
        texts.length === 0
          ? Effect.succeed([])
          : embed(texts.map(({ text }) => text)).pipe(
              Effect.map((made) =>
                texts.flatMap(({ fingerprint, objectId, start }, at) => {
                  const vector = packed(made[at])
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

      const headOf = (spaceId: string) =>
        Effect.map(
          store.heads(model, [spaceId]),
          ([head]): VectorHead => head ?? { spaceId, seq: 0, revision: 0, isComplete: false }
        )

      /** Reads the next events. Answers whether there may be more. */
      const step = (spaceId: string) =>
        Effect.gen(function* () {
          const head = yield* headOf(spaceId)
          const moved = yield* sources.moved(spaceId, head.seq, eventsAtOnce)
          if (moved.length === 0 && head.isComplete) return false
          const ids = [...new Set(moved.flatMap(({ subjectId }) => subjectId ?? []))]
          const found = ids.length === 0 ? [] : yield* sources.sources(spaceId, ids)
          const objectIds = [...new Set([...ids, ...found.map(({ id }) => id)])]
          const known = objectIds.length === 0 ? [] : yield* store.placesOf(model, spaceId, objectIds)
          const fingerprints = new Map(known.map((each) => [`${each.objectId} ${each.start}`, each.fingerprint]))
          const places = found.flatMap(passagesToEmbed)
          const fresh = places.filter(
            ({ fingerprint, objectId, start }) => fingerprints.get(`${objectId} ${start}`) !== fingerprint
          )
          const vectors = yield* vectorsOf(fresh)
          const isComplete = moved.length < eventsAtOnce
          const seq = moved.at(-1)?.seq ?? head.seq
          yield* store.keep({ spaceId, model, objectIds, places, vectors, seq, isComplete })
          return !isComplete
        })

      const advance = (spaceId: string) =>
        Effect.gen(function* () {
          const until = (yield* Clock.currentTimeMillis) + attemptSeconds * 1000
          while (yield* step(spaceId)) if ((yield* Clock.currentTimeMillis) > until) return
        }).pipe(Effect.provideService(Reach, embedderReach(spaceId)))

      // A service that fails is no failure of the job: the space stays behind, and is looked at again after a rest.
      let failures = 0
      let restUntil = 0
      const isResting = Effect.map(Clock.currentTimeMillis, (nowMs) => nowMs < restUntil)
      const attempt = (spaceId: string) =>
        Effect.matchEffect(advance(spaceId), {
          onSuccess: () => Effect.sync(() => void (failures = 0)),
          onFailure: ({ message }) =>
            Effect.flatMap(Clock.currentTimeMillis, (nowMs) => {
              restUntil = nowMs + Math.min(restMostMs, 1000 * 2 ** ++failures)
              return Effect.logWarning(`Vectors cannot be made: ${message}`)
            })
        })
      yield* Effect.orDie(jobs.work(EmbedQueue, ({ spaceId }) => Effect.unlessEffect(attempt(spaceId), isResting)))

      const look = Effect.flatMap(store.behind(model, spacesAtOnce), (spaces) =>
        Effect.forEach(spaces, (spaceId) => jobs.enqueue(EmbedQueue, { spaceId }, { singletonKey: spaceId }), {
          discard: true
        })
      ).pipe(
        Effect.unlessEffect(isResting),
        Effect.catchAllCause((cause) => Effect.logWarning("Spaces without vectors cannot be looked for", cause)),
        Effect.asVoid
      )
      const wakes = yield* Queue.sliding<void>(1)
      const pause = Effect.timeoutOption(Queue.take(wakes), lookEvery)
      yield* Effect.forkScoped(Effect.forever(Effect.zipRight(look, Effect.zipRight(Effect.sleep(lookRest), pause))))

      return { progress: Effect.asSome(store.progress(model)), wake: Effect.asVoid(Queue.offer(wakes, undefined)) }
    })
  )
}
