/** Refuses calls of a model beyond the tokens of a day, which all pods over one database count together. */
import { Clock, Effect, Exit } from "effect"
import { ModelFailure, type ModelFailureCode } from "./ModelFailure.ts"
import { type ServiceDay, TokenStore } from "./TokenStore.ts"

/** A model has read the request before it fails in one of these ways, so its tokens are spent. */
const spends: ReadonlySet<ModelFailureCode> = new Set(["timeout", "invalid_response", "content_filter"])

/**
 * The estimated tokens of a text, used if the service does not count them. It counts one token for three bytes. English
 * has about four bytes for each token and Chinese three, so the estimate is seldom too low.
 */
export const tokensIn = (text: string): number => Math.ceil(Buffer.byteLength(text) / 3)

export type TokenBudget = <A extends { readonly tokens: number }>(
  estimate: number,
  call: Effect.Effect<A, ModelFailure>
) => Effect.Effect<A, ModelFailure>

const today = Effect.map(Clock.currentTimeMillis, (nowMs) => new Date(nowMs).toISOString().slice(0, 10))

/**
 * Makes the budget of a day. The estimate is taken before a call, so that concurrent calls cannot exceed the limit together, and
 * corrected after it: one statement each. A pod that is killed in between leaves the estimate taken. Without a limit nothing is
 * counted.
 */
export const tokenBudget = (
  service: ServiceDay["service"],
  tokensPerDay: number | undefined
): Effect.Effect<TokenBudget, never, TokenStore> =>
  Effect.map(TokenStore, (store) => {
    if (tokensPerDay === undefined) return (_estimate, call) => call
    /** An answer is not lost because its tokens could not be counted exactly. */
    const correct = (day: ServiceDay, by: number) =>
      by === 0
        ? Effect.void
        : Effect.catchAllCause(store.correct(day, by), (cause) =>
            Effect.logWarning("The tokens of an answer could not be counted exactly.", cause)
          )
    return (estimate, call) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
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
