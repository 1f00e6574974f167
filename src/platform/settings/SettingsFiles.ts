/**
 * Loads the settings of this process. It reads `.env` and each file that is named in a setting, and then checks all
 * settings together.
 */
import { FileSystem } from "@effect/platform"
import { Effect, Either, Option } from "effect"
import { resolve } from "node:path"
import { systemCode, unreadableReason } from "../FileReasons.ts"
import { examine, type ExaminedSettings, load, type LoadedSettings } from "./SettingsLoad.ts"
import { SettingsInvalid } from "./SettingsReport.ts"
import { settingsTable } from "./Settings.ts"
import { filesNamed, type SettingsSources } from "./SettingsSources.ts"

const settings = Object.values(settingsTable)

/** The text of `.env` in the working directory. None if there is no such file. */
const readDotenv = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const path = resolve(".env")
  return yield* Effect.catchAll(Effect.asSome(files.readFileString(path)), (error) =>
    systemCode(error) === "ENOENT"
      ? Effect.succeedNone
      : new SettingsInvalid({
          problems: [
            {
              name: path,
              rule: `must be a readable file; ${unreadableReason(error)}`,
              fix: "let the system user of the pod read it, or move it away",
              source: ""
            }
          ],
          warnings: []
        })
  )
})

/** Reads every file that a setting names, so that the settings can be loaded. */
const sourcesOf = (
  environment: SettingsSources["environment"]
): Effect.Effect<SettingsSources, SettingsInvalid, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const dotenv = Option.getOrUndefined(yield* readDotenv)
    const read = new Map<string, Either.Either<string, unknown>>()
    for (const path of filesNamed(settings, { environment, dotenv })) {
      read.set(path, yield* Effect.either(files.readFileString(path)))
    }
    return { environment, dotenv, readFile: (path) => read.get(path) ?? Either.left("a file that no setting names") }
  })

/**
 * Loads the settings. Fails with all problems at once. If `.env` cannot be read, only this problem is reported, because
 * the settings that seem to be missing might be in that file.
 */
export const loadSettings = (
  environment: SettingsSources["environment"]
): Effect.Effect<LoadedSettings, SettingsInvalid, FileSystem.FileSystem> => Effect.flatMap(sourcesOf(environment), load)

/** Reads the settings, even if some of them are wrong. Fails only if `.env` cannot be read. */
export const examineSettings = (
  environment: SettingsSources["environment"]
): Effect.Effect<ExaminedSettings, SettingsInvalid, FileSystem.FileSystem> =>
  Effect.map(sourcesOf(environment), examine)
