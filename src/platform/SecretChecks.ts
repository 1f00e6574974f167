/**
 * Checks the secrets before the pod serves requests. They must be the secrets with which the database was used before.
 */
import { SqlClient } from "@effect/sql"
import { Data, Effect, Option, Redacted } from "effect"
import { timingSafeEqual } from "node:crypto"
import { basename, dirname } from "node:path"
import { ensureDirectory } from "./DataDirectory.ts"
import { unreadableReason, unwritableReason } from "./FileReasons.ts"
import { makeSecret, markOfMac, readStoredSecret, secretMac, type SecretName, secretPath } from "./Secrets.ts"
import type { SecretValues } from "./SecretValues.ts"
import { shownPath } from "./ShownPath.ts"
import { step } from "./StartSteps.ts"

/** A secret is missing, or it differs from the secret with which the database was used before. Nothing was changed. */
export class SecretUnfit extends Data.TaggedError("SecretUnfit")<{
  readonly message: string
  /** True if the secret does not exist. The data is then incomplete. */
  readonly isMissing?: boolean
}> {}

export interface SecretSource {
  readonly dataDir: string
  readonly keyPepper: Option.Option<SecretValues>
  readonly sessionSecret: Option.Option<SecretValues>
  readonly encryptionKey: Option.Option<SecretValues>
  /** Whether the pod accepts secrets that differ from the secrets with which the database was used before. */
  readonly takesNew: boolean
}

// the minimum number of characters of a secret; if the file has a shorter secret, the file was cut off
const lengthMin = 32

const facts = {
  "key-pepper": { setting: "POD_KEY_PEPPER", lost: "every key made so far" },
  "session-secret": { setting: "POD_SESSION_SECRET", lost: "every session made so far" },
  "encryption-key": { setting: "POD_ENCRYPTION_KEY", lost: "every stored secret that no recovery key opens" }
} as const satisfies Record<SecretName, unknown>

/**
 * Tells the operator to keep a copy of the encryption key, and what is lost without the key. The pod says so when it
 * makes the key, because people who read it after a loss read it too late.
 */
const adviseCopy = (path: string): Effect.Effect<void> =>
  step(
    "secrets",
    `Secrets: made in ${shownPath(dirname(path))}. Keep a copy elsewhere: without the file ${basename(path)}, you lose ${facts["encryption-key"].lost}.`,
    { path }
  )

const secretsOf = (sql: SqlClient.SqlClient, { dataDir, takesNew }: SecretSource) => {
  const knownMac = (name: SecretName) =>
    Effect.map(
      sql<{ readonly mac: Uint8Array }>`SELECT mac FROM secret_checks WHERE name = ${name}`,
      ([row]) => row?.mac
    )

  /**
   * Returns true if the database has keys or sessions that a new secret would make useless. The pod calls this function
   * only if the database has no recorded check value (MAC) of the secret.
   */
  const isUsed = (name: SecretName) =>
    // If the database has no recorded check value (MAC) of the encryption key, the pod has not encrypted anything with
    // it yet.
    name === "encryption-key"
      ? Effect.succeed(false)
      : Effect.map(
          name === "key-pepper"
            ? sql`SELECT FROM api_keys LIMIT 1`
            : sql`SELECT FROM auth_sessions WHERE expires_at > now() LIMIT 1`,
          (rows) => rows.length > 0
        )

  /**
   * Records the MAC if none is recorded yet. Returns the recorded MAC. If several nodes start together, only the first
   * node records its MAC.
   */
  const recorded = (name: SecretName, secret: Redacted.Redacted) =>
    Effect.zipRight(
      sql`INSERT INTO secret_checks (name, mac) VALUES (${name}, ${secretMac(name, secret)}) ON CONFLICT (name) DO NOTHING`,
      knownMac(name)
    )

  const replace = (name: SecretName, secret: Redacted.Redacted, former: Uint8Array) =>
    sql`
      UPDATE secret_checks SET mac = ${secretMac(name, secret)}, recorded_at = now()
      WHERE name = ${name} AND mac = ${Buffer.from(former)}`

  const remedy = (name: SecretName) => {
    const { lost, setting } = facts[name]
    return `Restore ${secretPath(dataDir, name)} from the same backup as the database, or set ${setting} to the value that the database was used with, or to a list with this value, such as new,former (all pods of one database use the same values). To give up ${lost}, start once with POD_NEW_SECRETS=accept.`
  }

  const readSecret = (name: SecretName) =>
    Effect.mapError(
      readStoredSecret(dataDir, name),
      (error) =>
        new SecretUnfit({
          message: `The secret in ${secretPath(dataDir, name)} cannot be used: ${unreadableReason(error)}. Let the system user of the pod read it. ${remedy(name)}`
        })
    )

  const createSecret = (name: SecretName) =>
    Effect.zipRight(
      ensureDirectory(dataDir),
      Effect.mapError(
        makeSecret(dataDir, name),
        (error) =>
          new SecretUnfit({
            message: `The pod cannot store a new secret in ${secretPath(dataDir, name)}: ${unwritableReason(error)}. Let the system user of the pod write there, or set ${facts[name].setting}.`
          })
      ).pipe(Effect.tap(name === "encryption-key" ? adviseCopy(secretPath(dataDir, name)) : Effect.void))
    )

  return Effect.fnUntraced(function* (name: SecretName, givenValues: Option.Option<SecretValues>) {
    const { setting } = facts[name]
    const found = Option.getOrUndefined(Option.isSome(givenValues) ? givenValues : yield* readSecret(name))
    const where = Option.isSome(givenValues) ? setting : secretPath(dataDir, name)
    const short = found?.map(Redacted.value).find((value) => value.length < lengthMin)
    if (short !== undefined) {
      const state = short === "" ? "empty" : "cut off"
      return yield* new SecretUnfit({ message: `The secret in ${where} is ${state}. ${remedy(name)}` })
    }
    const known = yield* knownMac(name)
    if (found === undefined && !takesNew && (known !== undefined || (yield* isUsed(name)))) {
      return yield* new SecretUnfit({
        message: `The database was used with a secret that is missing: ${secretPath(dataDir, name)} does not exist and ${setting} is not set. ${remedy(name)}`,
        isMissing: true
      })
    }
    const values = found ?? (yield* createSecret(name))
    const [first, ...former] = values
    const expected = known ?? (yield* recorded(name, first))
    if (expected === undefined) return yield* Effect.dieMessage(`the check of the ${name} was not recorded`)
    const isExpected = (secret: Redacted.Redacted) => timingSafeEqual(secretMac(name, secret), expected)
    // `mark_secret` gives each row without a mark the mark of the value that the database uses. The pod does not call
    // it if the setting still has former values and the database already uses the first value. In this case, an older
    // version of the pod might still run with a former value and add rows without a mark. These rows need the former
    // value, so they must not get the mark of the first value.
    if (former.length === 0 || !isExpected(first)) yield* sql`SELECT mark_secret(${name}, ${markOfMac(expected)})`
    if (isExpected(first)) return values
    if (former.some(isExpected)) {
      yield* replace(name, first, expected)
      yield* Effect.logInfo(`The database now uses a new ${name}. The former value still opens what was made with it.`)
      return values
    }
    if (!takesNew) {
      return yield* new SecretUnfit({
        message: `The secret in ${where} is not the one that this database was used with. ${remedy(name)}`
      })
    }
    yield* replace(name, first, expected)
    yield* Effect.logWarning(`The database now uses a new ${name}: ${facts[name].lost} has become useless.`)
    return values
  })
}

/**
 * Returns the secrets from the settings. If the settings have no secrets, it returns the secrets in the data directory.
 * If the database was never used with any secrets, it makes new secrets.
 */
export const establishSecrets = Effect.fnUntraced(function* (source: SecretSource) {
  const establish = secretsOf(yield* SqlClient.SqlClient, source)
  return {
    peppers: yield* establish("key-pepper", source.keyPepper),
    sessionSecrets: yield* establish("session-secret", source.sessionSecret),
    encryptionKeys: yield* establish("encryption-key", source.encryptionKey)
  }
})
