/**
 * Reads passwords for the commands. A password is never an argument, because other users of the machine can see
 * arguments.
 */
import * as Options from "@effect/cli/Options"
import * as Prompt from "@effect/cli/Prompt"
import { Effect, Option, Redacted } from "effect"
import { isPossiblePassword } from "../platform/SignIn.ts"
import { badUsage, type CliFailure } from "./CliFailure.ts"
import type { CliServices } from "./CliServices.ts"
import { fileText, stdinText } from "./InputText.ts"
import { canAsk, interruptedFailure } from "./Questions.ts"

export const passwordFile = Options.text("password-file").pipe(
  Options.withDescription("A file with the password, or - for stdin."),
  Options.optional
)

/** Reads the password from the file or from the environment variable. Returns undefined if neither is given. */
const givenPassword = (
  file: Option.Option<string>,
  variable: string
): Effect.Effect<Option.Option<Redacted.Redacted>, CliFailure, CliServices> =>
  Effect.gen(function* () {
    if (Option.isSome(file)) {
      const text = yield* file.value === "-" ? stdinText : fileText(file.value)
      return Option.some(Redacted.make(text.replace(/\r?\n$/, "")))
    }
    const text = process.env[variable]
    return text === undefined || text === "" ? Option.none() : Option.some(Redacted.make(text))
  })

/** Asks for a password. The terminal shows nothing of the typed text, not even its length. */
const askPassword = (message: string) =>
  Prompt.run(Prompt.hidden({ message })).pipe(Effect.mapError(interruptedFailure))

const passwordMissing = badUsage(
  "The password is missing.",
  "Give the password with `--password-file`, or in `POD_PASSWORD`."
)

/**
 * Gets a password that the command needs: from a file or stdin, or from `POD_PASSWORD`. Otherwise the person types it.
 */
export const passwordFrom = (file: Option.Option<string>): Effect.Effect<Redacted.Redacted, CliFailure, CliServices> =>
  Effect.gen(function* () {
    const givenText = yield* givenPassword(file, "POD_PASSWORD")
    if (Option.isSome(givenText)) return givenText.value
    if (yield* canAsk) return yield* askPassword("Password")
    return yield* passwordMissing
  })

/**
 * Gets a new password: from a file or stdin, or from `POD_PASSWORD`. Otherwise the person types the password twice,
 * because the terminal does not show it. If nobody can be asked, the command fails, or with `fallback` it reads the
 * password from stdin.
 */
export const newPasswordFrom = (
  file: Option.Option<string>,
  message: string,
  fallback?: "stdin"
): Effect.Effect<Redacted.Redacted, CliFailure, CliServices> =>
  Effect.gen(function* () {
    const givenText = yield* givenPassword(file, "POD_PASSWORD")
    if (Option.isSome(givenText)) return givenText.value
    if (!(yield* canAsk)) {
      const piped = fallback === "stdin" ? yield* givenPassword(Option.some("-"), "") : Option.none()
      return yield* piped._tag === "Some" ? Effect.succeed(piped.value) : passwordMissing
    }
    const first = yield* askPassword(message)
    // A person who must choose another password should not type this one twice.
    if (!isPossiblePassword(Redacted.value(first))) {
      return yield* badUsage("Use a password of 12 to 128 characters.", "Nothing was changed. Run the command again.")
    }
    const repeatedPassword = yield* askPassword("The same password again")
    return Redacted.value(first) === Redacted.value(repeatedPassword)
      ? first
      : yield* badUsage(
          "The two passwords differ.",
          "Nothing was changed. Run the command again, and type the same password twice."
        )
  })

/**
 * Gets a password that can be empty: from a file or stdin, or from the environment variable. Otherwise the person types
 * it. If nobody can be asked, the password is empty.
 */
export const optionalPassword = (
  file: Option.Option<string>,
  variable: string,
  message: string
): Effect.Effect<Redacted.Redacted, CliFailure, CliServices> =>
  Effect.gen(function* () {
    const givenText = yield* givenPassword(file, variable)
    if (Option.isSome(givenText)) return givenText.value
    return (yield* canAsk) ? yield* askPassword(message) : Redacted.make("")
  })
