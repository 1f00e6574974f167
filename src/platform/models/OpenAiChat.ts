/** Calls POST /chat/completions of an OpenAI-compatible service and reads its stream to the end. */
import { Effect, Option, Schema } from "effect"
import { circuitBreaker } from "./CircuitBreaker.ts"
import type { Completion, Message } from "./LanguageModel.ts"
import { callModel } from "./ModelCall.ts"
import type { ModelEndpoint } from "./ModelEndpoint.ts"
import { ModelFailure } from "./ModelFailure.ts"
import { jsonOf, type ModelAnswer, requestModel } from "./ModelHttp.ts"
import { failureInEvent } from "./ProviderErrors.ts"
import { eventReader } from "./ServerEvents.ts"
import { tokenBudget, tokensIn } from "./TokenBudget.ts"

const textMost = 20_000 // characters; a longer answer is no answer
const bytesMost = 4 * 1024 * 1024 // of a stream, which wraps each word in about 200 bytes

const invalidResponse = () => new ModelFailure({ code: "invalid_response" })

const Part = Schema.Struct({ content: Schema.optional(Schema.NullOr(Schema.String)) })
/** An event of a stream has `delta`, a whole answer has `message`. */
const Chunk = Schema.Struct({
  choices: Schema.Array(
    Schema.Struct({
      delta: Schema.optional(Schema.NullOr(Part)),
      message: Schema.optional(Schema.NullOr(Part)),
      finish_reason: Schema.optional(Schema.NullOr(Schema.String))
    })
  ),
  usage: Schema.optional(Schema.NullOr(Schema.Struct({ total_tokens: Schema.Number })))
})
const readChunk = Schema.decodeUnknown(Chunk)
const parse = (text: string) => Effect.try({ try: (): unknown => JSON.parse(text), catch: invalidResponse })

interface Reading {
  readonly text: string
  readonly finish: string | undefined
  readonly tokens: number | undefined
}

const nothingRead: Reading = { text: "", finish: undefined, tokens: undefined }

const withChunk = (reading: Reading, value: unknown): Effect.Effect<Reading, ModelFailure> =>
  Effect.gen(function* () {
    const failure = failureInEvent(value)
    if (failure !== undefined) return yield* failure
    const { choices, usage } = yield* Effect.mapError(readChunk(value), invalidResponse)
    const choice = choices.at(0)
    const text = reading.text + (choice?.delta?.content ?? choice?.message?.content ?? "")
    if (text.length > textMost) return yield* invalidResponse()
    return { text, finish: choice?.finish_reason ?? reading.finish, tokens: usage?.total_tokens ?? reading.tokens }
  })

const done = "[DONE]"

/** Ends at the mark of the end, so that a service that keeps the connection open does not hold the call. */
const streamOf = ({ next }: ModelAnswer): Effect.Effect<Reading, ModelFailure> =>
  Effect.gen(function* () {
    const reader = eventReader()
    let reading = nothingRead
    for (;;) {
      const piece = yield* next
      for (const data of Option.match(piece, { onNone: reader.end, onSome: reader.take })) {
        if (data.trim() === done) return reading
        reading = yield* withChunk(reading, yield* parse(data))
      }
      if (Option.isNone(piece)) return reading
    }
  })

/** Returns the text if the model completed it. Fails if the model stopped for another reason or wrote nothing. */
const wholeTextOf = ({ finish, text }: Reading): Effect.Effect<string, ModelFailure> => {
  switch (finish) {
    case "stop":
      return text.trim() === "" ? invalidResponse() : Effect.succeed(text)
    case "content_filter":
      return new ModelFailure({ code: "content_filter" })
    case undefined:
      // The service or something on the way closed the stream in the middle.
      return new ModelFailure({ code: "upstream_error", isTransient: true })
    default:
      // It reached its greatest length, or asks for a tool, which it was not given.
      return invalidResponse()
  }
}

/** The budget is asked first, then the breaker: a call that neither lets through reaches no service. */
export const chatWith = (endpoint: ModelEndpoint, tokensPerDay: number | undefined) =>
  Effect.gen(function* () {
    const breaker = yield* circuitBreaker
    const budget = yield* tokenBudget("language model", tokensPerDay)
    const attempt = (messages: ReadonlyArray<Message>, estimate: number) =>
      Effect.gen(function* () {
        const body = { model: endpoint.model, messages, stream: true, stream_options: { include_usage: true } }
        const answer = yield* requestModel(endpoint, "/chat/completions", { body, bytesMost })
        // Some services ignore `stream` and send the whole answer.
        const isWhole = (answer.headers.get("content-type") ?? "").includes("application/json")
        const reading = yield* isWhole
          ? Effect.flatMap(jsonOf(answer), (value) => withChunk(nothingRead, value))
          : streamOf(answer)
        const text = yield* wholeTextOf(reading)
        return { text, tokens: reading.tokens ?? estimate + tokensIn(text) }
      }).pipe(Effect.scoped)
    return (messages: ReadonlyArray<Message>): Effect.Effect<Completion, ModelFailure> => {
      const estimate = tokensIn(messages.map(({ content }) => content).join("\n"))
      return budget(estimate, breaker(callModel(endpoint, attempt(messages, estimate))))
    }
  })
