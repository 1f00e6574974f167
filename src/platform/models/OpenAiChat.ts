/** Calls `POST /chat/completions` of an OpenAI-compatible service and reads the whole streamed answer. */
import { Effect, Option, Schema } from "effect"
import { storableText } from "../StoredText.ts"
import { circuitBreaker } from "./CircuitBreaker.ts"
import { countedTokens } from "./CountedTokens.ts"
import type { ChatOptions, Completion, Message } from "./LanguageModel.ts"
import { callModel } from "./ModelCall.ts"
import type { ModelEndpoint } from "./ModelEndpoint.ts"
import { ModelFailure } from "./ModelFailure.ts"
import { jsonOf, type ModelAnswer, requestModel } from "./ModelHttp.ts"
import { failureInEvent } from "./ProviderErrors.ts"
import { eventReader } from "./ServerEvents.ts"
import { tokenBudget, tokensIn } from "./TokenBudget.ts"

// the maximum number of characters of an answer; a longer answer counts as invalid
const textMax = 20_000
// the maximum number of bytes of a streamed answer; the stream has about 200 bytes around each word
const bytesMax = 4 * 1024 * 1024

const invalidResponse = () => new ModelFailure({ code: "invalid_response" })
/** The failure of an answer that has the right form, but that the pod cannot use. */
const uselessAnswer = () => new ModelFailure({ code: "invalid_response", isOfAnswer: true })

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
  usage: Schema.optional(Schema.Unknown)
})
const readChunk = Schema.decodeUnknownOption(Chunk)

interface StreamState extends Pick<Completion, "text" | "counted"> {
  readonly finish: string | undefined
  readonly tokens: number | undefined
  /** The first half of a surrogate pair, for example of an emoji. The second half can be in the next piece. */
  readonly half: string
}

const nothingRead: StreamState = { text: "", finish: undefined, tokens: undefined, counted: undefined, half: "" }

type Reader = (text: string) => Effect.Effect<void>

interface ReadChunk {
  readonly reading: StreamState
  /** The text of this chunk only. */
  readonly piece: string
}

/**
 * Adds a chunk to the chunks that were read before. This function is not an effect, because a model sends a chunk for
 * each word, and an effect would cost more than reading the chunk.
 */
const withChunk = (reading: StreamState, value: unknown): ReadChunk | ModelFailure => {
  const failure = failureInEvent(value)
  if (failure !== undefined) return failure
  const chunk = Option.getOrUndefined(readChunk(value))
  if (chunk === undefined) return invalidResponse()
  const choice = chunk.choices.at(0)
  const written = reading.half + (choice?.delta?.content ?? choice?.message?.content ?? "")
  const half = /[\uD800-\uDBFF]$/.exec(written)?.[0] ?? ""
  const piece = storableText(half === "" ? written : written.slice(0, -1), textMax)
  if (reading.text.length + written.length > textMax) return uselessAnswer()
  const { counted, total } = countedTokens(chunk.usage)
  const read = {
    text: reading.text + piece,
    finish: choice?.finish_reason ?? reading.finish,
    tokens: total ?? reading.tokens,
    counted: counted ?? reading.counted,
    half
  }
  return { reading: read, piece }
}

/**
 * Ends the text of an answer. If half of a surrogate pair is still kept, its other half never came, and U+FFFD takes
 * its place.
 */
const endText = (reading: StreamState, onText: Reader): Effect.Effect<StreamState> =>
  reading.half === ""
    ? Effect.succeed(reading)
    : Effect.as(onText(replacement), { ...reading, text: reading.text + replacement, half: "" })

const replacement = "\uFFFD"

const withEvent = (reading: StreamState, data: string): ReadChunk | ModelFailure => {
  try {
    return withChunk(reading, JSON.parse(data))
  } catch {
    return invalidResponse()
  }
}

/** Reads an answer that was sent as one piece of JSON and not as a stream. */
const wholeOf = (value: unknown, onText: Reader): Effect.Effect<StreamState, ModelFailure> =>
  Effect.gen(function* () {
    const read = withChunk(nothingRead, value)
    if (read instanceof ModelFailure) return yield* read
    if (read.piece !== "") yield* onText(read.piece)
    return yield* endText(read.reading, onText)
  })

const done = "[DONE]"

/**
 * Reads a stream up to the event `[DONE]` and stops there, because a service can leave the connection open after this
 * event.
 */
const streamOf = ({ next }: ModelAnswer, onText: Reader): Effect.Effect<StreamState, ModelFailure> =>
  Effect.gen(function* () {
    const reader = eventReader()
    let reading = nothingRead
    for (;;) {
      const piece = yield* next
      for (const data of Option.match(piece, { onNone: reader.end, onSome: reader.take })) {
        if (data.trim() === done) return yield* endText(reading, onText)
        const read = withEvent(reading, data)
        if (read instanceof ModelFailure) return yield* read
        reading = read.reading
        if (read.piece !== "") yield* onText(read.piece)
      }
      if (Option.isNone(piece)) return yield* endText(reading, onText)
    }
  })

/**
 * Returns the text if the model finished it. If `isCut` is true, the text can also end at the maximum number of tokens.
 * If `isEmpty` is true, the text can have no words. Fails in every other case.
 */
const wholeTextOf = (
  { finish, text }: StreamState,
  allowed: { readonly isCut: boolean; readonly isEmpty: boolean }
): Effect.Effect<string, ModelFailure> => {
  switch (finish) {
    case "length":
      return allowed.isCut && text !== "" ? Effect.succeed(text) : uselessAnswer()
    case "stop":
      return text.trim() === "" && !allowed.isEmpty ? uselessAnswer() : Effect.succeed(text)
    case "content_filter":
      return new ModelFailure({ code: "content_filter" })
    case undefined:
      // The service or a proxy closed the stream before the end of the answer.
      return new ModelFailure({ code: "upstream_error", isTransient: true })
    default:
      // The model asked for a tool although it was given none.
      return uselessAnswer()
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
      const { model = endpoint.model, onText = () => Effect.void, sampling, tokensMax } = options
      const body = {
        model,
        messages,
        stream: true,
        stream_options: { include_usage: true },
        ...sampling,
        ...(tokensMax === undefined ? {} : { max_tokens: tokensMax })
      }
      const answer = yield* requestModel(endpoint, "/chat/completions", { body, bytesMax })
      // Some services ignore `stream` in the request and send the whole answer at once.
      const isWhole = (answer.headers.get("content-type") ?? "").includes("application/json")
      const reading = yield* isWhole
        ? Effect.flatMap(jsonOf(answer), (value) => wholeOf(value, onText))
        : answer.inTime(streamOf(answer, onText))
      const text = yield* wholeTextOf(reading, {
        isCut: tokensMax !== undefined,
        isEmpty: sampling?.stop !== undefined
      })
      const { counted, finish, tokens = estimate + tokensIn(text) } = reading
      return { text, tokens, counted, isCut: finish === "length" }
    }).pipe(Effect.scoped)
  return (messages: ReadonlyArray<Message>, options: ChatOptions): Effect.Effect<Completion, ModelFailure> =>
    Effect.suspend(() => {
      const estimate = tokensIn(messages.map(({ content }) => content).join("\n"))
      const { onText = () => Effect.void } = options
      let hasBegun = false
      let isSilent = false
      const passText = (text: string) => {
        hasBegun = true
        return onText(text)
      }
      const once = Effect.suspend(() => {
        hasBegun = false
        return attempt(messages, estimate, { ...options, onText: passText })
      }).pipe(
        Effect.mapError((failure) => {
          isSilent = failure.code === "timeout"
          // The reader already has a part of the text, so the call cannot begin again.
          return hasBegun && options.onText !== undefined
            ? new ModelFailure({ code: failure.code, ...(failure.isOfAnswer === true ? { isOfAnswer: true } : {}) })
            : failure
        })
      )
      // If the time ends while the service still writes, the answer is long or its reader is slow. The service works.
      const inLimits = Effect.mapError(callModel(endpoint, once), (failure) =>
        failure.code === "timeout" && hasBegun && !isSilent
          ? new ModelFailure({ code: failure.code, isOfAnswer: true })
          : failure
      )
      return budget(estimate, breaker(inLimits))
    })
})
