/**
 * The service of chat. It finds sources for the question among the records that the caller may read. The language model
 * writes the answer from these sources.
 */
import { Context, Effect, Layer } from "effect"
import { requireConfirmation } from "../../doors/Authority.ts"
import { type Forbidden, Invalid, type TooMany } from "../../doors/Failure.ts"
import { modelRefusal, type ModelRefusal } from "../../doors/ModelRefusal.ts"
import { Reach } from "../../doors/Reach.ts"
import { type ChatOptions, type Completion, LanguageModel, type Message } from "../../platform/models/LanguageModel.ts"
import { type ModelFailure, ModelNotConfigured } from "../../platform/models/ModelFailure.ts"
import { EventWatch } from "../events/EventWatch.ts"
import { type FoundSource, shownSource, sourcesOf } from "../retrieval/FoundSources.ts"
import { type ResultWithTexts, Retrieval } from "../retrieval/Retrieval.ts"
import { questionMax } from "../retrieval/RetrievalRequest.ts"
import type { AnswerResult } from "../retrieval/RetrievalResult.ts"
import { requestedSpace } from "../workspaces/WorkspaceAccess.ts"
import { ChatBudget } from "./ChatBudget.ts"
import { chatPrompt, citedNumbers } from "./ChatPrompt.ts"
import { openAnswers } from "./OpenAnswers.ts"

/**
 * The input of a chat: the workspace to search, and the conversation. The last message of the conversation is the
 * question.
 */
export interface ChatQuestion {
  readonly messages: ReadonlyArray<Message>
  readonly workspaceId?: string | null | undefined
  /** Whether other people can also read the answer. If so, the answer must not use the person's own memory. */
  readonly isShared?: boolean
}

/**
 * Removes the facts of the person's own memory from the result of retrieval. These facts belong to no workspace, so an
 * answer that other people can read must not use them.
 */
const withoutMemory = ({ result, texts }: ResultWithTexts): ResultWithTexts => ({
  result: { ...result, answers: result.answers.filter(({ substrate }) => substrate !== "episodic") },
  texts
})

export interface ChatAnswer extends Completion {
  /** The sources that the model received. The first source has the number 1. */
  readonly sources: AnswerResult["sources"]
  /** The number of old messages that the model did not receive because the conversation is too long. */
  readonly leftOut: number
}

export type ChatFailure = Forbidden | Invalid | ModelRefusal | TooMany

/**
 * The maximum number of characters of the system messages and the last message together. Every prompt contains these
 * messages. If a model accepts less, its service refuses the prompt.
 */
const charactersMax = 200_000

const withoutModel =
  "This pod has no language model, so it cannot write an answer. `sources` has the records that the pod found."

const missingQuestion = new Invalid({
  faults: [{ path: "messages", message: "The last message must come from the user and must have text." }],
  code: "missing_user_message"
})

const tooLong = new Invalid({
  faults: [
    {
      path: "messages",
      message: `The system messages and the last message together have more than ${charactersMax} characters. Send a shorter text.`
    }
  ]
})

export class Chat extends Context.Tag("pod/Chat")<
  Chat,
  {
    /**
     * Answers the last message. Calls `found` with the sources before the model writes. Calls `options.onText` with
     * each piece of the text. The last piece is the list of cited sources. A call can be interrupted only while the
     * model writes. Fails with TooMany if the credential already waits for too many answers.
     */
    readonly answer: (
      question: ChatQuestion,
      options: ChatOptions,
      found?: (sources: AnswerResult["sources"]) => Effect.Effect<void>
    ) => Effect.Effect<ChatAnswer, ChatFailure, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const model = yield* LanguageModel
      const retrieval = yield* Retrieval
      const { promptTokens } = yield* ChatBudget
      const { whileAccessStays } = yield* EventWatch
      const counted = openAnswers()

      const answerTo = Effect.fnUntraced(function* (
        question: string,
        { isShared = false, messages, workspaceId }: ChatQuestion,
        options: ChatOptions,
        found: (sources: AnswerResult["sources"]) => Effect.Effect<void>
      ) {
        const gathered = yield* retrieval.gather({ query: question.slice(0, questionMax), workspaceId })
        const sources = sourcesOf(isShared ? withoutMemory(gathered) : gathered)
        const shown = sources.map(shownSource)
        const refused = (failure: ModelFailure | ModelNotConfigured) =>
          modelRefusal(failure, withoutModel, { sources: shown })
        if ((yield* model.model) === undefined) {
          return yield* refused(new ModelNotConfigured({ service: "language model" }))
        }
        yield* found(shown)
        const prompt = chatPrompt(messages, sources, promptTokens)
        const written = yield* whileAccessStays(model.chat(prompt.messages, options)).pipe(
          Effect.ensuring(requireConfirmation),
          Effect.mapError(refused)
        )
        const list = citationList(written.text, sources)
        if (list !== "" && options.onText !== undefined) yield* options.onText(list)
        return { ...written, text: written.text + list, sources: shown, leftOut: prompt.leftOut }
      })

      return {
        answer: Effect.fnUntraced(function* (request, options, found = () => Effect.void) {
          const { messages, workspaceId } = request
          const last = messages.at(-1)
          const question = last?.role === "user" ? last.content.trim() : ""
          if (question === "") return yield* missingQuestion
          const staying = messages.filter((message) => message === last || message.role === "system")
          if (staying.reduce((sum, { content }) => sum + content.length, 0) > charactersMax) return yield* tooLong
          if (workspaceId != null) yield* requestedSpace(workspaceId)
          const { principal } = yield* Reach
          return yield* counted(principal.credential.id, answerTo(question, request, options, found))
        })
      }
    })
  )
}

/** Lists the titles of the sources whose numbers a text cites, because most chat clients show only the text. */
const citationList = (text: string, sources: ReadonlyArray<FoundSource>): string => {
  const lines = citedNumbers(text, sources.length).map((number) => `[${number}] ${sources[number - 1].title}`)
  return lines.length === 0 ? "" : `\n\nSources:\n${lines.join("\n")}`
}
