/** Answers a question in sentences: a language model writes them from what retrieval found, and they are checked against it. */
import { Context, Effect, Layer } from "effect"
import { confirmAgain } from "../../doors/Authority.ts"
import { type Forbidden, type Invalid, invalid } from "../../doors/Failure.ts"
import type { Reach } from "../../doors/Reach.ts"
import { LanguageModel } from "../../platform/models/LanguageModel.ts"
import { ModelFailure, type ModelNotConfigured } from "../../platform/models/ModelFailure.ts"
import { citedBy, renumbered } from "./AnswerCheck.ts"
import { answerPrompt, type AnswerSource, noAnswer } from "./AnswerPrompt.ts"
import { type Gathered, Retrieval } from "./Retrieval.ts"
import type { AnswerRequest, AnswerResult } from "./RetrievalResult.ts"

const sourcesMost = 8
const charactersMost = 12_000 // of all sources, about 3,000 tokens
const titleMost = 300 // characters

type Found = AnswerSource & { readonly substrate: AnswerResult["sources"][number]["substrate"] }

export class Answers extends Context.Tag("pod/Answers")<
  Answers,
  {
    /**
     * Without an answer the sources are all that were found, and `failure` says why the model gave none. There is no `failure`
     * when nothing was found, or when the model says that the sources do not hold the answer: then nothing failed.
     */
    readonly answer: (request: AnswerRequest) => Effect.Effect<AnswerResult, Forbidden | Invalid, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const model = yield* LanguageModel
      const retrieval = yield* Retrieval

      /** The text with the sources that it cites, or undefined if the model finds no answer in them. */
      const written = (question: string, sources: ReadonlyArray<Found>) =>
        Effect.gen(function* () {
          const { text } = yield* Effect.ensuring(model.complete(answerPrompt(question, sources)), confirmAgain)
          const answer = text.trim()
          if (answer.replace(/[.\s]+$/, "").toUpperCase() === noAnswer) return undefined
          const cited = citedBy(answer, sources)
          if (cited === undefined) return yield* new ModelFailure({ code: "invalid_response" })
          return { answer: renumbered(answer, cited), sources: cited.map((number) => sources[number - 1]) }
        })

      return {
        answer: Effect.fn("Answers.answer")(function* ({ query, question: asked, ...place }) {
          const question = asked ?? query
          if (question === undefined) return yield* invalid("question", "is missing")
          const gathered = yield* retrieval.gather({ ...place, query: question })
          const { degraded, routedTo, spaces } = gathered.result
          const sources = sourcesOf(gathered)
          const head = { routedTo, degraded, ...(spaces === undefined ? {} : { spaces }) }
          const unanswered = { answer: null, sources: sources.map(shown), ...head }
          if (sources.length === 0 && model.model !== undefined) return unanswered
          const answered = Effect.tapErrorTag(written(question, sources), "ModelFailure", ({ code }) =>
            Effect.logWarning(`The language model gave no answer: ${code}.`)
          )
          return yield* Effect.match(answered, {
            onSuccess: (found) =>
              found === undefined ? unanswered : { answer: found.answer, sources: found.sources.map(shown), ...head },
            onFailure: (failure) => ({ ...unanswered, ...toldAs(failure) })
          })
        })
      }
    })
  )
}

const shown = ({ id, substrate, title }: Found): AnswerResult["sources"][number] => ({ substrate, id, title })

/**
 * The best of each block in turn, each record once, within the room of a prompt. A source that is too long for the room that is
 * left is shortened; all of one source would leave no room for others, so each has at most half.
 */
const sourcesOf = ({ result: { answers }, texts }: Gathered): ReadonlyArray<Found> => {
  const longest = Math.max(0, ...answers.map(({ items }) => items.length))
  const ranked = Array.from({ length: longest }, (_, rank) =>
    answers.flatMap(({ items }) => items.at(rank) ?? [])
  ).flat()
  const found = new Map<string, Found>()
  let room = charactersMost
  for (const { id, snippet, substrate, title } of ranked) {
    if (found.size >= sourcesMost || room <= 0) break
    if (found.has(id)) continue
    const text = (texts.get(id) ?? snippet).slice(0, Math.min(room, charactersMost / 2))
    room -= text.length
    found.set(id, { id, substrate, title: title.slice(0, titleMost), text })
  }
  return [...found.values()]
}

/** A pod without a model cannot serve the call whatever the caller changes, and no provider is at fault: it is not entitled to one. */
const toldAs = (failure: ModelFailure | ModelNotConfigured): Required<Pick<AnswerResult, "error" | "failure">> => {
  switch (failure._tag) {
    case "ModelNotConfigured": {
      const message = "This pod has no language model; the answer has only the sources."
      return { error: message, failure: { code: "not_entitled", message, retryable: false } }
    }
    case "ModelFailure": {
      const { code, isRetryable, message } = failure
      return { error: message, failure: { code, message, retryable: isRetryable } }
    }
  }
}
