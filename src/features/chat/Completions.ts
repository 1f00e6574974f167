/**
 * The request and response bodies for clients of the OpenAI API: requests for a completion, completions, chunks of
 * completions, and models.
 */
import { Schema } from "effect"
import { described, example, WorkspaceId } from "../../doors/Fields.ts"
import { AnswerResult } from "../retrieval/RetrievalResult.ts"
import { defaultModel } from "./ModelNames.ts"

const Part = Schema.Struct({ type: Schema.String, text: Schema.optional(Schema.String) })

const Turn = Schema.Struct({
  role: described(
    "Who speaks. The pod ignores the messages of tools.",
    Schema.Literal("system", "developer", "user", "assistant", "tool", "function")
  ),
  content: described(
    "A text, or a list of parts. The pod reads only the parts with text.",
    Schema.optional(Schema.NullOr(Schema.Union(Schema.String, Schema.Array(Part))))
  )
}).annotations({ identifier: "ChatTurn" })

const StopText = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(200))

const numberBetween = (least: number, most: number) =>
  Schema.optional(Schema.NullOr(Schema.Number.pipe(Schema.between(least, most))))

const messagesMax = 1_000
const tokensMax = 32_000

/**
 * Makes the schema of a field of the OpenAI API of which the pod supports only some values. The pod refuses other
 * values. For example, a client that asks for three answers must get an error, and not one answer.
 */
const only = <A, I>(values: Schema.Schema<A, I>, meaning: string, refusal: string) =>
  described(
    meaning,
    Schema.optional(Schema.NullOr(values).annotations({ message: () => ({ message: refusal, override: true }) }))
  )

const noTools = "The pod calls no tools of a client. Send `auto` or `none`, or leave out this field."

export const CompletionRequest = example(
  Schema.Struct({
    model: described(
      "A name that `GET /v1/models` lists.",
      Schema.optionalWith(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(200)), {
        default: () => defaultModel
      })
    ),
    messages: described(
      "The conversation, oldest first. The pod answers the last message, which must come from the user.",
      Schema.Array(Turn).pipe(Schema.minItems(1), Schema.maxItems(messagesMax))
    ),
    stream: described(
      "Whether to send the answer in chunks while the model writes it.",
      Schema.optionalWith(Schema.NullOr(Schema.Boolean), { default: () => false })
    ),
    stream_options: described(
      "Whether the last chunk has the number of tokens used.",
      Schema.optional(Schema.NullOr(Schema.Struct({ include_usage: Schema.optional(Schema.Boolean) })))
    ),
    temperature: described("How much the words of the answer can vary.", numberBetween(0, 2)),
    top_p: described("Sum of the probabilities of the words that the model can choose.", numberBetween(0, 1)),
    seed: described(
      "With the same number, the model tries to answer an equal request in the same way.",
      Schema.optional(Schema.NullOr(Schema.Int))
    ),
    presence_penalty: described("How much the model avoids words that it has used.", numberBetween(-2, 2)),
    frequency_penalty: described("How much the model avoids words that it has used often.", numberBetween(-2, 2)),
    stop: described(
      "The answer ends before the first of these one to four texts.",
      Schema.optional(Schema.NullOr(Schema.Union(StopText, Schema.Array(StopText).pipe(Schema.maxItems(4)))))
    ),
    max_tokens: described(
      "Largest number of tokens in the answer.",
      Schema.optional(Schema.NullOr(Schema.Int.pipe(Schema.between(1, tokensMax))))
    ),
    max_completion_tokens: described(
      "Newer name of `max_tokens`.",
      Schema.optional(Schema.NullOr(Schema.Int.pipe(Schema.between(1, tokensMax))))
    ),
    n: only(
      Schema.Literal(1),
      "Number of answers; must be 1.",
      "The pod gives one answer to a request. Send 1, or leave out this field."
    ),
    response_format: only(
      Schema.Struct({ type: Schema.Literal("text") }),
      "Format of the answer; must be text.",
      "The pod answers with text and cannot promise JSON. Send the type `text`, or leave out this field."
    ),
    tool_choice: only(
      Schema.Literal("auto", "none"),
      "Whether the model must call a tool. The pod never calls the tools of a request.",
      noTools
    ),
    function_call: only(Schema.Literal("auto", "none"), "Older name of `tool_choice`.", noTools),
    modalities: only(
      Schema.Array(Schema.Literal("text")),
      "Kinds of output; must be text.",
      'The pod answers with text only. Send ["text"], or leave out this field.'
    ),
    logprobs: only(
      Schema.Literal(false),
      "Whether the answer has the probabilities of its tokens; must be false.",
      "The pod does not know the probabilities of tokens. Send false, or leave out this field."
    ),
    workspaceId: described(
      "Workspace to search. If absent, the pod uses the header `X-Svc-Workspace-Id`.",
      Schema.optional(Schema.NullOr(WorkspaceId))
    )
  }).annotations({ identifier: "CompletionRequest" }),
  { model: defaultModel, messages: [{ role: "user", content: "When does the contract with the harbour end?" }] }
)
export type CompletionRequest = typeof CompletionRequest.Type

const Usage = Schema.Struct({
  prompt_tokens: described("Number of tokens of the conversation and its sources.", Schema.Number),
  completion_tokens: described("Number of tokens of the answer.", Schema.Number),
  total_tokens: Schema.Number
}).annotations({
  identifier: "TokenUsage",
  description: "Numbers of tokens that the provider counted; zeros if the provider did not count."
})
export type Usage = typeof Usage.Type

const Finish = Schema.Literal("stop", "length")
const sources = described("Records that the model received, numbered from 1.", AnswerResult.fields.sources)

const leftOut = described(
  "How many of the oldest messages the model did not receive because the conversation is too long; absent if none.",
  Schema.optional(Schema.Number)
)

const head = {
  id: Schema.String,
  created: described("Time of the answer, in seconds since 1970.", Schema.Number),
  model: described("Name of the model, as the request gave it.", Schema.String)
}

export const ChatCompletion = Schema.Struct({
  ...head,
  object: Schema.Literal("chat.completion"),
  choices: described(
    "A list with exactly one answer.",
    Schema.Array(
      Schema.Struct({
        index: Schema.Number,
        message: Schema.Struct({
          role: Schema.Literal("assistant"),
          content: Schema.String,
          refusal: Schema.Null
        }),
        logprobs: Schema.Null,
        finish_reason: Finish
      })
    )
  ),
  usage: Usage,
  sources,
  leftOut,
  turnId: described("Id of the request in the pod's log.", Schema.String)
}).annotations({ identifier: "ChatCompletion" })
export type ChatCompletion = typeof ChatCompletion.Type

export const CompletionChunk = Schema.Struct({
  ...head,
  object: Schema.Literal("chat.completion.chunk"),
  choices: Schema.Array(
    Schema.Struct({
      index: Schema.Number,
      delta: Schema.Struct({
        role: Schema.optional(Schema.Literal("assistant")),
        content: Schema.optional(Schema.String)
      }),
      logprobs: Schema.Null,
      finish_reason: Schema.NullOr(Finish)
    })
  ),
  usage: Schema.optional(Schema.NullOr(Usage)),
  sources: Schema.optional(sources),
  leftOut
}).annotations({ identifier: "CompletionChunk" })
export type CompletionChunk = typeof CompletionChunk.Type

export const Model = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("model"),
  created: described("Always 0: the pod does not know the age of a model.", Schema.Number),
  owned_by: described("`pod` if the name begins with `svc/`, else `provider`.", Schema.String)
}).annotations({ identifier: "Model" })

export const ModelList = Schema.Struct({
  object: Schema.Literal("list"),
  data: described("Every model that a completion can use.", Schema.Array(Model))
}).annotations({ identifier: "ModelList" })
