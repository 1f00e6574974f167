/** The vectors of questions. A question that is asked again is not sent again. */
import { Context, Duration, Effect, Layer } from "effect"
import { Embeddings } from "../../platform/models/Embeddings.ts"

const questionsMost = 500 // kept; with 1,536 numbers each they take 3 MB
const charactersMost = 8000 // of a question that is sent
const patience = Duration.seconds(2) // a search without vectors is better than a search that waits

export class QuestionVectors extends Context.Tag("pod/QuestionVectors")<
  QuestionVectors,
  {
    /** The name of the model whose vectors are compared. Undefined if the pod has none. */
    readonly model: string | undefined
    /** The share of the vectors in a score, from 0 to 1. */
    readonly share: number
    /** The vector of a question. Undefined if the service does not answer in time. */
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
