/**
 * The tree of commands. A leaf is a command that runs, and a group holds further commands. The help, the reference and
 * the completions are made from this tree.
 */
import * as Command from "@effect/cli/Command"
import * as CommandDescriptor from "@effect/cli/CommandDescriptor"
import type * as ValidationError from "@effect/cli/ValidationError"
import { Effect } from "effect"
import { nearName } from "../shared/nearName.ts"
import { badUsage, type CliFailure } from "./CliFailure.ts"
import type { CliServices } from "./CliServices.ts"
import { sortWords, type WordFault } from "./CommandWords.ts"
import { globalFlags } from "./Globals.ts"
import { type Flag, flagsOf, parametersOf } from "./Parameters.ts"
import { parserConfig, plainHelp } from "./Parsing.ts"
import {
  type Ask,
  askForConfirmation,
  canAsk,
  type Confirmation,
  confirmationText,
  interruptedFailure
} from "./Questions.ts"

export interface Leaf {
  readonly kind: "leaf"
  readonly name: string
  readonly summary: string
  /** Command lines that work without a change, the most useful first. */
  readonly examples: ReadonlyArray<string>
  /** The values of the argument, for the completions. */
  readonly values?: ReadonlyArray<string>
  /** Says that the command asks before it acts, and why. Undefined for a command that asks nothing. */
  readonly asking?: string
  readonly command: Command.Command<string, CliServices, CliFailure, unknown>
  /**
   * Asks the person at the terminal for each option and argument. Returns the arguments for `run`. Fails if nobody can
   * be asked.
   */
  readonly askAll: (path: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>, CliFailure, CliServices>
  /**
   * Runs the command with the arguments after its name. `path` has the words that name the command, such as `keys` and
   * `create`.
   */
  readonly run: (
    givenWords: ReadonlyArray<string>,
    path: ReadonlyArray<string>
  ) => Effect.Effect<void, CliFailure, CliServices>
}

export interface Group {
  readonly kind: "group"
  readonly name: string
  readonly summary: string
  readonly children: ReadonlyArray<Node>
}

export type Node = Leaf | Group

interface About {
  readonly summary: string
  readonly examples: ReadonlyArray<string>
  readonly values?: ReadonlyArray<string>
}

/**
 * Makes a command that runs. `config` holds the arguments and options of the command, in the form that `Command.make`
 * of `@effect/cli` accepts.
 */
export const leaf = <const Config extends Command.Command.Config>(
  name: string,
  about: About,
  config: Config,
  handler: (input: Command.Command.ParseConfig<Config>) => Effect.Effect<void, CliFailure, CliServices>
): Leaf => {
  // Parsing yields the values of `config`. `Command.make` gives this result another type, so the code needs a cast.
  const command = Command.make(name, config, handler as never).pipe(
    Command.withDescription(about.summary)
  ) as unknown as Command.Command<string, CliServices, CliFailure, unknown>
  return {
    kind: "leaf",
    name,
    ...about,
    command,
    askAll: Effect.fnUntraced(function* (path) {
      if (!(yield* canAsk)) {
        return yield* badUsage(
          "--wizard asks at a terminal, but nobody can be asked here.",
          `See pod ${path.join(" ")} --help.`
        )
      }
      const words = yield* CommandDescriptor.wizard(command.descriptor, ["pod", ...path], parserConfig).pipe(
        Effect.mapError((failure) =>
          failure._tag === "QuitException" ? interruptedFailure() : badUsage(plainHelp(failure.error))
        )
      )
      return words.slice(1 + path.length)
    }),
    run: (givenWords, path) => {
      const words = ["pod", ...path].join(" ")
      const flags = flagsOf(command)
      const wrong = (message: string, hint = `See ${words} --help.`) => badUsage(message, hint)
      const sorted = sortWords(givenWords, flags)
      if ("kind" in sorted) return Effect.fail(wordFailure(sorted, words, flags))
      return CommandDescriptor.parse(
        command.descriptor,
        [name, ...sorted.options, "--", ...sorted.args],
        parserConfig
      ).pipe(
        Effect.mapError((error) => wrong(explainError(error, flags, parametersOf(command)))),
        Effect.flatMap((directive) => {
          if (directive._tag === "BuiltIn") return Effect.fail(badUsage("Put this flag before the command."))
          const [extra] = directive.leftover
          if (extra === undefined) return command.handler(directive.value)
          // The parser does not read the second of two equal options.
          return Effect.fail(
            sorted.options.includes(extra)
              ? wrong(`${extra.split("=")[0]} can be given only once.`)
              : wrong(`The command does not take the argument ${JSON.stringify(extra)}.`)
          )
        })
      )
    }
  }
}

/**
 * Makes a command that asks the person before it acts. If nobody can be asked, the command fails unless `--yes` is set.
 * The handler gets the function that asks, and calls it as soon as it knows which names the question must contain.
 */
export const leafThatAsks = <const Config extends Command.Command.Config>(
  name: string,
  { confirmation, ...about }: About & { readonly confirmation: Confirmation<Command.Command.ParseConfig<Config>> },
  config: Config,
  handler: (input: Command.Command.ParseConfig<Config>, ask: Ask) => Effect.Effect<void, CliFailure, CliServices>
): Leaf => ({
  ...leaf(name, about, config, (input) =>
    Effect.flatMap(askForConfirmation(confirmation, input), (ask) => handler(input, ask))
  ),
  asking: confirmationText(confirmation)
})

/** Says what is wrong with a word of the command line that looks like a flag. */
const wordFailure = (fault: WordFault, words: string, flags: ReadonlyArray<Flag>): CliFailure => {
  if (fault.kind === "noValue") {
    const { flag, following } = fault
    return badUsage(
      `${flag} needs a value.`,
      following === undefined || following === "--"
        ? `See ${words} --help.`
        : `If ${following} is the value, write ${flag}=${following}.`
    )
  }
  const known = [...flags.flatMap(({ names }) => names), ...Object.keys(globalFlags)]
  const suggestion = nearName(
    fault.flag,
    known.filter((name) => name.startsWith("--")),
    (each) => each
  )
  return badUsage(
    `${words} has no flag ${JSON.stringify(fault.flag)}.`,
    suggestion === undefined
      ? `See ${words} --help. If the word is an argument, write -- before it.`
      : `Did you mean ${suggestion}?`
  )
}

/** Rewrites an error of the parser library in the words of this program. */
const explainError = (
  error: ValidationError.ValidationError,
  flags: ReadonlyArray<Flag>,
  parameters: ReturnType<typeof parametersOf>
): string => {
  const text = plainHelp(error.error).replaceAll(/\s+/g, " ")
  const [, missing] = /^Expected to find option: '(--?[\w-]+)'$/.exec(text) ?? []
  if (missing !== undefined) return `The option ${missing} is missing.`
  const [, absent] = /^Missing argument (<.+>)$/.exec(text) ?? []
  if (absent !== undefined) {
    const [, meaning = ""] = parameters.find(([name]) => name === absent) ?? []
    return `The argument ${absent} is missing.${meaning.startsWith("One of ") ? ` ${meaning}` : ""}`
  }
  const [, empty] = /^Expected a value following option: '(--?[\w-]+)'$/.exec(text) ?? []
  if (empty !== undefined) return `${empty} needs a value.`
  const [, noInteger] = /^'(.*)' is not a integer$/.exec(text) ?? []
  if (noInteger !== undefined) return `${JSON.stringify(noInteger)} is not a whole number.`
  const [, cases] = /^Expected one of the following cases: (.*)$/.exec(text) ?? []
  const choice = flags.find(({ values }) => values.length > 0 && values.join(", ") === cases)
  return choice === undefined ? text : `${choice.names.at(-1)} is one of ${choice.values.join(", ")}.`
}

export const group = (name: string, summary: string, children: ReadonlyArray<Node>): Group => ({
  kind: "group",
  name,
  summary,
  children
})
