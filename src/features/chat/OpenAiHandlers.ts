/**
 * The handlers of OpenAI clients: they convert an OpenAI request to a chat, and the answer of the chat to a completion.
 */
import { randomBytes } from "node:crypto"
import { Clock, Effect } from "effect"
import { Frames } from "../../doors/Frames.ts"
import { implement } from "../../doors/Implement.ts"
import { Reach } from "../../doors/Reach.ts"
import { LanguageModel, type Message, type Sampling } from "../../platform/models/LanguageModel.ts"
import { Chat, type ChatAnswer } from "./Chat.ts"
import type { ChatCompletion, CompletionChunk, CompletionRequest, Usage } from "./Completions.ts"
import { modelEntry, modelNames, unknownModel } from "./ModelNames.ts"
import { OpenAiApi } from "./OpenAiApi.ts"

/**
 * Converts the messages of a request to texts for the chat. Leaves out the messages of tools, because the client owns
 * these tools and the pod does not call them.
 */
const conversationOf = ({ messages }: CompletionRequest): ReadonlyArray<Message> =>
  messages.flatMap(({ content, role }): ReadonlyArray<Message> => {
    if (role === "tool" || role === "function") return []
    const text = typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("\n")
    return text.trim() === "" && role !== "user"
      ? []
      : [{ role: role === "developer" ? "system" : role, content: text }]
  })

/**
 * Returns the fields of the request that control how the model chooses words, such as `temperature`. Null counts as
 * absent, as at OpenAI.
 */
const samplingOf = (request: CompletionRequest): Sampling => {
  const { frequency_penalty, presence_penalty, seed, stop, temperature, top_p } = request
  return {
    ...(temperature == null ? {} : { temperature }),
    ...(top_p == null ? {} : { top_p }),
    ...(seed == null ? {} : { seed }),
    ...(presence_penalty == null ? {} : { presence_penalty }),
    ...(frequency_penalty == null ? {} : { frequency_penalty }),
    ...(stop == null || stop.length === 0 ? {} : { stop })
  }
}

const usageOf = ({ counted }: ChatAnswer): Usage => {
  const { completion = 0, prompt = 0 } = counted ?? {}
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}

const finishOf = ({ isCut }: ChatAnswer) => (isCut ? "length" : "stop")

type Head = Pick<ChatCompletion, "id" | "created" | "model">

const chunk = (
  head: Head,
  delta: CompletionChunk["choices"][number]["delta"],
  finish: "stop" | "length" | null = null
): CompletionChunk => ({
  ...head,
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }]
})

export const layer = implement(
  OpenAiApi,
  Effect.gen(function* () {
    const chat = yield* Chat
    const model = yield* LanguageModel

    const complete = Effect.fnUntraced(function* (request: CompletionRequest) {
      if (!modelNames(yield* model.model).includes(request.model)) return yield* unknownModel(request.model)
      const frames = yield* Frames
      const head: Head = {
        id: `chatcmpl-${randomBytes(12).toString("hex")}`,
        created: Math.floor((yield* Clock.currentTimeMillis) / 1000),
        model: request.model
      }
      const { max_tokens: max, max_completion_tokens: tokensMax = max, stream } = request
      const isStreamed = stream === true
      const options = {
        sampling: samplingOf(request),
        ...(tokensMax == null ? {} : { tokensMax }),
        ...(isStreamed ? { onText: (content: string) => frames.send(chunk(head, { content })) } : {})
      }
      const sendFirstChunk = () =>
        isStreamed ? frames.send(chunk(head, { role: "assistant", content: "" })) : Effect.void
      const question = { messages: conversationOf(request), workspaceId: request.workspaceId }
      const answer = yield* chat.answer(question, options, sendFirstChunk)
      const { sources, text } = answer
      const usage = usageOf(answer)
      const leftOutField = answer.leftOut === 0 ? {} : { leftOut: answer.leftOut }
      if (isStreamed) {
        yield* frames.send({ ...chunk(head, {}, finishOf(answer)), sources, ...leftOutField })
        if (request.stream_options?.include_usage === true)
          yield* frames.send({ ...chunk(head, {}), choices: [], usage })
      }
      const message = { role: "assistant", content: text, refusal: null } as const
      const { origin } = yield* Reach
      return {
        ...head,
        object: "chat.completion" as const,
        choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(answer) }],
        usage,
        sources,
        ...leftOutField,
        turnId: origin.requestId
      } satisfies ChatCompletion
    })

    return {
      "openai.complete": ({ payload }) => complete(payload),
      "openai.models": () =>
        Effect.map(model.model, (name) => ({ object: "list" as const, data: modelNames(name).map(modelEntry) })),
      "openai.model": ({ path: { name } }) =>
        Effect.flatMap(model.model, (configured) =>
          modelNames(configured).includes(name) ? Effect.succeed(modelEntry(name)) : unknownModel(name)
        )
    }
  })
)
