/**
 * The client of a language model, with a service that fails in many ways. The tests use real HTTP, and a clock that the
 * test controls.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Chunk, Context, Deferred, Effect, Exit, Fiber, Layer, Option, Redacted, TestClock } from "effect"
import { LanguageModel } from "../../../src/platform/models/LanguageModel.ts"
import type { ModelFailureCode } from "../../../src/platform/models/ModelFailure.ts"
import { MemoryDatabase } from "../../../src/platform/MemoryDatabase.ts"
import { TokenStore } from "../../../src/platform/models/TokenStore.ts"
import { aModelStub, type ModelReply, type ModelStub, replies } from "../../support/modelStub.ts"

const timeoutMs = 60_000
const secret = "sk-of-the-pod-4711"
const question = [{ role: "user" as const, content: "When did it happen?" }]

let stub: ModelStub
beforeAll(async () => {
  stub = await aModelStub()
})
afterAll(() => stub.stop())

const tokens = TokenStore.layerMemory.pipe(Layer.provide(MemoryDatabase.layer))

const aModel = (tokensPerDay?: number, url = stub.url) =>
  Effect.map(
    Layer.build(
      LanguageModel.layer(
        { url, model: "small", key: Option.some(Redacted.make(secret)), timeoutMs },
        tokensPerDay
      ).pipe(Layer.provide(tokens))
    ),
    Context.get(LanguageModel)
  )

/** Returns the code of a failed call. Fails the test if the call succeeds. */
const codeOf = <A>(call: Effect.Effect<A, { readonly _tag: string; readonly code?: ModelFailureCode }>) =>
  Effect.map(Effect.flip(Effect.asVoid(call)), (failure) => failure.code ?? failure._tag)

const nextTurn = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))

/**
 * Waits until a fiber sleeps, and moves the test clock to the end of this sleep. The sleep must take at most `mostMs`
 * on the test clock.
 */
const passPause = (mostMs: number) =>
  Effect.gen(function* () {
    const now = yield* TestClock.currentTimeMillis
    const isPause = (at: number) => at > now && at <= now + mostMs
    while (!Chunk.some(yield* TestClock.sleeps(), isPause)) yield* nextTurn
    const [at] = [...(yield* TestClock.sleeps())].filter(isPause).toSorted((one, other) => one - other)
    yield* TestClock.setTime(at)
    return at - now
  })

describe("the client of a language model", () => {
  it.effect(
    "if the settings contain no model service, a call to the model fails with the error `ModelNotConfigured`, and the pod calls no service",
    () =>
      Effect.gen(function* () {
        const model = Context.get(
          yield* Layer.build(LanguageModel.layer(undefined, undefined).pipe(Layer.provide(tokens))),
          LanguageModel
        )
        assert.isUndefined(yield* model.model)
        assert.strictEqual(yield* codeOf(model.complete(question)), "ModelNotConfigured")
        assert.strictEqual(yield* codeOf(model.probe), "ModelNotConfigured")
      }).pipe(Effect.scoped)
  )

  it.effect(
    "the pod reads the whole streamed answer of a model, whatever the size of its pieces, and reports the number of tokens that the service counted",
    () =>
      Effect.gen(function* () {
        stub.reply(replies.saying("Zwölf Äpfel fielen — 十二。", 42))
        const model = yield* aModel()
        assert.deepInclude(yield* model.complete(question), { text: "Zwölf Äpfel fielen — 十二。", tokens: 42 })
        const [{ body, headers, method, path }] = stub.asked()
        assert.deepStrictEqual([method, path], ["POST", "/v1/chat/completions"])
        assert.deepStrictEqual([body.model, body.stream, body.messages], ["small", true, question])
        assert.strictEqual(headers.authorization, `Bearer ${secret}`)
      }).pipe(Effect.scoped)
  )

  it.effect(
    "the pod also reads the answer of a model service that sends no stream although the pod asked for one",
    () =>
      Effect.gen(function* () {
        stub.reply(replies.json(200, { choices: [{ message: { content: "Noon." }, finish_reason: "stop" }] }))
        const { text, tokens } = yield* (yield* aModel()).complete(question)
        assert.strictEqual(text, "Noon.")
        assert.isAbove(tokens, 0)
      }).pipe(Effect.scoped)
  )

  const pieces =
    (...texts: ReadonlyArray<string>): ModelReply =>
    (response) => {
      const events = texts.map((content) => ({ choices: [{ delta: { content } }] }))
      const end = { choices: [{ delta: {}, finish_reason: "stop" }] }
      response.writeHead(200, { "content-type": "text/event-stream" })
      response.end([...events, end].map((event) => `data: ${JSON.stringify(event)}\n\n`).join("") + "data: [DONE]\n\n")
    }

  it.effect(
    "the pod replaces NUL characters and half surrogate pairs in an answer of the model, and keeps a surrogate pair that arrives in two pieces",
    () =>
      Effect.gen(function* () {
        const model = yield* aModel()
        const cases = [
          [pieces("a\0b", "c\ud83d", "\ude00d"), "a\ufffdbc\u{1f600}d"],
          [pieces("e\ud83d", "f", "g\ude00"), "e\ufffdfg\ufffd"],
          [pieces("h\ud83d"), "h\ufffd"],
          [
            replies.json(200, { choices: [{ message: { content: "\0\ud800i" }, finish_reason: "stop" }] }),
            "\ufffd\ufffdi"
          ]
        ] as const
        for (const [reply, expected] of cases) {
          stub.reply(reply)
          const heard: Array<string> = []
          const onText = (text: string) => Effect.sync(() => void heard.push(text))
          const { text } = yield* model.chat(question, { onText })
          assert.strictEqual(text, expected)
          assert.strictEqual(heard.join(""), expected)
          for (const each of heard) assert.isTrue(each.isWellFormed())
        }
      }).pipe(Effect.scoped)
  )

  it.effect.each([
    ["a text", "many"],
    ["a list", [1]],
    ["texts instead of numbers", { total_tokens: "12", prompt_tokens: "5", completion_tokens: {} }],
    ["negative numbers", { total_tokens: -5, prompt_tokens: -1, completion_tokens: -4 }],
    ["fractions", { total_tokens: 1.5, prompt_tokens: 0.5, completion_tokens: 1 }],
    ["an impossible number", { total_tokens: 1e15, prompt_tokens: 1e300, completion_tokens: 1 }]
  ] as const)(
    "if the field `usage` in an answer of the model is %s, the pod reads the answer and estimates its tokens",
    ([, usage]) =>
      Effect.gen(function* () {
        const body = { choices: [{ message: { content: "Noon." }, finish_reason: "stop" }], usage }
        stub.reply(replies.json(200, body))
        const { counted, text, tokens } = yield* (yield* aModel()).complete(question)
        assert.strictEqual(text, "Noon.")
        assert.isUndefined(counted)
        assert.isTrue(Number.isInteger(tokens) && tokens > 0 && tokens < 1_000, String(tokens))
      }).pipe(Effect.scoped)
  )

  const refusals: ReadonlyArray<readonly [ModelFailureCode, string, ModelReply]> = [
    [
      "provider_auth",
      "the status 401",
      replies.refusing(401, { code: "invalid_api_key", message: `wrong key ${secret}` })
    ],
    ["provider_auth", "the status 403", replies.refusing(403)],
    ["provider_no_credit", "the status 402", replies.refusing(402)],
    ["quota_exhausted", "the status 429 for a used quota", replies.refusing(429, { code: "insufficient_quota" })],
    [
      "account_quota_exceeded",
      "the status 429 for a billing limit",
      replies.refusing(429, { code: "billing_hard_limit_reached" })
    ],
    [
      "account_inactive",
      "the answer that the account is closed",
      replies.refusing(403, { code: "account_deactivated" })
    ],
    [
      "not_entitled",
      "the answer that the account may not use the model",
      replies.refusing(403, { code: "model_not_allowed" })
    ],
    [
      "context_length_exceeded",
      "the answer that the text is too long",
      replies.refusing(400, { code: "context_length_exceeded" })
    ],
    [
      "content_filter",
      "a refusal by a content filter before the model runs",
      replies.refusing(400, { code: "content_filter" })
    ],
    [
      "content_filter",
      "a stop by a content filter while the model answers",
      replies.saying("Well", 1, "content_filter")
    ],
    ["bad_request", "the answer that the model is unknown", replies.refusing(404, { code: "model_not_found" })],
    ["bad_request", "a redirection", replies.refusing(307, {}, { location: "http://127.0.0.1:1/elsewhere" })],
    ["cancelled", "the status 499 for a cancelled call", replies.refusing(499)],
    ["rate_limited", "an answer that asks for a wait of an hour", replies.refusing(429, {}, { "retry-after": "3600" })],
    ["invalid_response", "a stream of invalid data", replies.garbage],
    ["invalid_response", "an answer that is not a JSON object", replies.json(200, "hello")],
    ["invalid_response", "an empty answer", replies.saying("")],
    ["invalid_response", "an answer that was cut because of its length", replies.saying("It was", 3, "length")],
    ["invalid_response", "an endless stream", replies.endless],
    ["invalid_response", "a stream of endless comments", replies.endlessComments],
    [
      "upstream_error",
      "an error in the stream",
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" })
        response.end(`data: {"error": {"message": "worker died"}}\n\n`)
      }
    ]
  ]
  it.effect.each(refusals)(
    "a call to the model fails with the code %s after %s, and the pod neither repeats the call nor leaves a connection open",
    ([code, , reply]) =>
      Effect.gen(function* () {
        stub.reply(reply)
        const model = yield* aModel()
        const failure = yield* Effect.flip(model.complete(question))
        assert.strictEqual(failure._tag === "ModelFailure" ? failure.code : failure._tag, code)
        assert.strictEqual(stub.asked().length, 1)
        yield* Effect.promise(stub.released)
        // The failure contains neither the text of the service nor the key.
        assert.notInclude(`${failure.message} ${JSON.stringify(failure)} ${String(failure)}`, secret)
      }).pipe(Effect.scoped)
  )

  it.effect(
    "if a model service sends nothing for half of the time limit, the pod ends its call, even if a part of the answer has arrived",
    () =>
      Effect.gen(function* () {
        for (const reply of [replies.silent, replies.stalling]) {
          stub.reply(reply)
          const model = yield* aModel()
          const call = yield* Effect.fork(codeOf(model.complete(question)))
          yield* Effect.promise(() => stub.askedTimes(1))
          // A sleep of this length is the wait for the next byte. This wait begins again after each byte.
          assert.strictEqual(yield* passPause(timeoutMs / 2), timeoutMs / 2)
          assert.strictEqual(yield* Fiber.join(call), "timeout")
          yield* Effect.promise(stub.released)
          assert.strictEqual(stub.asked().length, 1)
        }
      }).pipe(Effect.scoped)
  )

  const faults: ReadonlyArray<readonly [string, ModelReply]> = [
    ["the answer that the service is overloaded", replies.refusing(429)],
    ["a failure of the service", replies.refusing(500)],
    ["the answer of a proxy that it cannot reach the service", replies.refusing(503)],
    ["a connection that is cut in the middle", replies.cutting],
    ["a stream that ends in the middle", replies.ending]
  ]
  it.effect.each(faults)(
    "after %s, the pod repeats its call to the model, with a random pause that doubles with each attempt",
    ([, reply]) =>
      Effect.gen(function* () {
        stub.reply(reply, reply, replies.saying("Noon."))
        const model = yield* aModel()
        const call = yield* Effect.fork(model.complete(question))
        const first = yield* passPause(10_000)
        assert.isTrue(first >= 250 && first <= 750, `${first}`)
        const second = yield* passPause(10_000)
        assert.isTrue(second >= 500 && second <= 1500, `${second}`)
        assert.strictEqual((yield* Fiber.join(call)).text, "Noon.")
        assert.strictEqual(stub.asked().length, 3)
      }).pipe(Effect.scoped)
  )

  it.effect(
    "before the next attempt to call the model, the pod waits for the time that the model service asks for",
    () =>
      Effect.gen(function* () {
        const waits = [
          replies.refusing(429, {}, { "retry-after": "7" }),
          replies.refusing(503, {}, { "retry-after-ms": "1234" })
        ]
        stub.reply(...waits, replies.saying("Noon."))
        const call = yield* Effect.fork((yield* aModel()).complete(question))
        assert.deepStrictEqual([yield* passPause(10_000), yield* passPause(10_000)], [7000, 1234])
        assert.strictEqual((yield* Fiber.join(call)).text, "Noon.")
      }).pipe(Effect.scoped)
  )

  it.effect(
    "if the model service cannot be reached, the pod repeats the call to the model twice, and then the call fails",
    () =>
      Effect.gen(function* () {
        const gone = yield* Effect.promise(aModelStub)
        yield* Effect.promise(gone.stop)
        const model = yield* aModel(undefined, gone.url)
        const call = yield* Effect.fork(codeOf(model.complete(question)))
        yield* passPause(10_000)
        yield* passPause(10_000)
        assert.strictEqual(yield* Fiber.join(call), "upstream_error")
      }).pipe(Effect.scoped)
  )

  it.effect("if a call to the model service is interrupted, the pod closes the connection to the service", () =>
    Effect.gen(function* () {
      stub.reply(replies.stalling)
      const call = yield* Effect.fork((yield* aModel()).complete(question))
      yield* Effect.promise(() => stub.askedTimes(1))
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(call)))
      yield* Effect.promise(stub.released)
    }).pipe(Effect.scoped)
  )

  it.effect(
    "after five failures in a row the pod makes no call to the model service for half a minute, and then the result of one call decides whether it makes further calls",
    () =>
      Effect.gen(function* () {
        const model = yield* aModel()
        const code = codeOf(model.complete(question))
        stub.reply(replies.garbage)
        for (let at = 0; at < 5; at++) assert.strictEqual(yield* code, "invalid_response")
        assert.strictEqual(yield* code, "circuit_open")
        assert.strictEqual(stub.asked().length, 5)

        yield* TestClock.adjust(29_999)
        assert.strictEqual(yield* code, "circuit_open")
        yield* TestClock.adjust(1)
        stub.reply(replies.silent)
        const trial = yield* Effect.fork(model.complete(question))
        yield* Effect.promise(() => stub.askedTimes(1))
        assert.strictEqual(yield* code, "circuit_open")
        yield* Fiber.interrupt(trial)

        stub.reply(replies.garbage)
        assert.strictEqual(yield* code, "invalid_response")
        assert.strictEqual(yield* code, "circuit_open")
        yield* TestClock.adjust(30_000)
        stub.reply(replies.saying("Noon."), replies.garbage)
        assert.strictEqual((yield* model.complete(question)).text, "Noon.")
        for (let at = 0; at < 5; at++) assert.strictEqual(yield* code, "invalid_response")
        assert.strictEqual(yield* code, "circuit_open")
      }).pipe(Effect.scoped)
  )

  const useless: ReadonlyArray<readonly [string, ModelReply]> = [
    ["empty answers", replies.saying("")],
    ["answers that were cut", replies.saying("It was", 3, "length")],
    ["answers that ask for a tool", replies.saying("It was", 3, "tool_calls")],
    ["answers that are too long", replies.saying("word ".repeat(5_000))]
  ]
  it.effect.each(useless)(
    "attack: %s do not stop the calls of other clients, because every client can cause them by its question",
    ([, reply]) =>
      Effect.gen(function* () {
        const model = yield* aModel()
        stub.reply(reply)
        for (let at = 0; at < 6; at++) assert.strictEqual(yield* codeOf(model.complete(question)), "invalid_response")
        stub.reply(replies.saying("Noon."))
        assert.strictEqual((yield* model.complete(question)).text, "Noon.")
      }).pipe(Effect.scoped)
  )

  it.effect(
    "attack: readers that do not take their answers do not stop the calls of other clients, although their calls end at the time limit",
    () =>
      Effect.gen(function* () {
        const model = yield* aModel()
        for (let at = 0; at < 6; at++) {
          stub.reply(replies.saying("It was noon. "))
          const isWaiting = yield* Deferred.make<void>()
          const onText = () => Effect.zipRight(Deferred.succeed(isWaiting, undefined), Effect.never)
          const call = yield* Effect.fork(codeOf(model.chat([{ role: "user", content: "When?" }], { onText })))
          yield* Deferred.await(isWaiting)
          yield* TestClock.adjust(timeoutMs)
          assert.strictEqual(yield* Fiber.join(call), "timeout")
        }
        stub.reply(replies.saying("Noon."))
        assert.strictEqual((yield* model.complete(question)).text, "Noon.")
      }).pipe(Effect.scoped)
  )

  it.effect(
    "if the model service refuses calls for a clear reason, such as a wrong key, the pod still makes further calls",
    () =>
      Effect.gen(function* () {
        const model = yield* aModel()
        stub.reply(replies.refusing(401))
        for (let at = 0; at < 8; at++) assert.strictEqual(yield* codeOf(model.complete(question)), "provider_auth")
      }).pipe(Effect.scoped)
  )

  it.effect(
    "calls to the model, even concurrent calls, never use more tokens than the daily limit, and the count begins again on the next day",
    () =>
      Effect.gen(function* () {
        const model = yield* aModel(1000)
        const code = codeOf(model.complete(question))
        stub.reply(replies.saying("Noon.", 990))
        yield* model.complete(question)
        // The question has 19 bytes, which is 7 tokens. The limit has room for one more call, but not for two calls at
        // the same time.
        stub.reply(replies.silent)
        const calls = yield* Effect.fork(model.complete(question))
        yield* Effect.promise(() => stub.askedTimes(1))
        assert.strictEqual(yield* code, "llm_budget_exceeded")
        assert.strictEqual(stub.asked().length, 1)
        yield* Fiber.interrupt(calls)
        yield* TestClock.adjust("1 day")
        stub.reply(replies.refusing(401), replies.saying("Noon.", 10))
        for (let at = 0; at < 3; at++) yield* Effect.exit(model.complete(question))
        assert.strictEqual((yield* model.complete(question)).text, "Noon.")
      }).pipe(Effect.scoped)
  )

  it.effect(
    "the health check asks the model service for its list of models, sends the pod's key for this service, and uses no tokens",
    () =>
      Effect.gen(function* () {
        const model = yield* aModel(0)
        stub.reply(replies.json(200, { object: "list", data: [] }))
        yield* model.probe
        const [{ headers, method, path }] = stub.asked()
        assert.deepStrictEqual([method, path, headers.authorization], ["GET", "/v1/models", `Bearer ${secret}`])
        stub.reply(replies.refusing(401))
        assert.strictEqual(yield* codeOf(model.probe), "provider_auth")
        stub.reply(replies.silent)
        const call = yield* Effect.fork(codeOf(model.probe))
        assert.strictEqual(yield* passPause(10_000), 3000)
        assert.strictEqual(yield* Fiber.join(call), "timeout")
      }).pipe(Effect.scoped)
  )
})
