/** Secrets the pod makes for itself on its first start, kept beside the data unless the settings bring their own. */
import { FileSystem } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import { Effect, type Option, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { systemCode } from "./FileReasons.ts"

export const secretNames = ["key-pepper", "session-secret"] as const
export type SecretName = (typeof secretNames)[number]

/** Where the pod keeps a secret that no setting brings. */
export const secretPath = (dataDir: string, name: SecretName): string => `${dataDir}/secrets/${name}`

/** On the disk for good, and not only until the power goes. */
const syncFolder = (files: FileSystem.FileSystem, folder: string) =>
  Effect.scoped(Effect.flatMap(files.open(folder), (opened) => opened.sync))

/**
 * The name appears only once the content is complete and on the disk: a process that is killed in between, or a second
 * one that reads at that moment, would otherwise go on with an empty secret.
 */
const writeSecret = (files: FileSystem.FileSystem, path: string) =>
  Effect.gen(function* () {
    const partial = `${path}.${process.pid}`
    const content = Buffer.from(randomBytes(32).toString("base64"))
    yield* Effect.scoped(
      Effect.flatMap(files.open(partial, { flag: "w", mode: 0o600 }), (made) =>
        Effect.zipRight(made.writeAll(content), made.sync)
      )
    )
    yield* Effect.catchIf(
      files.link(partial, path),
      (error) => systemCode(error) === "EEXIST",
      () => Effect.void
    )
    yield* files.remove(partial)
  })

const readSecret = (files: FileSystem.FileSystem, path: string) =>
  Effect.map(files.readFileString(path), (text) => Redacted.make(text.trim()))

/** The secret kept in `<dataDir>/secrets`, if there is one. Fails when there is one that cannot be read. */
export const keptSecret = (
  dataDir: string,
  name: SecretName
): Effect.Effect<Option.Option<Redacted.Redacted>, PlatformError, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (files) =>
    Effect.catchIf(
      Effect.asSome(readSecret(files, secretPath(dataDir, name))),
      (error) => systemCode(error) === "ENOENT",
      () => Effect.succeedNone
    )
  )

/**
 * Makes the secret and keeps it (0600), in a data directory that is there. Two processes that start together end up with
 * the same one: whoever creates the file first wins.
 */
export const makeSecret = (
  dataDir: string,
  name: SecretName
): Effect.Effect<Redacted.Redacted, PlatformError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const folder = `${dataDir}/secrets`
    const path = secretPath(dataDir, name)
    yield* Effect.catchIf(
      files.makeDirectory(folder, { mode: 0o700 }),
      (error) => systemCode(error) === "EEXIST",
      () => Effect.void
    )
    yield* writeSecret(files, path)
    yield* syncFolder(files, folder)
    return yield* readSecret(files, path)
  })
