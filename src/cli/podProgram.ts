#!/usr/bin/env node
/** The program `pod`: reads the command line, runs the command, and ends with its exit code. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeTerminal from "@effect/platform-node/NodeTerminal"
import { Cause, Effect, Either, Exit, Layer, Option } from "effect"
import { stopWithStarter } from "../../scripts/starter.mjs"
import { version } from "../Version.ts"
import { badUsage, CliFailure, cliExitTable } from "./CliFailure.ts"
import { commands } from "./CommandTable.ts"
import { start } from "./commands/start.ts"
import { Globals, type GlobalsShape, takeGlobals } from "./Globals.ts"
import { describe, findCommand, helpOf } from "./Help.ts"
import { Output, outputOf, paintFor } from "./Output.ts"
import { columnsOf } from "./ProgressLine.ts"
import { PodClient } from "./PodClient.ts"

const givenArguments = process.argv.slice(2)
const parsedArguments = takeGlobals(givenArguments)

/**
 * The output options for the case that the program cannot parse the arguments. It looks only for `--json` and
 * `--no-color`, so that the failure has the wanted format.
 */
const fallback = {
  output: givenArguments.includes("--json") ? ("json" as const) : ("table" as const),
  quiet: false,
  noColor: givenArguments.includes("--no-color")
}

const print = (text: string) => Effect.sync(() => void process.stdout.write(`${text.trimEnd()}\n`))

const services = (globals: GlobalsShape) =>
  Layer.mergeAll(PodClient.layer, Output.layer).pipe(
    Layer.provideMerge(Layer.succeed(Globals, globals)),
    Layer.provideMerge(Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, NodeTerminal.layer))
  )

const program = Effect.gen(function* () {
  const { globals, rest: words } = yield* parsedArguments
  const asksHelp = globals.help || words[0] === "help"
  const rest = words[0] === "help" ? words.slice(1) : words
  if (globals.version) return yield* print(version)
  if (words.at(-1) === "--wizard") {
    return yield* badUsage(
      "There is no --wizard.",
      "--help shows the options of a command, and a command at a terminal asks for a password or a confirmation that it needs."
    )
  }
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
  return yield* found.node.run(found.rest, found.path).pipe(Effect.provide(services(globals)))
})

const failureOf = (cause: Cause.Cause<CliFailure>): CliFailure => {
  const failure = Cause.failureOption(cause)
  if (Option.isSome(failure)) return failure.value
  return Cause.isInterruptedOnly(cause)
    ? new CliFailure({ exit: "interrupted", code: "INTERRUPTED", message: "Interrupted." })
    : new CliFailure({ exit: "unexpected", code: "UNEXPECTED", message: Cause.pretty(cause) })
}

/** Prints the failure, if there is one, and calls `onExit` with the exit code of the program. */
const teardown = (exit: Exit.Exit<unknown, unknown>, onExit: (code: number) => void): void => {
  if (Exit.isSuccess(exit)) return onExit(process.exitCode === undefined ? 0 : Number(process.exitCode))
  // a command fails only with `CliFailure`
  const failure = failureOf(exit.cause as Cause.Cause<CliFailure>)
  outputOf(Either.isRight(parsedArguments) ? parsedArguments.right.globals : fallback).failure(failure)
  onExit(cliExitTable[failure.exit].code)
}

const runCommand = () =>
  NodeRuntime.runMain(program, {
    // the runtime would print the error on stdout, which is for data
    disableErrorReporting: true,
    disablePrettyLogger: true,
    teardown
  })

/**
 * Starts the server of the pod. The server is a program of its own, with its own signals and exit codes, so it does not
 * run inside `program`. `words` are the words of the command line after `start`.
 */
const startServer = async (globals: GlobalsShape, words: ReadonlyArray<string>): Promise<void> => {
  const options = await Effect.runPromiseExit(start.run(words, [start.name]).pipe(Effect.provide(services(globals))))
  if (Exit.isFailure(options)) return teardown(options, (code) => process.exit(code))
  if (globals.dataDir !== undefined) process.env["POD_DATA_DIR"] = globals.dataDir
  // the server reads `process.argv` too, and would refuse these arguments
  process.argv.splice(2)
  stopWithStarter()
  await import("../main.ts")
}

const commandLine = Either.isRight(parsedArguments) ? parsedArguments.right : undefined
const asksText =
  commandLine !== undefined && (commandLine.globals.help || commandLine.globals.describe || commandLine.globals.version)
if (commandLine?.rest[0] === start.name && !asksText) await startServer(commandLine.globals, commandLine.rest.slice(1))
else runCommand()
