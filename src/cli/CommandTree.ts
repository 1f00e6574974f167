/** The tree of commands: a leaf runs, a group names further commands. The help, the reference and the completions are made of it. */
import type * as CliApp from "@effect/cli/CliApp"
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as CommandDescriptor from "@effect/cli/CommandDescriptor"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as ValidationError from "@effect/cli/ValidationError"
import { Effect } from "effect"
import { badUsage, type CliFailure } from "./CliFailure.ts"
import type { Globals } from "./Globals.ts"
import type { Output } from "./Output.ts"
import type { PodClient } from "./PodClient.ts"

/** What a command may use. */
export type CliServices = Globals | Output | PodClient | CliApp.CliApp.Environment

export interface Leaf {
  readonly kind: "leaf"
  readonly name: string
  readonly summary: string
  /** Command lines that work as they stand, the most useful first. */
  readonly examples: ReadonlyArray<string>
  readonly command: Command.Command<string, CliServices, CliFailure, unknown>
  /** Runs the command with the arguments after its name. */
  /** `path` are the words of the command, such as `keys`, `check`. */
  readonly run: (
    given: ReadonlyArray<string>,
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
}

/** Upper and lower case differ, and a wrong name is explained by the tree and never corrected by the library. */
export const parsing: CliConfig.CliConfig = CliConfig.make({
  isCaseSensitive: true,
  autoCorrectLimit: 0,
  showBuiltIns: false
})

const escape = String.fromCharCode(27)
export const withoutAnsi = (text: string): string => text.replaceAll(new RegExp(`${escape}\\[[0-9;]*m`, "g"), "")

/** The text of a help document, without colours. */
export const plainHelp = (doc: HelpDoc.HelpDoc): string => withoutAnsi(HelpDoc.toAnsiText(doc)).trim()

/** A command that runs. `config` are its arguments and options, as `Command.make` takes them. */
export const leaf = <const Config extends Command.Command.Config>(
  name: string,
  about: About,
  config: Config,
  handler: (input: Command.Command.ParseConfig<Config>) => Effect.Effect<void, CliFailure, CliServices>
): Leaf => {
  // Parsing yields the values of `config`; `Command.make` states the same type under another name.
  const command = Command.make(name, config, handler as never).pipe(
    Command.withDescription(about.summary)
  ) as unknown as Command.Command<string, CliServices, CliFailure, unknown>
  return {
    kind: "leaf",
    name,
    ...about,
    command,
    run: (given, path) =>
      CommandDescriptor.parse(command.descriptor, [name, ...given], parsing).pipe(
        Effect.mapError((error) => badUsage(explained(error), `See pod ${path.join(" ")} --help.`)),
        Effect.flatMap((directive) => {
          if (directive._tag === "BuiltIn") return Effect.fail(badUsage("Put this flag before the command."))
          const [extra] = directive.leftover
          return extra === undefined
            ? command.handler(directive.value)
            : Effect.fail(badUsage(`The argument ${JSON.stringify(extra)} is one too many.`))
        })
      )
  }
}

const explained = (error: ValidationError.ValidationError): string => plainHelp(error.error).replaceAll(/\s+/g, " ")

export const group = (name: string, summary: string, children: ReadonlyArray<Node>): Group => ({
  kind: "group",
  name,
  summary,
  children
})
