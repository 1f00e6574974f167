/** Secrets that the pod makes on its first start and keeps in the data directory, unless the settings provide them. */
import { FileSystem } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import { Effect, type Option, Redacted } from "effect"
import { createHmac, randomBytes } from "node:crypto"
import { systemCode } from "./FileReasons.ts"
import { type SecretValues, secretValuesIn } from "./SecretValues.ts"

export const secretNames = ["key-pepper", "session-secret", "encryption-key"] as const
export type SecretName = (typeof secretNames)[number]

/**
 * Computes a MAC of a fixed text with the secret. The text is used only here, so nobody can use the MAC for anything
 * else.
 */
export const secretMac = (name: SecretName, secret: Redacted.Redacted): Buffer =>
  createHmac("sha256", Redacted.value(secret)).update(`pod secret check: ${name}`).digest()

// the number of bytes of a mark; they are enough to tell the few values of one pod apart
const markBytes = 8

/**
 * Returns the mark of a secret value. The pod stores the mark in each row that was made with this value. The mark is
 * the beginning of the MAC, in hex.
 */
export const markOfMac = (mac: Uint8Array): string => Buffer.from(mac.subarray(0, markBytes)).toString("hex")

export const secretMark = (name: SecretName, secret: Redacted.Redacted): string => markOfMac(secretMac(name, secret))

/** Returns the path of the file in which the pod stores a secret that it has created. */
export const secretPath = (dataDir: string, name: SecretName): string => `${dataDir}/secrets/${name}`

/** Forces the folder's entries to the disk, so that they survive a power loss. */
const syncFolder = (files: FileSystem.FileSystem, folder: string) =>
  Effect.scoped(Effect.flatMap(files.open(folder), (opened) => opened.sync))

/**
 * Writes a secret. The file gets its final name only when its content is complete and on the disk. Otherwise a killed
 * process could leave an empty file, or a second process could read the file while it is still empty.
 */
const writeSecret = Effect.fnUntraced(function* (files: FileSystem.FileSystem, path: string) {
  const partial = `${path}.${process.pid}`
  const content = Buffer.from(randomBytes(32).toString("base64"))
  yield* Effect.scoped(
    Effect.flatMap(files.open(partial, { flag: "w", mode: 0o600 }), (file) =>
      Effect.zipRight(file.writeAll(content), file.sync)
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
  Effect.map(files.readFileString(path), secretValuesIn)

/**
 * Returns the values of the secret in `<dataDir>/secrets`. Returns none if there is no such file. Fails if the file
 * cannot be read.
 */
export const readStoredSecret = (
  dataDir: string,
  name: SecretName
): Effect.Effect<Option.Option<SecretValues>, PlatformError, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (files) =>
    Effect.catchIf(
      Effect.asSome(readSecret(files, secretPath(dataDir, name))),
      (error) => systemCode(error) === "ENOENT",
      () => Effect.succeedNone
    )
  )

/**
 * Makes the secret and stores it (mode 0600) in an existing data directory. If two processes start together, both
 * processes get the secret of the process that creates the file first.
 */
export const makeSecret = (
  dataDir: string,
  name: SecretName
): Effect.Effect<SecretValues, PlatformError, FileSystem.FileSystem> =>
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
