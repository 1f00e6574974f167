/** Counts the tokens of a day, and refuses calls beyond the limit. Each process counts for itself, from its start. */
import { Clock, Effect, Exit, Ref } from "effect"
import { ModelFailure, type ModelFailureCode } from "./ModelFailure.ts"

const dayMs = 86_400_000 // days of UTC

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

/**
 * Makes the budget of a day. The estimate is subtracted before a call, so that concurrent calls cannot exceed the limit
 * together.
 */
export const tokenBudget = (tokensPerDay: number | undefined): Effect.Effect<TokenBudget> =>
  Effect.map(Ref.make({ day: 0, spent: 0 }), (kept) => {
    const today = Effect.map(Clock.currentTimeMillis, (nowMs) => Math.floor(nowMs / dayMs))
    const take = (estimate: number) =>
      Effect.flatMap(today, (day) =>
        Ref.modify(kept, (state) => {
          const spent = state.day === day ? state.spent : 0
          const isWithin = tokensPerDay === undefined || spent + estimate <= tokensPerDay
          return [isWithin, { day, spent: isWithin ? spent + estimate : spent }] as const
        })
      )
    /** Corrects the estimate after a call. Tokens of a call that began on an earlier day do not count for today. */
    const correct = (day: number, by: number) =>
      Ref.update(kept, (state) => (state.day === day ? { day, spent: state.spent + by } : state))
    return (estimate, call) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const day = yield* today
          if (!(yield* take(estimate))) return yield* new ModelFailure({ code: "llm_budget_exceeded" })
          return yield* Effect.onExit(restore(call), (exit) => {
            if (Exit.isSuccess(exit)) return correct(day, exit.value.tokens - estimate)
            const failure = exit.cause._tag === "Fail" ? exit.cause.error : undefined
            return failure === undefined || spends.has(failure.code) ? Effect.void : correct(day, -estimate)
          })
        })
      )
  })
