/**
 * The vectors of questions. If several searches have the same question, the pod sends the question to the embedding
 * service only once.
 */
import { Context, Deferred, Duration, Effect, Layer } from "effect"
import { type EmbeddingModel, Embeddings } from "../../platform/models/Embeddings.ts"
import { shortenText } from "../../platform/StoredText.ts"

// the maximum number of cached vectors; 500 vectors with 1,536 numbers each take 3 MB
const questionsMax = 500
// the maximum number of characters of a question that the pod sends to the service
const charactersMax = 8000
// How long a search waits for the vector of its question. After this time, the search compares only words.
const vectorTimeout = Duration.seconds(2)

const noVector = Effect.as(Effect.void, undefined)

type Answer = Deferred.Deferred<Float32Array | undefined>

/** The embedding model that makes the vectors. */
export interface UsedModel extends Pick<EmbeddingModel, "embed"> {
  readonly model: string
}

/** The vector of a question, with the name of its model. Only vectors of the same model can be compared. */
export interface QuestionVector {
  readonly model: string
  readonly vector: Float32Array
}

export class QuestionVectors extends Context.Tag("pod/QuestionVectors")<
  QuestionVectors,
  {
    /**
     * The embedding model in use. Undefined if the pod has no embedding model, or if vectors have no weight in the
     * score (`share` is 0).
     */
    readonly usedModel: Effect.Effect<UsedModel | undefined>
    /** The name of the embedding model in use. Undefined if no embedding model is in use. */
    readonly model: Effect.Effect<string | undefined>
    /** The weight of the vectors in a score, from 0 to 1. */
    readonly share: number
    /** Makes the vector of a question. Returns undefined if the service fails or does not answer in time. */
    readonly of: (question: string) => Effect.Effect<QuestionVector | undefined>
  }
>() {
  static readonly layer = (share: number) =>
    Layer.scoped(
      this,
      Effect.gen(function* () {
        const { get } = yield* Embeddings
        const scope = yield* Effect.scope
        const answers = new Map<string, Answer>()
        const used = Effect.map(get, ({ embed, model }): UsedModel | undefined =>
          share === 0 || model === undefined ? undefined : { embed, model }
        )

        const keep = (key: string, answer: Answer) => {
          // Moves the question to the end of the cache, so that the first question is the least recently used one.
          answers.delete(key)
          answers.set(key, answer)
          for (const oldest of answers.keys()) {
            if (answers.size <= questionsMax) return
            answers.delete(oldest)
          }
        }

        /**
         * Calls the embedding service. If the search stops waiting, the call continues, and a later search for the same
         * question uses the result.
         */
        const ask = Effect.fnUntraced(function* ({ embed }: UsedModel, text: string, key: string) {
          const answer = yield* Deferred.make<Float32Array | undefined>()
          keep(key, answer)
          const embedding = embed([text]).pipe(
            Effect.map(([vector]) => vector),
            Effect.tapErrorCause(() => Effect.sync(() => answers.delete(key))),
            Effect.catchAll(({ message }) =>
              Effect.as(Effect.logWarning(`A search compares words only: ${message}`), undefined)
            )
          )
          yield* Effect.forkIn(Effect.intoDeferred(embedding, answer), scope)
          return answer
        })

        return {
          usedModel: used,
          model: Effect.map(used, (model) => model?.model),
          share,
          of: (question) =>
            Effect.flatMap(used, (model) => {
              if (model === undefined) return noVector
              const text = shortenText(question, charactersMax)
              const key = `${model.model}\n${text}`
              return Effect.suspend(() => {
                const known = answers.get(key)
                if (known === undefined) return ask(model, text, key)
                keep(key, known)
                return Effect.succeed(known)
              }).pipe(
                Effect.flatMap(Deferred.await),
                Effect.timeoutTo({
                  duration: vectorTimeout,
                  onSuccess: (vector) => vector,
                  onTimeout: () => undefined
                }),
                Effect.map((vector) => (vector === undefined ? undefined : { model: model.model, vector }))
              )
            })
        }
      })
    )
}
