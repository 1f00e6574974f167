/** The sign-ins of this user: one profile for each pod, in a file that only this user can read. */
import { FileSystem } from "@effect/platform"
import { Effect, Schema } from "effect"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import { systemCode, unreadableReason, unwritableReason } from "../platform/FileReasons.ts"
import { makeFolder } from "../platform/MakeFolder.ts"
import { chosenName } from "./ChosenRow.ts"
import { badConfiguration, CliFailure } from "./CliFailure.ts"

const Profile = Schema.Struct({
  url: Schema.String,
  token: Schema.optional(Schema.String),
  email: Schema.optional(Schema.String),
  expiresAt: Schema.optional(Schema.String)
})
export type Profile = typeof Profile.Type

const StoredProfiles = Schema.Struct({
  current: Schema.NullOr(Schema.String),
  profiles: Schema.Record({ key: Schema.String, value: Profile })
})
export type StoredProfiles = typeof StoredProfiles.Type

const decode = Schema.decodeUnknown(Schema.parseJson(StoredProfiles))
const empty: StoredProfiles = { current: null, profiles: {} }

/** Returns the path of the file with the sign-ins, below `$XDG_CONFIG_HOME`. */
export const credentialsPath = (): string => {
  const base = process.env["XDG_CONFIG_HOME"]
  return join(base === undefined || base === "" ? join(homedir(), ".config") : base, "pod", "credentials.json")
}

const damagedFile = (path: string) =>
  badConfiguration(`${path} is damaged.`, "Delete it and sign in again with `pod login`.")

const isMissing = (error: unknown) => ["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")

/** Reads the file with the stored sign-ins. Fails if other users of this machine can read it. */
const readPrivate = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const { mode } = yield* files.stat(path)
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    return yield* badConfiguration(
      `Other users of this machine can read ${path}.`,
      `Run: chmod 600 ${path}. If somebody might have read the session in this file, then run \`pod logout\` and sign in again.`
    )
  }
  return yield* files.readFileString(path)
})

/**
 * Reads the stored sign-ins. Returns no sign-ins if there is no file. Refuses a file that others can read, because the
 * file gives access to the pod.
 */
export const readCredentials: Effect.Effect<StoredProfiles, CliFailure, FileSystem.FileSystem> = Effect.suspend(() => {
  const path = credentialsPath()
  return readPrivate(path).pipe(
    Effect.flatMap((text) => Effect.mapError(decode(text), () => damagedFile(path))),
    Effect.catchAll((failure) => {
      if (failure instanceof CliFailure) return failure
      return isMissing(failure)
        ? Effect.succeed(empty)
        : badConfiguration(`${path} cannot be read: ${unreadableReason(failure)}.`)
    })
  )
})

/**
 * Writes the sign-ins to a draft file, and then gives the draft the name of the file. If the write fails, the file
 * stays as it was.
 */
export const writeCredentials = (stored: StoredProfiles): Effect.Effect<void, CliFailure, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const path = credentialsPath()
    const draft = `${path}.${process.pid}`
    yield* Effect.gen(function* () {
      yield* Effect.try(() => makeFolder(dirname(path), 0o700))
      yield* files.writeFileString(draft, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 })
      yield* files.chmod(draft, 0o600)
      yield* files.rename(draft, path)
    }).pipe(
      Effect.tapError(() => Effect.ignore(files.remove(draft, { force: true }))),
      Effect.mapError((error) => badConfiguration(`${path} cannot be written: ${unwritableReason(error)}.`))
    )
  })

/** Makes the default name of the profile for a pod: the host in its address. */
export const profileNameOf = (url: string): string => new URL(url).host

/** Finds a stored sign-in by the name that a person typed. */
export const storedProfile = (
  { profiles }: StoredProfiles,
  text: string
): Effect.Effect<{ readonly name: string; readonly profile: Profile }, CliFailure> =>
  Effect.flatMap(
    chosenName(Object.keys(profiles), text, {
      noun: "profile",
      seeAll: "To see the profiles, run `pod profile list`. To make a profile, run `pod login`."
    }),
    (name) => Effect.map(Effect.orDie(Effect.fromNullable(profiles[name])), (profile) => ({ name, profile }))
  )
