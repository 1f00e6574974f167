/**
 * The client of an embedding model: its batches, the order and the form of vectors, and the failures of the service.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { MemoryDatabase } from "../../../src/platform/MemoryDatabase.ts"
import { TokenStore } from "../../../src/platform/models/TokenStore.ts"
import type { EmbeddingEndpoint } from "../../../src/platform/models/ModelEndpoint.ts"
import { Embeddings } from "../../../src/platform/models/Embeddings.ts"
import { aModelStub, type ModelReply, type ModelStub, replies } from "../../support/modelStub.ts"

let stub: ModelStub
beforeAll(async () => {
  stub = await aModelStub()
})
afterAll(() => stub.stop())

const tokens = TokenStore.layerMemory.pipe(Layer.provide(MemoryDatabase.layer))

/** Makes vectors whose first number is the length of the text. */
const ofLength = (dimensions: number) => (text: string) => [
  text.length,
  ...Array.from({ length: dimensions - 1 }, () => 1)
]

const built = (endpoint: EmbeddingEndpoint | undefined) =>
  Effect.flatMap(
    Layer.build(Embeddings.layer(endpoint).pipe(Layer.provide(tokens))),
    (context) => Context.get(context, Embeddings).get
  )

const anEmbedding = (dimensions?: number, tokensPerDay?: number) => {
  const key = Option.some(Redacted.make("sk-vectors"))
  const endpoint = { url: stub.url, model: "vectors", key, timeoutMs: 30_000, dimensions, tokensPerDay }
  return built(endpoint)
}

const withData = (...vectors: ReadonlyArray<unknown>) =>
  replies.json(200, { data: vectors.map((embedding, index) => ({ index, embedding })) })

describe("the client of an embedding model", () => {
  it.effect(
    "if the settings contain no embedding service, every call for vectors fails with the error `ModelNotConfigured`",
    () =>
      Effect.gen(function* () {
        const { embed, model } = yield* built(undefined)
        assert.isUndefined(model)
        assert.strictEqual((yield* Effect.flip(embed(["a"])))._tag, "ModelNotConfigured")
      }).pipe(Effect.scoped)
  )

  it.effect("the pod refuses vectors with more numbers than any model makes", () =>
    Effect.gen(function* () {
      const { embed } = yield* anEmbedding()
      stub.reply(replies.vectors(ofLength(16_384)))
      assert.lengthOf((yield* embed(["a"]))[0], 16_384)
      for (const numbers of [16_385, 1_000_000]) {
        stub.reply(replies.vectors(ofLength(numbers)))
        assert.deepInclude(yield* Effect.flip(Effect.asVoid(embed(["a"]))), { code: "invalid_response" })
      }
    }).pipe(Effect.scoped)
  )

  it.effect("the pod sends many texts in batches and returns their vectors in the order of the texts", () =>
    Effect.gen(function* () {
      stub.reply(replies.vectors(ofLength(3)))
      const { embed } = yield* anEmbedding(3)
      const texts = Array.from({ length: 150 }, (_, at) => "x".repeat(at + 1))
      const vectors = yield* embed(texts)
      assert.deepStrictEqual(
        vectors.map(([length]) => length),
        texts.map(({ length }) => length)
      )
      assert.deepStrictEqual(
        stub.asked().map(({ body }) => body.input.length),
        [64, 64, 22]
      )
      const [{ body, headers, path }] = stub.asked()
      assert.deepStrictEqual(
        [path, body.model, headers.authorization],
        ["/v1/embeddings", "vectors", "Bearer sk-vectors"]
      )
      stub.reply(replies.vectors(ofLength(3)))
      yield* embed(["y".repeat(60_000), "y".repeat(60_000), "y".repeat(200_000), "y"])
      assert.deepStrictEqual(
        stub.asked().map(({ body: { input } }) => input.length),
        [1, 1, 1, 1]
      )
    }).pipe(Effect.scoped)
  )

  it.effect(
    "if a text needs more tokens than are left for the day, the pod refuses the text and does not call the embedding service",
    () =>
      Effect.gen(function* () {
        stub.reply(replies.vectors(ofLength(3)))
        const { embed } = yield* anEmbedding(3, 10)
        yield* embed(["nine letters"])
        const failure = yield* Effect.flip(embed(["x".repeat(60)]))
        assert.strictEqual(failure._tag === "ModelFailure" ? failure.code : failure._tag, "llm_budget_exceeded")
        assert.strictEqual(stub.asked().length, 1)
      }).pipe(Effect.scoped)
  )

  it.effect("if a call for vectors contains no text, the pod does not call the embedding service", () =>
    Effect.gen(function* () {
      stub.reply(replies.garbage)
      assert.deepStrictEqual(yield* (yield* anEmbedding()).embed([]), [])
      assert.strictEqual(stub.asked().length, 0)
    }).pipe(Effect.scoped)
  )

  const unusable: ReadonlyArray<readonly [string, ModelReply]> = [
    ["vectors of another length than the settings say", withData([1, 2, 3], [4, 5, 6])],
    ["vectors of two lengths", withData([1, 2], [1, 2, 3])],
    ["one vector too few", withData([1, 2])],
    ["one vector too many", withData([1, 2], [3, 4], [5, 6])],
    ["a vector of zeros", withData([1, 2], [0, 0])],
    ["an empty vector", withData([1, 2], [])],
    ["a vector that is not a list of numbers", withData([1, 2], ["1", "2"])],
    ["a number that is too large", withData([1, 2], [1e300, 2])],
    ["the same index twice", replies.json(200, { data: [1, 1].map((index) => ({ index, embedding: [1, 2] })) })],
    ["a body that is not valid data", replies.garbage],
    ["an endless stream", replies.endless]
  ]
  it.effect.each(unusable)(
    "if the embedding service answers with %s, the pod refuses the answer and closes the connection",
    ([, reply]) =>
      Effect.gen(function* () {
        stub.reply(reply)
        const failure = yield* Effect.flip((yield* anEmbedding(2)).embed(["a", "b"]))
        assert.strictEqual(failure._tag === "ModelFailure" ? failure.code : failure._tag, "invalid_response")
        yield* Effect.promise(stub.released)
      }).pipe(Effect.scoped)
  )

  it.effect("the pod refuses vectors if the vectors of two batches have different lengths", () =>
    Effect.gen(function* () {
      stub.reply(replies.vectors(ofLength(2)), replies.vectors(ofLength(3)))
      const failure = yield* Effect.flip((yield* anEmbedding()).embed(Array.from({ length: 65 }, () => "a")))
      assert.strictEqual(failure._tag === "ModelFailure" ? failure.code : failure._tag, "invalid_response")
    }).pipe(Effect.scoped)
  )

  it.effect(
    "if the embedding service refuses the pod's key, a call for vectors and a health check report this, and the health check sends no text",
    () =>
      Effect.gen(function* () {
        stub.reply(replies.refusing(401))
        const { embed, probe } = yield* anEmbedding(2)
        for (const call of [embed(["a"]), probe]) {
          const failure = yield* Effect.flip<unknown, { readonly _tag: string; readonly code?: string }, never>(call)
          assert.strictEqual(failure.code, "provider_auth")
        }
        stub.reply(replies.json(200, { data: [] }))
        yield* probe
        assert.strictEqual(stub.asked()[0].path, "/v1/models")
      }).pipe(Effect.scoped)
  )
})
