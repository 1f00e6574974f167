/** Calls POST /embeddings of an OpenAI-compatible service, in batches. */
import { Effect, Schema } from "effect"
import { circuitBreaker } from "./CircuitBreaker.ts"
import { callModel } from "./ModelCall.ts"
import type { EmbeddingEndpoint } from "./ModelEndpoint.ts"
import { ModelFailure } from "./ModelFailure.ts"
import { jsonOf, requestModel } from "./ModelHttp.ts"

const batchMost = 64 // texts; with 4,096 numbers each the answer has about 6 MB
const charactersMost = 100_000 // of the texts of a batch
const bytesMost = 32 * 1024 * 1024

const Answer = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      index: Schema.optional(Schema.Int),
      embedding: Schema.Array(Schema.Finite).pipe(Schema.minItems(1))
    })
  )
})
const readAnswer = Schema.decodeUnknown(Answer)

const invalidResponse = () => new ModelFailure({ code: "invalid_response" })

/** Texts that go together, in their order. A text that is too long for any batch goes alone. */
const batchesOf = (texts: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const batches: Array<Array<string>> = []
  let room = 0
  for (const text of texts) {
    const last = batches.at(-1)
    if (last === undefined || last.length >= batchMost || text.length > room) {
      batches.push([text])
      room = charactersMost - text.length
    } else {
      last.push(text)
      room -= text.length
    }
  }
  return batches
}

/** Services may answer in another order than they were asked; the index says which text a vector belongs to. */
const inOrder = ({ data }: typeof Answer.Type, count: number): ReadonlyArray<ReadonlyArray<number>> | undefined => {
  const vectors = new Map(data.map(({ embedding, index }, at) => [index ?? at, embedding]))
  const ordered = Array.from({ length: count }, (_, at) => vectors.get(at) ?? [])
  return data.length === count && ordered.every(({ length }) => length > 0) ? ordered : undefined
}

export const embedWith = (endpoint: EmbeddingEndpoint) =>
  Effect.map(circuitBreaker, (breaker) => {
    const attempt = (input: ReadonlyArray<string>) =>
      Effect.gen(function* () {
        const body = { model: endpoint.model, input, encoding_format: "float" }
        const answer = yield* requestModel(endpoint, "/embeddings", { body, bytesMost })
        const read = yield* Effect.mapError(Effect.flatMap(jsonOf(answer), readAnswer), (failure) =>
          failure._tag === "ModelFailure" ? failure : invalidResponse()
        )
        const vectors = inOrder(read, input.length)
        if (vectors === undefined || !vectors.every(isUsable)) return yield* invalidResponse()
        return vectors.map((vector) => Float32Array.from(vector))
      }).pipe(Effect.scoped)
    /** A vector of zeros has no direction, and one of another length cannot be compared. */
    const isUsable = (vector: ReadonlyArray<number>) =>
      (endpoint.dimensions === undefined || vector.length === endpoint.dimensions) &&
      vector.some((each) => Math.fround(each) !== 0) &&
      vector.every((each) => Number.isFinite(Math.fround(each)))

    return (texts: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Float32Array>, ModelFailure> =>
      Effect.gen(function* () {
        const batches = yield* Effect.forEach(batchesOf(texts), (batch) => breaker(callModel(endpoint, attempt(batch))))
        const vectors = batches.flat()
        const isEven = vectors.every(({ length }) => length === vectors[0].length)
        return isEven ? vectors : yield* invalidResponse()
      })
  })
