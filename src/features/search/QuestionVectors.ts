/** Gets the vectors of questions from the embedding model. Caches them, so that the same question is not sent to the model again. */
import { Context, Duration, Effect, Layer } from "effect"
import { Embeddings } from "../../platform/models/Embeddings.ts"

const questionsMost = 500 // cached vectors; with 1,536 numbers each they take 3 MB
const charactersMost = 8000 // how many characters of a question are sent to the model
const patience = Duration.seconds(2) // the longest wait for a vector; a search without vectors is better than a slow search

export class QuestionVectors extends Context.Tag("pod/QuestionVectors")<
  QuestionVectors,
  {
    /** The name of the embedding model. Undefined if the pod has no model, or if vectors have no share in a score. */
    readonly model: string | undefined
    /** The share of the vectors in a score, from 0 to 1. */
    readonly share: number
    /** The vector of a question. Undefined if the model service fails or does not answer in time. */
    readonly of: (question: string) => Effect.Effect<Float32Array | undefined>
  }
>() {
  static readonly layer = (share: number) =>
    Layer.effect(
      this,
      Effect.map(Embeddings, ({ embed, model }) => {
        const kept = new Map<string, Float32Array>()
        const keep = (question: string, vector: Float32Array) => {
          kept.delete(question)
          kept.set(question, vector)
          for (const oldest of kept.keys()) {
            if (kept.size <= questionsMost) return
            kept.delete(oldest)
          }
        }
        return {
          model: share === 0 ? undefined : model,
          share,
          of: (question) =>
            Effect.suspend(() => {
              const text = question.slice(0, charactersMost)
              const known = kept.get(text)
              return known === undefined ? Effect.map(embed([text]), ([vector]) => vector) : Effect.succeed(known)
            }).pipe(
              Effect.tap((vector) => Effect.sync(() => keep(question.slice(0, charactersMost), vector))),
              Effect.timeoutTo({ duration: patience, onSuccess: (vector) => vector, onTimeout: () => undefined }),
              Effect.catchAll(({ message }) =>
                Effect.as(Effect.logWarning(`A search compares words only: ${message}`), undefined)
              )
            )
        }
      })
    )
}
