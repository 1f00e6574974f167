/** The sign-ins of this user: one profile for each pod, in a file that only this user can read. */
import { Effect, Either, Schema } from "effect"
import { chmodSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import { makeFolder } from "../platform/MakeFolder.ts"
import { badConfiguration, type CliFailure } from "./CliFailure.ts"

const Profile = Schema.Struct({
  url: Schema.String,
  token: Schema.optional(Schema.String),
  email: Schema.optional(Schema.String),
  expiresAt: Schema.optional(Schema.String)
})
export type Profile = typeof Profile.Type

const Stored = Schema.Struct({
  current: Schema.NullOr(Schema.String),
  profiles: Schema.Record({ key: Schema.String, value: Profile })
})
export type Stored = typeof Stored.Type

const decode = Schema.decodeUnknownEither(Schema.parseJson(Stored))
const empty: Stored = { current: null, profiles: {} }

/** Returns the path of the file with the sign-ins, below `$XDG_CONFIG_HOME`. */
export const credentialsPath = (): string => {
  const base = process.env["XDG_CONFIG_HOME"]
  return join(base === undefined || base === "" ? join(homedir(), ".config") : base, "pod", "credentials.json")
}

/**
 * Reads the stored sign-ins. Returns no sign-ins if there is no file. Refuses a file that others can read, because the
 * file gives access to the pod.
 */
export const readCredentials: Effect.Effect<Stored, CliFailure> = Effect.suspend(() => {
  const path = credentialsPath()
  let text: string
  try {
    const { mode } = statSync(path)
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      return Effect.fail(
        badConfiguration(
          `Other users of this machine can read ${path}.`,
          `Run: chmod 600 ${path}. If they may have read the session in this file, then run pod logout and sign in again.`
        )
      )
    }
    text = readFileSync(path, "utf8")
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException // only system calls can fail in the code above, so the cause has a code
    return code === "ENOENT" || code === "ENOTDIR"
      ? Effect.succeed(empty)
      : Effect.fail(badConfiguration(`${path} cannot be read (${code}).`))
  }
  const stored = decode(text)
  return Either.isRight(stored)
    ? Effect.succeed(stored.right)
    : Effect.fail(badConfiguration(`${path} is damaged.`, "Delete it and sign in again with pod login."))
})

/** Writes the sign-ins to the file, whole or not at all. */
export const writeCredentials = (stored: Stored): Effect.Effect<void, CliFailure> =>
  Effect.suspend(() => {
    const path = credentialsPath()
    const draft = `${path}.${process.pid}`
    try {
      makeFolder(dirname(path), 0o700)
      writeFileSync(draft, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 })
      chmodSync(draft, 0o600)
      renameSync(draft, path)
      return Effect.void
    } catch (cause) {
      rmSync(draft, { force: true })
      const { code } = cause as NodeJS.ErrnoException // only system calls can fail in the code above, so the cause has a code
      return Effect.fail(badConfiguration(`${path} cannot be written (${code}).`))
    }
  })

/** Makes the default name of the profile for a pod: the host in its address. */
export const profileNameOf = (url: string): string => new URL(url).host
