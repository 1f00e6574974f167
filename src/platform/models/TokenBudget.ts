/** Refuses calls to a model when the tokens of the day are used up. All nodes share the count. */
import { Clock, Effect, Exit } from "effect"
import { ModelFailure, type ModelFailureCode } from "./ModelFailure.ts"
import { type ServiceDay, TokenStore } from "./TokenStore.ts"

/**
 * The failures after which the tokens of a call still count as used, because the model has already read the request.
 */
const spends: ReadonlySet<ModelFailureCode> = new Set(["timeout", "invalid_response", "content_filter"])

/**
 * Estimates the tokens of a text for a service that does not count them. The estimate is one token for three bytes. A
 * token has about four bytes in English and three in Chinese, so the estimate is seldom too low.
 */
export const tokensIn = (text: string): number => Math.ceil(Buffer.byteLength(text) / 3)

export type TokenBudget = <A extends { readonly tokens: number }>(
  estimate: number,
  call: Effect.Effect<A, ModelFailure>
) => Effect.Effect<A, ModelFailure>

const today = Effect.map(Clock.currentTimeMillis, (nowMs) => new Date(nowMs).toISOString().slice(0, 10))

/**
 * Makes the budget of tokens for a day. Before a call, the budget counts the estimated tokens as used, so that
 * concurrent calls cannot exceed the limit together. After the call, it corrects the count. Each step is one statement.
 * If the node is killed between the two steps, the estimate stays in the count. If `tokensPerDay` is undefined, nothing
 * is counted.
 */
export const tokenBudget = (
  service: ServiceDay["service"],
  tokensPerDay: number | undefined
): Effect.Effect<TokenBudget, never, TokenStore> =>
  Effect.map(TokenStore, (store) => {
    if (tokensPerDay === undefined) return (_estimate, call) => call
    /** Adds `by` to the count. If this fails, the caller still gets the answer of the model. */
    const correct = (day: ServiceDay, by: number) =>
      by === 0
        ? Effect.void
        : Effect.catchAllCause(store.correct(day, by), (cause) =>
            Effect.logWarning("The tokens of an answer could not be counted exactly.", cause)
          )
    return (estimate, call) =>
      Effect.uninterruptibleMask(
        Effect.fnUntraced(function* (restore) {
          const day = { service, day: yield* today }
          const isTaken = yield* store.take(day, estimate, tokensPerDay)
          if (!isTaken) return yield* new ModelFailure({ code: "llm_budget_exceeded" })
          return yield* Effect.onExit(restore(call), (exit) => {
            if (Exit.isSuccess(exit)) return correct(day, exit.value.tokens - estimate)
            const failure = exit.cause._tag === "Fail" ? exit.cause.error : undefined
            return failure === undefined || spends.has(failure.code) ? Effect.void : correct(day, -estimate)
          })
        })
      )
  })
