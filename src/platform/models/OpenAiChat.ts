/** Calls POST /chat/completions of an OpenAI-compatible service and reads the whole streamed answer. */
import { Effect, Option, Schema } from "effect"
import { circuitBreaker } from "./CircuitBreaker.ts"
import type { ChatOptions, Completion, Message } from "./LanguageModel.ts"
import { callModel } from "./ModelCall.ts"
import type { ModelEndpoint } from "./ModelEndpoint.ts"
import { ModelFailure } from "./ModelFailure.ts"
import { jsonOf, type ModelAnswer, requestModel } from "./ModelHttp.ts"
import { failureInEvent } from "./ProviderErrors.ts"
import { eventReader } from "./ServerEvents.ts"
import { tokenBudget, tokensIn } from "./TokenBudget.ts"

const textMost = 20_000 // characters of an answer; a longer answer counts as invalid
const bytesMost = 4 * 1024 * 1024 // most bytes of a streamed answer; it has about 200 bytes around each word

const invalidResponse = () => new ModelFailure({ code: "invalid_response" })

const Part = Schema.Struct({ content: Schema.optional(Schema.NullOr(Schema.String)) })
/** A piece of an answer. An event of a stream has `delta`, and an answer that is not streamed has `message`. */
const Chunk = Schema.Struct({
  choices: Schema.Array(
    Schema.Struct({
      delta: Schema.optional(Schema.NullOr(Part)),
      message: Schema.optional(Schema.NullOr(Part)),
      finish_reason: Schema.optional(Schema.NullOr(Schema.String))
    })
  ),
  usage: Schema.optional(
    Schema.NullOr(
      Schema.Struct({
        total_tokens: Schema.Number,
        prompt_tokens: Schema.optional(Schema.Number),
        completion_tokens: Schema.optional(Schema.Number)
      })
    )
  )
})
const readChunk = Schema.decodeUnknownOption(Chunk)

interface Reading extends Pick<Completion, "text" | "counted"> {
  readonly finish: string | undefined
  readonly tokens: number | undefined
}

const nothingRead: Reading = { text: "", finish: undefined, tokens: undefined, counted: undefined }

type Reader = (text: string) => Effect.Effect<void>

interface ReadChunk {
  readonly reading: Reading
  /** The text of this chunk only. */
  readonly piece: string
}

/**
 * Adds a chunk to the chunks that were read before. This function is not an effect: a model sends a chunk for each
 * word, and an effect for each chunk would cost more than the chunk itself.
 */
const withChunk = (reading: Reading, value: unknown): ReadChunk | ModelFailure => {
  const failure = failureInEvent(value)
  if (failure !== undefined) return failure
  const chunk = Option.getOrUndefined(readChunk(value))
  if (chunk === undefined) return invalidResponse()
  const choice = chunk.choices.at(0)
  const piece = choice?.delta?.content ?? choice?.message?.content ?? ""
  const text = reading.text + piece
  if (text.length > textMost) return invalidResponse()
  const { completion_tokens: completion, prompt_tokens: prompt, total_tokens: tokens } = chunk.usage ?? {}
  const read = {
    text,
    finish: choice?.finish_reason ?? reading.finish,
    tokens: tokens ?? reading.tokens,
    counted: prompt === undefined || completion === undefined ? reading.counted : { prompt, completion }
  }
  return { reading: read, piece }
}

const withEvent = (reading: Reading, data: string): ReadChunk | ModelFailure => {
  try {
    return withChunk(reading, JSON.parse(data))
  } catch {
    return invalidResponse()
  }
}

/** Reads an answer that was sent as one piece of JSON and not as a stream. */
const wholeOf = (value: unknown, onText: Reader): Effect.Effect<Reading, ModelFailure> =>
  Effect.gen(function* () {
    const read = withChunk(nothingRead, value)
    if (read instanceof ModelFailure) return yield* read
    if (read.piece !== "") yield* onText(read.piece)
    return read.reading
  })

const done = "[DONE]"

/**
 * Reads a stream up to the event `[DONE]` and stops there, because a service may leave the connection open after this
 * event.
 */
const streamOf = ({ next }: ModelAnswer, onText: Reader): Effect.Effect<Reading, ModelFailure> =>
  Effect.gen(function* () {
    const reader = eventReader()
    let reading = nothingRead
    for (;;) {
      const piece = yield* next
      for (const data of Option.match(piece, { onNone: reader.end, onSome: reader.take })) {
        if (data.trim() === done) return reading
        const read = withEvent(reading, data)
        if (read instanceof ModelFailure) return yield* read
        reading = read.reading
        if (read.piece !== "") yield* onText(read.piece)
      }
      if (Option.isNone(piece)) return reading
    }
  })

/**
 * Returns the text if the model finished it. If the caller allows it, also returns a text that was cut. Fails if the
 * model stopped for another reason or wrote nothing.
 */
const wholeTextOf = ({ finish, text }: Reading, isCutAllowed: boolean): Effect.Effect<string, ModelFailure> => {
  switch (finish) {
    case "length":
      return isCutAllowed && text !== "" ? Effect.succeed(text) : invalidResponse()
    case "stop":
      return text.trim() === "" ? invalidResponse() : Effect.succeed(text)
    case "content_filter":
      return new ModelFailure({ code: "content_filter" })
    case undefined:
      // The service or a proxy closed the stream before the end of the answer.
      return new ModelFailure({ code: "upstream_error", isTransient: true })
    default:
      // The model asked for a tool although it was given none.
      return invalidResponse()
  }
}

/**
 * Makes the function that calls the service. Before a call is sent, first the budget of tokens and then the circuit
 * breaker must allow it.
 */
export const chatWith = Effect.fnUntraced(function* (endpoint: ModelEndpoint, tokensPerDay: number | undefined) {
  const breaker = yield* circuitBreaker
  const budget = yield* tokenBudget("language model", tokensPerDay)
  const attempt = (messages: ReadonlyArray<Message>, estimate: number, options: ChatOptions) =>
    Effect.gen(function* () {
      const { model = endpoint.model, onText = () => Effect.void, temperature, tokensMost } = options
      const body = {
        model,
        messages,
        stream: true,
        stream_options: { include_usage: true },
        ...(temperature === undefined ? {} : { temperature }),
        ...(tokensMost === undefined ? {} : { max_tokens: tokensMost })
      }
      const answer = yield* requestModel(endpoint, "/chat/completions", { body, bytesMost })
      // Some services ignore `stream` in the request and send the whole answer at once.
      const isWhole = (answer.headers.get("content-type") ?? "").includes("application/json")
      const reading = yield* isWhole
        ? Effect.flatMap(jsonOf(answer), (value) => wholeOf(value, onText))
        : answer.inTime(streamOf(answer, onText))
      const text = yield* wholeTextOf(reading, tokensMost !== undefined)
      const { counted, finish, tokens = estimate + tokensIn(text) } = reading
      return { text, tokens, counted, isCut: finish === "length" }
    }).pipe(Effect.scoped)
  return (messages: ReadonlyArray<Message>, options: ChatOptions): Effect.Effect<Completion, ModelFailure> =>
    Effect.suspend(() => {
      const estimate = tokensIn(messages.map(({ content }) => content).join("\n"))
      const { onText } = options
      if (onText === undefined)
        return budget(estimate, breaker(callModel(endpoint, attempt(messages, estimate, options))))
      let hasBegun = false
      const told = (text: string) => {
        hasBegun = true
        return onText(text)
      }
      const once = Effect.mapError(attempt(messages, estimate, { ...options, onText: told }), (failure) =>
        hasBegun ? new ModelFailure({ code: failure.code }) : failure
      )
      return budget(estimate, breaker(callModel(endpoint, once)))
    })
})
