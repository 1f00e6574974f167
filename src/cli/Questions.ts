/** Asks the person at the terminal, if there is one. */
import * as Prompt from "@effect/cli/Prompt"
import { Effect } from "effect"
import { badUsage, CliFailure } from "./CliFailure.ts"
import type { CliServices } from "./CommandTree.ts"
import { Globals } from "./Globals.ts"

/** Whether a person can be asked: there is a terminal at both ends, and nobody forbade it. */
export const canAsk: Effect.Effect<boolean, never, Globals> = Effect.map(
  Globals,
  ({ noInput }) => !noInput && process.stdin.isTTY && process.stdout.isTTY
)

/** The end of a question that got no answer. What follows begins on a line of its own. */
export const interrupted = (): CliFailure => {
  process.stdout.write("\n")
  return new CliFailure({ exit: "interrupted", code: "INTERRUPTED", message: "Interrupted." })
}

/** Asks for what is missing, or says which option gives it. */
export const asked = (message: string, option: string): Effect.Effect<string, CliFailure, CliServices> =>
  Effect.gen(function* () {
    if (!(yield* canAsk)) return yield* badUsage(`${message} is missing.`, `Give it with ${option}.`)
    return yield* Prompt.run(Prompt.text({ message })).pipe(Effect.mapError(interrupted))
  })

/**
 * Continues if the person says yes. Without a terminal it continues without the question, because a script cannot
 * answer and must not wait.
 */
export const confirmed = (message: string): Effect.Effect<void, CliFailure, CliServices> =>
  Effect.gen(function* () {
    const { yes } = yield* Globals
    if (yes || !(yield* canAsk)) return
    const isMeant = yield* Prompt.run(Prompt.confirm({ message, initial: false })).pipe(Effect.mapError(interrupted))
    if (!isMeant) return yield* new CliFailure({ exit: "interrupted", code: "DECLINED", message: "Nothing was done." })
  })
