/**
 * People's sign-in in memory, for fast tests. It does the same as `layerBetterAuth`. The same contract suite checks
 * both layers.
 */
import { Clock, Effect, Layer, Option, Redacted } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { uuidv7 } from "./Ids.ts"
import { MemoryDatabase, memoryTable, type WritableRows } from "./MemoryDatabase.ts"
import { findEmailAddress, isPossiblePassword, PasswordUnacceptable, SessionInvalid } from "./SignIn.ts"
import { SignIn, SignInRefused } from "./SignIn.ts"
import type { PasswordAccount, SignInSession, SignInAttempt } from "./SignIn.ts"
import { makeSignInThrottle } from "./SignInThrottle.ts"

export const memorySessionSeconds = 3600

/** The accounts with a password. The key is the id of the person. */
export const accountTable = memoryTable<PasswordAccount>("auth_accounts", ({ user }) => user.id)

interface KeptSession extends SignInSession {
  readonly token: string
  readonly address: string | null
  readonly userAgent: string | null
  readonly createdAt: Date
}

export const sessionTable = memoryTable<KeptSession>("auth_sessions", ({ token }) => token)

// This hash is fast on purpose. A slow hash is not needed, because the hashes are lost when the process ends.
const hash = (password: string): string => createHash("sha256").update(password).digest("hex")

const make = Effect.gen(function* () {
  const { atomically, rows: current } = yield* MemoryDatabase
  const throttle = yield* makeSignInThrottle
  const end = (isEnded: (session: SignInSession) => boolean) =>
    atomically((rows) =>
      Effect.sync(() => {
        const ended = rows.all(sessionTable).filter(isEnded)
        for (const { token } of ended) rows.remove(sessionTable, token)
      })
    )

  const check = Effect.fnUntraced(function* (attempt: SignInAttempt) {
    const email = Option.getOrUndefined(findEmailAddress(attempt.email))
    const password = Redacted.value(attempt.password)
    const found = (yield* current).all(accountTable).find(({ user }) => user.email === email)
    if (found === undefined || !isPossiblePassword(password)) return yield* new SignInRefused()
    if (found.account.password !== hash(password)) return yield* new SignInRefused()
    const now = yield* Clock.currentTimeMillis
    const expiresAt = new Date(now + memorySessionSeconds * 1000)
    const session: SignInSession = { sessionId: uuidv7(), userId: found.user.id, expiresAt }
    const client = { address: attempt.client.address, userAgent: attempt.client.userAgent ?? null }
    // The token has two random halves, like a token and its signature. Only both halves together are a valid token.
    const token = `${randomBytes(16).toString("hex")}.${randomBytes(32).toString("base64")}`
    yield* atomically((rows) =>
      Effect.sync(() => rows.put(sessionTable, { ...session, ...client, createdAt: new Date(now), token }))
    )
    return { ...session, token: Redacted.make(token) }
  })

  return SignIn.of({
    signIn: (attempt) =>
      throttle({ address: attempt.client.address, email: findEmailAddress(attempt.email) }, check(attempt)),
    signOut: (sessionId) => end((session) => session.sessionId === sessionId),
    signOutEverywhere: (userId) => end((session) => session.userId === userId),
    verify: Effect.fnUntraced(function* (token) {
      const rows = yield* current
      const session = rows.find(sessionTable, Redacted.value(token))
      const now = yield* Clock.currentTimeMillis
      if (session === undefined || session.expiresAt.getTime() <= now) return yield* new SessionInvalid()
      // A session whose account is gone is invalid. In the SQL database, a foreign key ensures this.
      if (rows.find(accountTable, session.userId) === undefined) return yield* new SessionInvalid()
      const { expiresAt, sessionId, userId } = session
      return { expiresAt, sessionId, userId }
    }),
    // tokens in memory are not signed
    secretUse: Effect.succeed({ values: 1, older: 0 }),
    hashPassword: (password) =>
      isPossiblePassword(Redacted.value(password))
        ? Effect.sync(() => hash(Redacted.value(password)))
        : new PasswordUnacceptable(),
    matchesPassword: (known, password) => Effect.sync(() => known === hash(Redacted.value(password)))
  })
})

export const layerMemory: Layer.Layer<SignIn, never, MemoryDatabase> = Layer.effect(SignIn, make)

/** Ends all sessions of a person and returns their ids. If `keptId` is given, the session with this id stays open. */
export const endSessions = (rows: WritableRows, personId: string, keptId: string | null): ReadonlyArray<string> => {
  const ended = rows.all(sessionTable).filter(({ sessionId, userId }) => userId === personId && sessionId !== keptId)
  for (const { token } of ended) rows.remove(sessionTable, token)
  return ended.map(({ sessionId }) => sessionId)
}
