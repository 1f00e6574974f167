#!/usr/bin/env node
/** The program `pod`: reads the command line, runs the command, and ends with its exit code. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Either, Exit } from "effect"
import { stopWithStarter } from "../../scripts/starter.mjs"
import type { CliFailure } from "./CliFailure.ts"
import { start } from "./commands/start.ts"
import { type GlobalsShape, takeGlobals } from "./Globals.ts"
import { reportExit, runCommand, servicesOf } from "./RunCommand.ts"

const words = process.argv.slice(2)

/** Ends the program without an error if the program that reads its output, such as `head`, stops early. */
const endQuietly = (cause: NodeJS.ErrnoException) => {
  if (cause.code === "EPIPE") process.exit(0)
  throw cause
}
process.stdout.on("error", endQuietly)
process.stderr.on("error", endQuietly)

const runProgram = () =>
  NodeRuntime.runMain(runCommand(words), {
    disableErrorReporting: true, // the runtime would print the error on stdout, which is for data
    disablePrettyLogger: true,
    // a command fails only with `CliFailure`
    teardown: (exit, onExit) => onExit(reportExit(words, exit as Exit.Exit<unknown, CliFailure>))
  })

/**
 * Starts the server. The server is a program of its own, with its own signals and exit codes, so it does not run inside
 * `runCommand`. `given` has the words of the command line after `start`.
 */
const startServer = async (globals: GlobalsShape, given: ReadonlyArray<string>): Promise<void> => {
  const options = await Effect.runPromiseExit(start.run(given, [start.name]).pipe(Effect.provide(servicesOf(globals))))
  if (Exit.isFailure(options)) return process.exit(reportExit(words, options))
  if (globals.dataDir !== undefined) process.env["POD_DATA_DIR"] = globals.dataDir
  process.argv.splice(2) // the server reads `process.argv` too, and would refuse these arguments
  stopWithStarter()
  await import("../main.ts")
}

const parsedWords = takeGlobals(words)
const commandLine = Either.isRight(parsedWords) ? parsedWords.right : undefined
const asksText =
  commandLine !== undefined && (commandLine.globals.help || commandLine.globals.describe || commandLine.globals.version)
if (commandLine?.rest[0] === start.name && !asksText) await startServer(commandLine.globals, commandLine.rest.slice(1))
else runProgram()
