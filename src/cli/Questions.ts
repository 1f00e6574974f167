/** Asks the person at the terminal for a value or a decision, if a person is there. */
import * as Prompt from "@effect/cli/Prompt"
import { Effect } from "effect"
import { badUsage, CliFailure } from "./CliFailure.ts"
import type { CliServices } from "./CliServices.ts"
import { Globals } from "./Globals.ts"
import { escapeInvisible } from "../shared/visibleText.ts"

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

/** Declares that a command asks the person before it acts, and why. The help of the command says so too. */
export interface Confirmation<Input> {
  /** The reason, as the end of a sentence: “a revoked key cannot be made valid again”. */
  readonly because: string
  /** If the command asks only with some options: these options, and a function that recognizes them. */
  readonly only?: { readonly with: string; readonly when: (input: Input) => boolean }
}

/** The sentences of the help about a command that asks before it acts. */
export const confirmationText = ({ because, only }: Confirmation<never>): string =>
  `${only === undefined ? "The command" : `With ${only.with} the command`} asks before it acts, because ${because}. Without a terminal it cannot ask, and then it needs --yes.`

/** Asks a question, and continues only if the person says yes. */
export type Ask = (question: string) => Effect.Effect<void, CliFailure, CliServices>

const askPerson: Ask = (message) =>
  Effect.gen(function* () {
    const isConfirmed = yield* Prompt.run(Prompt.confirm({ message: escapeInvisible(message), initial: false })).pipe(
      Effect.mapError(interruptedFailure)
    )
    if (!isConfirmed)
      return yield* new CliFailure({
        exit: "interrupted",
        code: "DECLINED",
        message: "The answer was not yes, so nothing was done."
      })
  })

/**
 * Decides how a command asks before it acts. With `--yes`, or if these arguments need no question, the command
 * continues without a question. If nobody can be asked, the effect fails before the command does anything.
 */
export const askForConfirmation = <Input>(
  { because, only }: Confirmation<Input>,
  input: Input
): Effect.Effect<Ask, CliFailure, Globals> =>
  Effect.gen(function* () {
    const { yes } = yield* Globals
    if (yes || only?.when(input) === false) return () => Effect.void
    if (yield* canAsk) return askPerson
    return yield* new CliFailure({
      exit: "badUsage",
      code: "CONFIRMATION_NEEDED",
      message: `The command asks before it acts, because ${because}. It cannot ask here, so it needs \`--yes\`.`
    })
  })
