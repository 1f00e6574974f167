/** The sign-in of people, by the library better-auth 1.7.5. The tables of the library are in the pod's own database. */
import type { BetterAuthOptions } from "better-auth"
import { Effect, Layer, Option, Redacted, Runtime, Schema } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"
import { isIP } from "node:net"
import type pg from "pg"
import { recordingPool, callLibrary } from "./DriverFailures.ts"
import { hashedSessions } from "./HashedSessions.ts"
import { uuidv7 } from "./Ids.ts"
import { secretMark } from "./Secrets.ts"
import { findEmailAddress, isPossiblePassword, PasswordUnacceptable, SessionInvalid } from "./SignIn.ts"
import { SignIn, SignInRefused } from "./SignIn.ts"
import type { NewSignIn, SignInAttempt } from "./SignIn.ts"
import { makeSignInThrottle } from "./SignInThrottle.ts"

// the minimum number of characters of a secret; a random secret of this length in hex has 128 bits
const secretLengthMin = 32
// the minimum number of different characters in a secret; 32 random hex characters contain about 14, `changeme`
// contains 7
const secretDistinctMin = 8
// the maximum number of hashes at a time; each hash takes 32 MB and one of the four threads of libuv, which files and
// DNS need too
const hashesAtOnce = 2
// the maximum number of characters of a user agent that the pod stores; people see the user agent in the list of their
// sessions
const userAgentMax = 300

// The pod sets this header from `client.address` for each attempt, and never copies it from a request.
const clientAddressHeader = "x-pod-client-address"

// A signed token has 32 letters and digits, a dot, and an HMAC-SHA-256 in base64. The pod refuses any other text, so
// such a text reaches neither better-auth nor a `Headers` object.
const signedTokenForm = /^[A-Za-z0-9]{32}\.[A-Za-z0-9+/]{43}=$/

/**
 * If no account can have the sent password, the pod hashes this text instead. So this refusal takes as long as every
 * other refusal, and its duration reveals nothing.
 */
const decoyPassword = "no account has this one"

const timestamps = { createdAt: "created_at", updatedAt: "updated_at" }

/** The tables of the models of better-auth, which `migrations/0002_sign_in.sql` creates. */
export const authTables = {
  user: { modelName: "auth_users", fields: { emailVerified: "email_verified", ...timestamps } },
  session: {
    modelName: "auth_sessions",
    fields: {
      userId: "user_id",
      expiresAt: "expires_at",
      ipAddress: "ip_address",
      userAgent: "user_agent",
      ...timestamps
    }
  },
  account: {
    modelName: "auth_accounts",
    fields: {
      userId: "user_id",
      accountId: "account_id",
      providerId: "provider_id",
      accessToken: "access_token",
      refreshToken: "refresh_token",
      idToken: "id_token",
      accessTokenExpiresAt: "access_token_expires_at",
      refreshTokenExpiresAt: "refresh_token_expires_at",
      ...timestamps
    }
  },
  verification: { modelName: "auth_verifications", fields: { expiresAt: "expires_at", ...timestamps } }
} satisfies Pick<BetterAuthOptions, "user" | "session" | "account" | "verification">

export interface BetterAuthSettings {
  /** The pod's own pool of database connections. The caller closes the pool. */
  readonly pool: pg.Pool
  readonly secret: Redacted.Redacted
  /** Former secrets. A session that was signed with a former secret stays valid. Default: none. */
  readonly formerSecrets?: ReadonlyArray<Redacted.Redacted>
  readonly baseUrl: string
  readonly sessionSeconds: number
}

/** The secret is too short or too easy to guess. The library better-auth would only warn about such a secret. */
export class SecretTooWeak extends Schema.TaggedError<SecretTooWeak>()("SecretTooWeak", {}) {
  override get message() {
    return (
      `The session secret is easy to guess: it must have at least ${secretLengthMin} random characters. ` +
      "Make one with `openssl rand -base64 32`."
    )
  }
}

type Log = (message: string) => void

/**
 * Imports better-auth at first use, because the import takes 180 ms (Node 20, two busy cores). So a start without a
 * sign-in does not wait for it. The pod imports the minimal build, which has no unused adapters. The full build takes
 * 300 ms.
 */
const startLibrary = async (settings: BetterAuthSettings, log: Log) => {
  const [{ betterAuth }, { bearer }, { getAdapter }, { PostgresDialect }] = await Promise.all([
    import("better-auth/minimal"),
    import("better-auth/plugins/bearer"),
    import("better-auth/db/adapter"),
    import("kysely")
  ])
  const options = {
    // The secret is given as a list, because the environment variable `BETTER_AUTH_SECRETS` would have priority over a
    // single `secret`.
    secrets: [{ version: 1, value: Redacted.value(settings.secret) }],
    baseURL: settings.baseUrl,
    ...authTables,
    session: {
      ...authTables.session,
      // This field says which secret has signed a session. With it, the operator sees when no session needs a former
      // secret.
      additionalFields: {
        secretMark: {
          type: "string",
          required: false,
          input: false,
          returned: false,
          fieldName: "secret_mark",
          defaultValue: secretMark("session-secret", settings.secret)
        }
      },
      expiresIn: settings.sessionSeconds,
      // The pod never extends a session. So the check of a session writes nothing, and a stolen token expires at a
      // known time.
      disableSessionRefresh: true,
      cookieCache: { enabled: false }
    },
    account: { ...authTables.account, encryptOAuthTokens: true },
    emailAndPassword: { enabled: true, disableSignUp: true },
    plugins: [bearer({ requireSignature: true })],
    advanced: {
      database: { generateId: () => uuidv7() },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] }
    },
    telemetry: { enabled: false },
    logger: {
      level: "error",
      // Logs only the kind of the failure, because driver errors can quote values.
      log: (_level, message, ...details: Array<unknown>) =>
        log([message, ...details.filter((detail) => detail instanceof Error).map(kindOfError)].join(": "))
    }
  } satisfies BetterAuthOptions
  const adapter = await getAdapter({
    ...options,
    database: { dialect: new PostgresDialect({ pool: recordingPool(settings.pool) }), type: "postgres" }
  })
  const auth = betterAuth({ ...options, database: () => hashedSessions(adapter) })
  const { password, adapter: hashed } = await auth.$context
  return { api: auth.api, hash: password.hash, matches: password.verify, adapter: hashed }
}

const kindOfError = (error: Error): string =>
  "code" in error && typeof error.code === "string" ? `${error.name} ${error.code}` : error.name

const bearerHeaders = (token: string) => new Headers({ authorization: `Bearer ${token}` })

const attemptHeaders = ({ address, userAgent }: SignInAttempt["client"]): Headers => {
  const headers = new Headers()
  if (isIP(address) !== 0) headers.set(clientAddressHeader, address)
  // All characters outside printable ASCII are replaced, because `Headers` throws on characters outside Latin-1.
  if (userAgent !== undefined)
    headers.set("user-agent", userAgent.slice(0, userAgentMax).replaceAll(/[^\x20-\x7e]/g, "?"))
  return headers
}

const isUnauthorized = (cause: unknown): boolean =>
  typeof cause === "object" && cause !== null && "statusCode" in cause && cause.statusCode === 401

/** Signs a session as better-auth does: HMAC-SHA-256 of the token in base64. */
const signatureOf = (token: string, secret: Redacted.Redacted): string =>
  createHmac("sha256", Redacted.value(secret)).update(token).digest("base64")

/**
 * Signs a session again with the present secret if a former secret has signed it, because better-auth accepts only one
 * secret. Returns every other text unchanged.
 */
const signedNow = (text: string, { formerSecrets = [], secret }: BetterAuthSettings): string => {
  const [token = "", signature = ""] = text.split(".")
  const isSignedWith = (former: Redacted.Redacted) => {
    const expected = Buffer.from(signatureOf(token, former))
    const given = Buffer.from(signature)
    return expected.length === given.length && timingSafeEqual(expected, given)
  }
  return formerSecrets.some(isSignedWith) ? `${token}.${signatureOf(token, secret)}` : text
}

const isStrong = (secret: string): boolean =>
  secret.length >= secretLengthMin && new Set(secret).size >= secretDistinctMin

/**
 * Sign-in with better-auth. Fails with `SecretTooWeak` before anything is opened. If the database does not answer, a
 * call ends with a defect and not with `SignInRefused` or `SessionInvalid`. Otherwise an outage would look like a
 * revoked session.
 */
export const layerBetterAuth = (settings: BetterAuthSettings): Layer.Layer<SignIn, SecretTooWeak> =>
  Layer.effect(
    SignIn,
    Effect.gen(function* () {
      const secrets = [settings.secret, ...(settings.formerSecrets ?? [])]
      if (!secrets.map(Redacted.value).every(isStrong)) return yield* new SecretTooWeak()
      const runFork = Runtime.runFork(yield* Effect.runtime())
      const log: Log = (message) => void runFork(Effect.logError(`sign-in: ${message}`))
      // The import cannot be interrupted. Otherwise, if the first caller disconnects, the interruption would be cached
      // as the result for all later callers.
      const library = yield* Effect.cached(Effect.uninterruptible(Effect.promise(() => startLibrary(settings, log))))
      const hashing = yield* Effect.makeSemaphore(hashesAtOnce)
      const throttle = yield* makeSignInThrottle

      const verify = Effect.fnUntraced(function* (token: Redacted.Redacted) {
        const text = Redacted.value(token)
        if (!signedTokenForm.test(text)) return yield* new SessionInvalid()
        const { api } = yield* library
        const found = yield* callLibrary(() => api.getSession({ headers: bearerHeaders(signedNow(text, settings)) }))
        if (found === null) return yield* new SessionInvalid()
        return { sessionId: found.session.id, userId: found.session.userId, expiresAt: found.session.expiresAt }
      })

      const signOut = Effect.fnUntraced(function* (sessionId: string) {
        const { adapter } = yield* library
        // `api.signOut` is not used, because it reports success even when the database refuses the deletion.
        const where = [{ field: "id", value: sessionId }]
        yield* callLibrary(() => adapter.deleteMany({ model: "session", where }))
      })

      const secretUse = Effect.gen(function* () {
        const { adapter } = yield* library
        const where = [
          { field: "secretMark", operator: "ne" as const, value: secretMark("session-secret", settings.secret) },
          { field: "expiresAt", operator: "gt" as const, value: new Date() }
        ]
        return { values: secrets.length, older: yield* callLibrary(() => adapter.count({ model: "session", where })) }
      })

      const signOutEverywhere = Effect.fnUntraced(function* (userId: string) {
        const { adapter } = yield* library
        const where = [{ field: "userId", value: userId }]
        yield* callLibrary(() => adapter.deleteMany({ model: "session", where }))
      })

      // The fiber must not be interrupted while it holds a permit of the semaphore, because scrypt continues to run
      // after its fiber ends. Too many hashes could then run at the same time.
      const hash = Effect.fnUntraced(function* (password: string) {
        const { hash: scrypt } = yield* library
        return yield* hashing.withPermits(1)(Effect.uninterruptible(Effect.promise(() => scrypt(password))))
      })

      const check = Effect.fnUntraced(function* (email: string, password: string, headers: Headers) {
        const { api } = yield* library
        const body = { email, password }
        const attempt = callLibrary(
          () => api.signInEmail({ body, headers, returnHeaders: true }).then(Option.some),
          (cause) => (isUnauthorized(cause) ? Option.none() : undefined)
        )
        const answer = yield* hashing.withPermits(1)(Effect.uninterruptible(attempt))
        if (Option.isNone(answer)) return yield* new SignInRefused()
        const token = Redacted.make(answer.value.headers.get("set-auth-token") ?? "")
        // The answer of better-auth has neither the session id nor the expiry, so the pod reads the session again. If
        // the session is missing, somebody has ended it since the sign-in.
        const session = yield* Effect.mapError(verify(token), () => new SignInRefused())
        return { ...session, token } satisfies NewSignIn
      })

      const signIn = Effect.fnUntraced(function* (attempt: SignInAttempt) {
        const email = findEmailAddress(attempt.email)
        const password = Redacted.value(attempt.password)
        const work =
          Option.isSome(email) && isPossiblePassword(password)
            ? check(email.value, password, attemptHeaders(attempt.client))
            : Effect.zipRight(hash(decoyPassword), new SignInRefused())
        return yield* throttle({ address: attempt.client.address, email }, work)
      })

      const hashPassword = Effect.fnUntraced(function* (password: Redacted.Redacted) {
        const text = Redacted.value(password)
        if (!isPossiblePassword(text)) return yield* new PasswordUnacceptable()
        return yield* hash(text)
      })

      const matchesPassword = Effect.fnUntraced(function* (known: string, password: Redacted.Redacted) {
        const text = Redacted.value(password)
        const { matches } = yield* library
        if (!isPossiblePassword(text)) return false
        const compared = Effect.promise(() => matches({ hash: known, password: text }))
        return yield* hashing.withPermits(1)(Effect.uninterruptible(compared))
      })

      return { signIn, signOut, signOutEverywhere, verify, secretUse, hashPassword, matchesPassword }
    })
  )
