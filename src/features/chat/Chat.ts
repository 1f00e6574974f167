/** The service of chat: it finds what the caller may see, and lets the language model answer from that. */
import { Context, Effect, Layer } from "effect"
import { confirmAgain } from "../../doors/Authority.ts"
import { type Forbidden, Invalid } from "../../doors/Failure.ts"
import { modelRefusal, type ModelRefusal } from "../../doors/ModelRefusal.ts"
import type { Reach } from "../../doors/Reach.ts"
import { type ChatOptions, type Completion, LanguageModel, type Message } from "../../platform/models/LanguageModel.ts"
import { type ModelFailure, ModelNotConfigured } from "../../platform/models/ModelFailure.ts"
import { type FoundSource, shownSource, sourcesOf } from "../retrieval/FoundSources.ts"
import { type Gathered, Retrieval } from "../retrieval/Retrieval.ts"
import { type AnswerResult, questionMax } from "../retrieval/RetrievalResult.ts"
import { requestedSpace } from "../workspaces/WorkspaceAccess.ts"
import { chatPrompt, citedNumbers } from "./ChatPrompt.ts"

/** What a chat is asked: the conversation, whose last message is the question, and where to look. */
export interface ChatQuestion {
  readonly messages: ReadonlyArray<Message>
  readonly workspaceId?: string | null | undefined
  /** Whether others read the answer too, so that the person's own memory must not come into it. */
  readonly isShared?: boolean
}

/** What retrieval found without the memory of the person, which no workspace limits. */
const withoutMemory = ({ result, texts }: Gathered): Gathered => ({
  result: { ...result, answers: result.answers.filter(({ substrate }) => substrate !== "episodic") },
  texts
})

export interface ChatAnswer extends Completion {
  /** The sources that the model got, in the order of their numbers from 1. */
  readonly sources: AnswerResult["sources"]
}

export type ChatFailure = Forbidden | Invalid | ModelRefusal

/** The most characters of a conversation. A model takes fewer tokens than that, and says so itself. */
const charactersMost = 200_000

const withoutModel = "This pod has no language model, so it cannot answer; `sources` are what it found."

const missingQuestion = new Invalid({
  faults: [{ path: "messages", message: "The last message must be one of the user, with text." }],
  code: "missing_user_message"
})

const tooLong = new Invalid({
  faults: [{ path: "messages", message: `The conversation has more than ${charactersMost} characters.` }]
})

export class Chat extends Context.Tag("pod/Chat")<
  Chat,
  {
    /**
     * Answers the last message. `found` gets the sources before the model writes, and `options.onText` each piece of the
     * text. The list of cited sources is the last piece. Only the call of the model can be interrupted.
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

      return {
        answer: Effect.fnUntraced(function* (
          { isShared = false, messages, workspaceId },
          options,
          found = () => Effect.void
        ) {
          const last = messages.at(-1)
          const question = last?.role === "user" ? last.content.trim() : ""
          if (question === "") return yield* missingQuestion
          if (messages.reduce((sum, { content }) => sum + content.length, 0) > charactersMost) return yield* tooLong
          if (workspaceId != null) yield* requestedSpace(workspaceId)
          const gathered = yield* retrieval.gather({ query: question.slice(0, questionMax), workspaceId })
          const sources = sourcesOf(isShared ? withoutMemory(gathered) : gathered)
          const shown = sources.map(shownSource)
          const refused = (failure: ModelFailure | ModelNotConfigured) =>
            modelRefusal(failure, withoutModel, { sources: shown })
          if ((yield* model.model) === undefined) {
            return yield* refused(new ModelNotConfigured({ service: "language model" }))
          }
          yield* found(shown)
          const written = yield* Effect.interruptible(model.chat(chatPrompt(messages, sources), options)).pipe(
            Effect.ensuring(confirmAgain),
            Effect.mapError(refused)
          )
          const list = citationList(written.text, sources)
          if (list !== "" && options.onText !== undefined) yield* options.onText(list)
          return { ...written, text: written.text + list, sources: shown }
        })
      }
    })
  )
}

/** The titles behind the numbers that a text cites, because most chat clients show only the text. */
const citationList = (text: string, sources: ReadonlyArray<FoundSource>): string => {
  const lines = citedNumbers(text, sources.length).map((number) => `[${number}] ${sources[number - 1].title}`)
  return lines.length === 0 ? "" : `\n\nSources:\n${lines.join("\n")}`
}
