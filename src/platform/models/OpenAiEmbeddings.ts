/** Calls `POST /embeddings` of an OpenAI-compatible service, in batches. */
import { Effect, Schema } from "effect"
import { circuitBreaker } from "./CircuitBreaker.ts"
import { countedTokens } from "./CountedTokens.ts"
import { callModel } from "./ModelCall.ts"
import type { EmbeddingEndpoint } from "./ModelEndpoint.ts"
import { ModelFailure } from "./ModelFailure.ts"
import { jsonOf, requestModel } from "./ModelHttp.ts"
import { tokenBudget, tokensIn } from "./TokenBudget.ts"

// the maximum number of numbers in a vector; the pod keeps vectors in memory, and no known model makes longer ones
const numbersMax = 16_384
// the maximum number of texts in a batch; if each vector has 4,096 numbers, the answer has about 6 MB
const batchMax = 64
// the maximum number of characters of all texts of a batch together
const charactersMax = 100_000
/** Returns the maximum number of bytes of an answer: 32 for each number, and 64 kB for everything else. */
const bytesMaxFor = (texts: number) => 64 * 1024 + texts * numbersMax * 32

/** A vector. Checked in one loop, because a schema of each number takes a hundred times as long. */
const Vector = Schema.declare(
  (value): value is ReadonlyArray<number> =>
    Array.isArray(value) && value.length > 0 && value.length <= numbersMax && value.every(Number.isFinite)
)

const Answer = Schema.Struct({
  data: Schema.Array(Schema.Struct({ index: Schema.optional(Schema.Int), embedding: Vector })),
  usage: Schema.optional(Schema.Unknown)
})
const readAnswer = Schema.decodeUnknown(Answer)

const invalidResponse = () => new ModelFailure({ code: "invalid_response" })

/** Divides the texts into batches, in their order. A text longer than `charactersMax` gets a batch of its own. */
const batchesOf = (texts: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const batches: Array<Array<string>> = []
  let room = 0
  for (const text of texts) {
    const last = batches.at(-1)
    if (last === undefined || last.length >= batchMax || text.length > room) {
      batches.push([text])
      room = charactersMax - text.length
    } else {
      last.push(text)
      room -= text.length
    }
  }
  return batches
}

/**
 * Returns the vectors in the order of the texts. A service can return the vectors in another order. The field `index`
 * of a vector is then the number of the text of this vector. Returns undefined if the vectors cannot be used.
 */
const inOrder = ({ data }: typeof Answer.Type, count: number): ReadonlyArray<ReadonlyArray<number>> | undefined => {
  const vectors = new Map(data.map(({ embedding, index }, at) => [index ?? at, embedding]))
  const ordered = Array.from({ length: count }, (_, at) => vectors.get(at) ?? [])
  return data.length === count && ordered.every(({ length }) => length > 0) ? ordered : undefined
}

export const embedWith = Effect.fnUntraced(function* (endpoint: EmbeddingEndpoint) {
  const breaker = yield* circuitBreaker
  const budget = yield* tokenBudget("embeddings", endpoint.tokensPerDay)
  /**
   * Returns true if a vector can be compared. The vector must have the length from the settings, if the settings state
   * a length. The vector must not be all zeros, because such a vector has no direction.
   */
  const isUsable = (vector: ReadonlyArray<number>) =>
    (endpoint.dimensions === undefined || vector.length === endpoint.dimensions) &&
    vector.some((each) => Math.fround(each) !== 0) &&
    vector.every((each) => Number.isFinite(Math.fround(each)))
  const attempt = (input: ReadonlyArray<string>, estimate: number) =>
    Effect.gen(function* () {
      const body = { model: endpoint.model, input, encoding_format: "float" }
      const answer = yield* requestModel(endpoint, "/embeddings", {
        body,
        bytesMax: bytesMaxFor(input.length)
      })
      const read = yield* Effect.mapError(Effect.flatMap(jsonOf(answer), readAnswer), (failure) =>
        failure._tag === "ModelFailure" ? failure : invalidResponse()
      )
      const vectors = inOrder(read, input.length)
      if (vectors === undefined || !vectors.every(isUsable)) return yield* invalidResponse()
      return {
        vectors: vectors.map((vector) => Float32Array.from(vector)),
        tokens: countedTokens(read.usage).total ?? estimate
      }
    }).pipe(Effect.scoped)
  const call = (batch: ReadonlyArray<string>) => {
    const estimate = batch.reduce((sum, text) => sum + tokensIn(text), 0)
    return budget(estimate, breaker(callModel(endpoint, attempt(batch, estimate))))
  }

  return (texts: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Float32Array>, ModelFailure> =>
    Effect.gen(function* () {
      const answers = yield* Effect.forEach(batchesOf(texts), call)
      const all = answers.flatMap(({ vectors }) => vectors)
      return all.every(({ length }) => length === all[0].length) ? all : yield* invalidResponse()
    })
})
