/** Reads the text that a person gives to a command in a file or on stdin. */
import { FileSystem } from "@effect/platform"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { unreadableReason } from "../platform/FileReasons.ts"
import { badUsage, type CliFailure } from "./CliFailure.ts"

const inputUnreadable = (source: string) => (error: unknown) =>
  badUsage(`${source} cannot be read: ${unreadableReason(error)}.`)

/**
 * Reads all text of stdin from the process. The FileSystem of the platform opens only paths, and Windows has no path
 * for stdin.
 */
export const stdinText: Effect.Effect<string, CliFailure> = Effect.try({
  try: () => readFileSync(0, "utf8"),
  catch: inputUnreadable("stdin")
})

export const fileText = (path: string): Effect.Effect<string, CliFailure, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (files) => Effect.mapError(files.readFileString(path), inputUnreadable(path)))
