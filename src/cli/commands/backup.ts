/** `pod backup`, `pod backup verify` and `pod restore`: make, check and restore a backup. */
import * as Args from "@effect/cli/Args"
import * as Options from "@effect/cli/Options"
import { Effect, Option } from "effect"
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { badUsage, notFound } from "../CliFailure.ts"
import { leaf } from "../CommandTree.ts"
import { askForBackup, failureOf, localData, localWork, findRunningEmbedded } from "../LocalWork.ts"
import { Globals, startCommand } from "../Globals.ts"
import { Output } from "../Output.ts"

const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`

const fileExists = (file: string) =>
  existsSync(file) ? Effect.succeed(resolve(file)) : Effect.fail(notFound(`There is no file ${file}.`))

const verify = Effect.fnUntraced(function* (file: string) {
  const { progress } = yield* localWork
  const data = yield* localData
  const { hash, manifest, rows } = yield* Effect.mapError(data.verifyData(yield* fileExists(file), progress), failureOf)
  const { created, engine, parts, podVersion, secrets } = manifest
  const output = yield* Output
  output.data(
    { created, engine, podVersion, parts: parts.length, rows, hash, secrets },
    {
      text: () =>
        `The backup of ${created} is complete and not damaged: ${parts.length} parts, ${rows} rows, ${secrets.length === 0 ? "without secrets" : `with ${secrets.join(", ")}`}.`
    }
  )
})

const make = Effect.fnUntraced(function* (
  to: Option.Option<string>,
  keep: Option.Option<number>,
  withoutSecrets: boolean
) {
  const { progress, settings } = yield* localWork
  const running = yield* findRunningEmbedded(settings)
  const folder = Option.map(to, (path) => resolve(path))
  const backup = Option.isSome(running)
    ? yield* askForBackup(running.value, {
        withoutSecrets,
        ...(Option.isSome(folder) ? { folder: folder.value } : {}),
        ...(Option.isSome(keep) ? { keep: keep.value } : {})
      })
    : yield* Effect.flatMap(localData, ({ backUpData }) =>
        Effect.mapError(
          backUpData(settings, {
            folder: Option.getOrUndefined(folder),
            keep: Option.getOrUndefined(keep),
            withoutSecrets,
            progress
          }),
          failureOf
        )
      )
  const output = yield* Output
  output.data(backup, { text: ({ path, sizeBytes }) => `Backup made: ${path} (${megabytes(sizeBytes)}).` })
  output.note(`Check it: pod backup verify ${backup.path}`)
})

export const backup = leaf(
  "backup",
  {
    summary: "Make a backup of the whole pod with its secrets, even while the pod runs; or verify a backup.",
    examples: [
      "pod backup",
      "pod backup --to /mnt/backups --keep 30",
      "pod backup verify pod-20270101T030000000Z.podbackup"
    ]
  },
  {
    words: Args.text({ name: "verify <file>" }).pipe(
      Args.withDescription("If given: check this backup instead of making one."),
      Args.repeated
    ),
    to: Options.text("to").pipe(
      Options.withDescription("The folder for the backup. Default: POD_BACKUP_DIR."),
      Options.optional
    ),
    keep: Options.integer("keep").pipe(
      Options.withDescription("How many backups to keep in the folder. Default: POD_BACKUP_KEEP."),
      Options.optional
    ),
    withoutSecrets: Options.boolean("without-secrets").pipe(
      Options.withDescription(
        "Leave out the secrets of the data directory. Keep a copy of them elsewhere: without them, keys and the vault are lost."
      )
    )
  },
  Effect.fnUntraced(function* ({ keep, to, withoutSecrets, words: [verb, file, ...others] }) {
    if (verb === undefined) {
      if (Option.isSome(keep) && keep.value < 1) return yield* badUsage("--keep must be at least 1.")
      return yield* make(to, keep, withoutSecrets)
    }
    if (verb !== "verify" || file === undefined || others.length > 0) {
      return yield* badUsage("`pod backup` makes a backup; `pod backup verify <file>` checks a backup.")
    }
    return yield* verify(file)
  })
)

export const restore = leaf(
  "restore",
  {
    summary: "Restore a backup into an empty data directory or an empty database. The pod must not run.",
    examples: ["pod restore pod-20270101T030000000Z.podbackup --data-dir ./restored"]
  },
  { file: Args.text({ name: "file" }).pipe(Args.withDescription("A file that pod backup made.")) },
  Effect.fnUntraced(function* ({ file }) {
    const globals = yield* Globals
    const { progress, settings } = yield* localWork
    const data = yield* localData
    const { hash, manifest, rows } = yield* Effect.mapError(
      data.restoreData(settings, yield* fileExists(file), progress),
      failureOf
    )
    const output = yield* Output
    output.data(
      { created: manifest.created, rows, hash, secrets: manifest.secrets },
      {
        text: ({ created }) =>
          `Restored ${rows} rows from the backup of ${created}. Start the pod: ${startCommand(globals)}`
      }
    )
    if (manifest.secrets.length === 0) {
      output.note(
        `The backup has no secrets. Before you start the pod, put its secrets into ${settings.dataDir}/secrets, or set them as settings.`
      )
    }
  })
)
