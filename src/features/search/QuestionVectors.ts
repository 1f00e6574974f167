/** The vectors of questions. A question that several searches ask is sent to the embedding service once. */
import { Context, Deferred, Duration, Effect, Layer } from "effect"
import { Embeddings } from "../../platform/models/Embeddings.ts"

const questionsMost = 500 // how many questions are kept; with 1,536 numbers each they take 3 MB
const charactersMost = 8000 // how many characters of a question are sent
const patience = Duration.seconds(2) // how long a search waits; a search without vectors is better than a slow search

type Answer = Deferred.Deferred<Float32Array | undefined>

export class QuestionVectors extends Context.Tag("pod/QuestionVectors")<
  QuestionVectors,
  {
    /** The name of the model whose vectors are compared. Undefined if the pod has no model or gives the vectors no share. */
    readonly model: string | undefined
    /** The share of the vectors in a score, from 0 to 1. */
    readonly share: number
    /** The vector of a question. Undefined if the service fails or does not answer in time. */
    readonly of: (question: string) => Effect.Effect<Float32Array | undefined>
  }
>() {
  static readonly layer = (share: number) =>
    Layer.scoped(
      this,
      Effect.gen(function* () {
        const { embed, model } = yield* Embeddings
        const scope = yield* Effect.scope
        const answers = new Map<string, Answer>()

        const keep = (text: string, answer: Answer) => {
          answers.delete(text) // the question that was asked last stands last
          answers.set(text, answer)
          for (const oldest of answers.keys()) {
            if (answers.size <= questionsMost) return
            answers.delete(oldest)
          }
        }

        /** Asks the service. The call goes on when the search that began it gives up, so that a later search has its answer. */
        const ask = (text: string) =>
          Effect.gen(function* () {
            const answer = yield* Deferred.make<Float32Array | undefined>()
            keep(text, answer)
            const asked = embed([text]).pipe(
              Effect.map(([vector]) => vector),
              Effect.tapErrorCause(() => Effect.sync(() => answers.delete(text))),
              Effect.catchAll(({ message }) =>
                Effect.as(Effect.logWarning(`A search compares words only: ${message}`), undefined)
              )
            )
            yield* Effect.forkIn(Effect.intoDeferred(asked, answer), scope)
            return answer
          })

        return {
          model: share === 0 ? undefined : model,
          share,
          of: (question) =>
            Effect.suspend(() => {
              const text = question.slice(0, charactersMost)
              const known = answers.get(text)
              if (known === undefined) return ask(text)
              keep(text, known)
              return Effect.succeed(known)
            }).pipe(
              Effect.flatMap(Deferred.await),
              Effect.timeoutTo({ duration: patience, onSuccess: (vector) => vector, onTimeout: () => undefined })
            )
        }
      })
    )
}
