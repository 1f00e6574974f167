/**
 * Answers a question in sentences. A language model writes the sentences from the texts that retrieval found. The pod
 * then checks the sentences against these texts.
 */
import { Context, Effect, Layer } from "effect"
import { requireConfirmation } from "../../doors/Authority.ts"
import { type Forbidden, type Invalid, invalid } from "../../doors/Failure.ts"
import type { Reach } from "../../doors/Reach.ts"
import { LanguageModel } from "../../platform/models/LanguageModel.ts"
import { ModelFailure, type ModelNotConfigured } from "../../platform/models/ModelFailure.ts"
import { citationsOf, renumberCitations } from "./AnswerCheck.ts"
import { answerPrompt, noAnswer } from "./AnswerPrompt.ts"
import { type FoundSource, shownSource, sourcesOf } from "./FoundSources.ts"
import { Retrieval } from "./Retrieval.ts"
import type { AnswerRequest } from "./RetrievalRequest.ts"
import type { AnswerResult } from "./RetrievalResult.ts"

// the maximum number of characters of an answer that only says that the sources hold no answer
const noAnswerMax = 40

export class Answers extends Context.Tag("pod/Answers")<
  Answers,
  {
    /**
     * Answers a question. If there is no answer, the result lists all sources that retrieval found. If the pod has no
     * model or the model failed, `failure` says why. Otherwise `failure` is absent, because retrieval found nothing or
     * the model says that the sources do not contain the answer.
     */
    readonly answer: (request: AnswerRequest) => Effect.Effect<AnswerResult, Forbidden | Invalid, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const model = yield* LanguageModel
      const retrieval = yield* Retrieval

      /**
       * Calls the model. Returns the text that the model wrote, with the sources that this text cites. Returns
       * undefined if the model says that the sources do not contain the answer. Fails with ModelFailure if the sources
       * do not support the text.
       */
      const written = Effect.fnUntraced(function* (question: string, sources: ReadonlyArray<FoundSource>) {
        const { text } = yield* Effect.ensuring(model.complete(answerPrompt(question, sources)), requireConfirmation)
        const answer = text.trim()
        // A longer text cannot be `NO ANSWER`. The regular expression would also be slow for a long text of dots.
        if (answer.length <= noAnswerMax && answer.replace(/[.\s]+$/, "").toUpperCase() === noAnswer) return undefined
        const cited = citationsOf(answer, sources)
        if (cited === undefined) return yield* new ModelFailure({ code: "invalid_response" })
        return { answer: renumberCitations(answer, cited), sources: cited.map((number) => sources[number - 1]) }
      })

      return {
        answer: Effect.fnUntraced(function* ({ query, question: givenQuestion, ...place }) {
          const question = givenQuestion ?? query
          if (question === undefined) return yield* invalid("question", "Send the question in question or query.")
          const gathered = yield* retrieval.gather({ ...place, query: question })
          const { degraded, routedTo, spaces } = gathered.result
          const sources = sourcesOf(gathered)
          const head = { routedTo, degraded, ...(spaces === undefined ? {} : { spaces }) }
          const unanswered = { answer: null, sources: sources.map(shownSource), ...head }
          if (sources.length === 0 && (yield* model.model) !== undefined) return unanswered
          const answered = Effect.tapErrorTag(written(question, sources), "ModelFailure", ({ code }) =>
            Effect.logWarning(`The language model gave no answer: ${code}.`)
          )
          return yield* Effect.match(answered, {
            onSuccess: (found) =>
              found === undefined
                ? unanswered
                : { answer: found.answer, sources: found.sources.map(shownSource), ...head },
            onFailure: (failure) => ({ ...unanswered, ...failureFields(failure) })
          })
        })
      }
    })
  )
}

/**
 * Returns the error code and the message that the caller gets after a failed model call. If the pod has no model, the
 * code is different, because a retry does not help.
 */
const failureFields = (
  failure: ModelFailure | ModelNotConfigured
): Required<Pick<AnswerResult, "error" | "failure">> => {
  switch (failure._tag) {
    case "ModelNotConfigured": {
      const message = "This pod has no language model, so the answer has only the sources."
      return { error: message, failure: { code: "not_entitled", message, retryable: false } }
    }
    case "ModelFailure": {
      const { code, isRetryable, message } = failure
      return { error: message, failure: { code, message, retryable: isRetryable } }
    }
  }
}
