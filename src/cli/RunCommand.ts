/**
 * Runs a command line: finds the command, runs it, and says with which exit code the program ends. The program `pod`
 * and the tests call this, so it takes nothing from the process except its streams and its environment.
 */
import * as Terminal from "@effect/platform/Terminal"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeTerminal from "@effect/platform-node/NodeTerminal"
import { Cause, Effect, Either, Exit, Layer, Option } from "effect"
import { version } from "../Version.ts"
import { badUsage, CliFailure, cliExitTable } from "./CliFailure.ts"
import { commands } from "./CommandTable.ts"
import { Globals, type GlobalsShape, takeGlobals } from "./Globals.ts"
import { describe, findCommand, helpOf } from "./Help.ts"
import { hasColours, Output, outputOf, paintFor } from "./Output.ts"
import { withoutAnsi } from "./Parsing.ts"
import { columnsOf } from "./ProgressLine.ts"
import { PodClient } from "./PodClient.ts"

const print = (text: string) => Effect.sync(() => void process.stdout.write(`${text.trimEnd()}\n`))

/** The terminal on which the library asks. The library always writes colours, so they are removed where none are wanted. */
const terminalFor = ({ noColor }: GlobalsShape) =>
  Layer.effect(
    Terminal.Terminal,
    Effect.map(Terminal.Terminal, (terminal) =>
      hasColours(process.stdout, noColor)
        ? terminal
        : { ...terminal, display: (text: string) => terminal.display(withoutAnsi(text)) }
    )
  ).pipe(Layer.provide(NodeTerminal.layer))

export const servicesOf = (globals: GlobalsShape) =>
  Layer.mergeAll(PodClient.layer, Output.layer).pipe(
    Layer.provideMerge(Layer.succeed(Globals, globals)),
    Layer.provideMerge(Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, terminalFor(globals)))
  )

/** Runs the command that the words name. The words are the arguments of the program. */
export const runCommand = (givenWords: ReadonlyArray<string>): Effect.Effect<void, CliFailure> =>
  Effect.gen(function* () {
    const { globals, rest: words } = yield* takeGlobals(givenWords)
    const asksHelp = globals.help || words[0] === "help"
    const rest =
      words[0] === "help"
        ? words.slice(1)
        : // Other programs with `@effect/cli` have the option `--completions`, so people try it here too.
          words[0] === "--completions"
          ? ["completions", ...words.slice(1)]
          : words
    if (globals.version) return yield* print(version)
    const found = yield* findCommand(commands, rest)
    if (globals.describe) return yield* print(JSON.stringify(describe(found), null, 2))
    if (asksHelp || rest.length === 0) {
      const columns = process.stdout.isTTY ? columnsOf(process.stdout) : Number.POSITIVE_INFINITY
      return yield* print(helpOf(found, { paint: paintFor(process.stdout, globals.noColor), columns }))
    }
    if (found.node.kind === "group") {
      return yield* badUsage(
        `pod ${found.path.join(" ")} needs one more word: ${found.node.children.map(({ name }) => name).join(", ")}.`,
        `See pod ${found.path.join(" ")} --help.`
      )
    }
    const command = found.node
    const givenArguments = globals.wizard ? command.askAll(found.path) : Effect.succeed(found.rest)
    return yield* Effect.flatMap(givenArguments, (words) => command.run(words, found.path)).pipe(
      Effect.provide(servicesOf(globals))
    )
  })

const failureOf = (cause: Cause.Cause<CliFailure>): CliFailure => {
  const failure = Cause.failureOption(cause)
  if (Option.isSome(failure)) return failure.value
  return Cause.isInterruptedOnly(cause)
    ? new CliFailure({ exit: "interrupted", code: "INTERRUPTED", message: "Interrupted." })
    : new CliFailure({ exit: "unexpected", code: "UNEXPECTED", message: Cause.pretty(cause) })
}

/** Prints the failure of a command, if there is one. Returns the exit code of the program. */
export const reportExit = (givenWords: ReadonlyArray<string>, exit: Exit.Exit<unknown, CliFailure>): number => {
  if (Exit.isSuccess(exit)) return cliExitTable.done.code
  const failure = failureOf(exit.cause)
  const parsedWords = takeGlobals(givenWords)
  // If the flags cannot be read, the failure is still printed in the format that the words ask for.
  const fallback = {
    output: givenWords.includes("--json") ? ("json" as const) : ("table" as const),
    quiet: false,
    noColor: givenWords.includes("--no-color")
  }
  outputOf(Either.isRight(parsedWords) ? parsedWords.right.globals : fallback).failure(failure)
  return cliExitTable[failure.exit].code
}
