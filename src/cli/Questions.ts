/** Asks the person at the terminal for a value or a decision, if a person is there. */
import * as Prompt from "@effect/cli/Prompt"
import { Effect } from "effect"
import { badUsage, CliFailure } from "./CliFailure.ts"
import type { CliServices } from "./CommandTree.ts"
import { Globals } from "./Globals.ts"

/** True if the command can ask a person: stdin and stdout are terminals, and `--no-input` is not set. */
export const canAsk: Effect.Effect<boolean, never, Globals> = Effect.map(
  Globals,
  ({ noInput }) => !noInput && process.stdin.isTTY && process.stdout.isTTY
)

/**
 * Makes the failure for a question that the person interrupts. Prints a line break first, so that later output begins
 * on a new line.
 */
export const interruptedFailure = (): CliFailure => {
  process.stdout.write("\n")
  return new CliFailure({ exit: "interrupted", code: "INTERRUPTED", message: "Interrupted." })
}

/** Asks the person for a missing value. If nobody can be asked, fails and names the option that gives the value. */
export const askFor = (message: string, option: string): Effect.Effect<string, CliFailure, CliServices> =>
  Effect.gen(function* () {
    if (!(yield* canAsk)) return yield* badUsage(`${message} is missing.`, `Give it with ${option}.`)
    return yield* Prompt.run(Prompt.text({ message })).pipe(Effect.mapError(interruptedFailure))
  })

/**
 * Continues if the person says yes, or if `--yes` is set. Without a terminal it continues without the question, because
 * a script cannot answer and must not wait.
 */
export const confirm = (message: string): Effect.Effect<void, CliFailure, CliServices> =>
  Effect.gen(function* () {
    const { yes } = yield* Globals
    if (yes || !(yield* canAsk)) return
    const isConfirmed = yield* Prompt.run(Prompt.confirm({ message, initial: false })).pipe(
      Effect.mapError(interruptedFailure)
    )
    if (!isConfirmed)
      return yield* new CliFailure({
        exit: "interrupted",
        code: "DECLINED",
        message: "The answer was not yes, so nothing was done."
      })
  })
