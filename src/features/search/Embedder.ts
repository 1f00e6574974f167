/**
 * Makes the vectors of the passages that a search can find. For each space it reads the event log to the end, and makes
 * vectors of the texts that changed.
 */
import { Context, Effect, Layer, type Option, Schema } from "effect"
import { Id } from "../../doors/Id.ts"
import { noClient, Reach, systemReach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { jobQueue } from "../../platform/jobs/JobQueue.ts"
import { QuestionVectors } from "./QuestionVectors.ts"
import { type EmbedWork, embedQueueRules, startEmbedding } from "./EmbedWork.ts"
import { SearchStore } from "./SearchStore.ts"
import { passagesToEmbed } from "./Source.ts"
import { type VectorHead, Vectors } from "./Vectors.ts"

const queue = jobQueue({
  name: "search.embed",
  payload: Schema.Struct({ spaceId: Id }),
  ...embedQueueRules
})

// the maximum number of events that one step reads
const eventsAtOnce = 50

const noPersonId = "00000000-0000-0000-0000-000000000000"

/** Makes the rights with which the pod itself reads the texts of one space. No caller sees these texts. */
const embedderReach = (spaceId: string) =>
  systemReach("vectors of a space are made", noPersonId, [spaceId], {
    operation: "search.embed",
    requestId: uuidv7(),
    client: noClient
  })

export class Embedder extends Context.Tag("pod/Embedder")<
  Embedder,
  {
    /**
     * The share of all events that the embedding model has read, from 0 to 1. None if the pod has no embedding model.
     */
    readonly progress: Effect.Effect<Option.Option<number>>
    /**
     * Immediately searches for spaces with texts that have no vector yet, and does not wait for the next regular
     * search.
     */
    readonly wake: Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const questions = yield* QuestionVectors
      const store = yield* Vectors
      const sources = yield* SearchStore

      const headOf = (model: string, spaceId: string) =>
        Effect.map(
          store.heads(model, [spaceId]),
          ([head]): VectorHead => head ?? { spaceId, seq: 0, revision: 0, isComplete: false }
        )

      /** Reads the next events of a space and makes the vectors of the texts that these events changed. */
      const step: EmbedWork["step"] = (model, spaceId, vectorsOf) =>
        Effect.gen(function* () {
          const head = yield* headOf(model, spaceId)
          const laterEvents = yield* sources.eventsAfter(spaceId, head.seq, eventsAtOnce)
          if (laterEvents.length === 0 && head.isComplete) return false
          const ids = [...new Set(laterEvents.flatMap(({ subjectId }) => subjectId ?? []))]
          const found = ids.length === 0 ? [] : yield* sources.sources(spaceId, ids)
          const objectIds = [...new Set([...ids, ...found.map(({ id }) => id)])]
          const known = objectIds.length === 0 ? [] : yield* store.placesOf(model, spaceId, objectIds)
          const fingerprints = new Map(known.map((each) => [`${each.objectId} ${each.start}`, each.fingerprint]))
          const places = found.flatMap(passagesToEmbed)
          const vectors = yield* vectorsOf(
            places.filter(
              ({ fingerprint, objectId, start }) => fingerprints.get(`${objectId} ${start}`) !== fingerprint
            )
          )
          const isComplete = laterEvents.length < eventsAtOnce
          const seq = laterEvents.at(-1)?.seq ?? head.seq
          yield* store.keep({ spaceId, model, objectIds, places, vectors, seq, isComplete })
          return !isComplete
        }).pipe(Effect.provideService(Reach, embedderReach(spaceId)))

      const { wake } = yield* startEmbedding({ queue, spacesWithoutVectors: store.spacesWithUnread, step })
      const progress = Effect.flatMap(questions.model, (model) =>
        model === undefined ? Effect.succeedNone : Effect.asSome(store.progress(model))
      )
      return { progress, wake }
    })
  )
}
