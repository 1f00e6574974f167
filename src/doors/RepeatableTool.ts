/**
 * Makes the write of an MCP tool repeatable: a second call with the same key and arguments gets the result of the first
 * call.
 */
import { Effect, Schema } from "effect"
import type { Conflict, Failure, Invalid } from "./Failure.ts"
import { Fingerprints, idempotencyKey, keyLength } from "./Idempotency.ts"
import { makeKeptAnswers } from "./KeptAnswers.ts"
import { Proposed, type ProposedAnswer } from "./Proposed.ts"
import type { Reach } from "./Reach.ts"

/** The argument of a tool for an idempotency key. */
export const IdempotencyKeyInput = Schema.optional(
  Schema.String.pipe(Schema.minLength(keyLength.least), Schema.maxLength(keyLength.most))
)
export const idempotencyKeyText =
  "A text of your choice that identifies this write: within 24 hours, a call with the same text and the same other arguments returns the first result and writes nothing."

/** The stored result of a tool: a written record or a proposal. A repeated call must get the same proposal again. */
type Outcome = { readonly made: unknown } | { readonly proposed: ProposedAnswer }

export interface ToolWrite<A, I> {
  readonly tool: string
  readonly key: string
  /** The arguments without the idempotency key. */
  readonly input: unknown
  /** The schema with which the result is stored. */
  readonly schema: Schema.Schema<A, I>
}

export const repeatableTool = Effect.gen(function* () {
  const once = yield* makeKeptAnswers
  const fingerprints = yield* Fingerprints
  return <A, I, E extends Failure, R>(
    { input, key, schema, tool }: ToolWrite<A, I>,
    work: Effect.Effect<A, E | Proposed, R>
  ): Effect.Effect<{ readonly result: A; readonly isReplay: boolean }, E | Proposed | Conflict | Invalid, R | Reach> =>
    Effect.gen(function* () {
      const print = fingerprints.of({
        key: yield* idempotencyKey(key),
        method: "MCP",
        route: tool,
        body: JSON.stringify(input)
      })
      const outcome = Effect.matchEffect(work, {
        onFailure: (failure): Effect.Effect<Outcome, E> =>
          failure instanceof Proposed ? Effect.succeed({ proposed: failure.answer }) : Effect.fail(failure),
        onSuccess: (done) =>
          Effect.map(Effect.orDie(Schema.encode(schema)(done)), (encoded): Outcome => ({ made: encoded }))
      })
      const { answer, isReplay } = yield* once(print, true, outcome)
      // Under this key the pod stores only results of this tool, so the cast is safe.
      const stored = answer as Outcome
      if ("proposed" in stored) return yield* new Proposed({ answer: stored.proposed })
      return { result: yield* Effect.orDie(Schema.decodeUnknown(schema)(stored.made)), isReplay }
    })
})
