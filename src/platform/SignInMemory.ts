/** People's sign-in kept in memory: the twin of `layerBetterAuth` for fast tests, held to the same contract suite. */
import { Clock, Context, Effect, Layer, Option, Redacted } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { uuidv7 } from "./Ids.ts"
import { findEmailAddress, isPossiblePassword, PasswordUnacceptable, SessionInvalid } from "./SignIn.ts"
import { SignIn, SignInRefused } from "./SignIn.ts"
import type { PasswordAccount, Session, SignInAttempt } from "./SignIn.ts"
import { makeSignInThrottle } from "./SignInThrottle.ts"

export const memorySessionSeconds = 3600

/** Stands in for the rows the caller would insert or delete in SQL. */
export class MemoryAccounts extends Context.Tag("pod/MemoryAccounts")<
  MemoryAccounts,
  {
    readonly add: (rows: PasswordAccount) => Effect.Effect<void>
    /** Takes the person's sessions along, as the foreign key does. */
    readonly remove: (userId: string) => Effect.Effect<void>
    readonly passwordHash: (userId: string) => Effect.Effect<string | undefined>
    readonly setPasswordHash: (userId: string, hash: string) => Effect.Effect<void>
    /** Ends the person's sessions but one; answers which. */
    readonly endSessions: (userId: string, keptId: string | null) => Effect.Effect<ReadonlyArray<string>>
  }
>() {}

// Fast on purpose: nothing here outlives the process.
const hash = (password: string): string => createHash("sha256").update(password).digest("hex")

const make = Effect.gen(function* () {
  const accounts = new Map<string, PasswordAccount>()
  const sessions = new Map<string, Session>()
  const throttle = yield* makeSignInThrottle
  const endSessionsOf = (userId: string) => {
    for (const [token, session] of sessions) if (session.userId === userId) sessions.delete(token)
  }

  const check = Effect.fn("SignIn.check")(function* (attempt: SignInAttempt) {
    const email = Option.getOrUndefined(findEmailAddress(attempt.email))
    const password = Redacted.value(attempt.password)
    const rows = email === undefined ? undefined : accounts.get(email)
    if (rows === undefined || !isPossiblePassword(password)) return yield* new SignInRefused()
    if (rows.account.password !== hash(password)) return yield* new SignInRefused()
    const now = yield* Clock.currentTimeMillis
    const expiresAt = new Date(now + memorySessionSeconds * 1000)
    const session: Session = { sessionId: uuidv7(), userId: rows.user.id, expiresAt }
    // Two random halves: without the second, which plays the signature, the first finds nothing.
    const token = `${randomBytes(16).toString("hex")}.${randomBytes(32).toString("base64")}`
    sessions.set(token, session)
    return { ...session, token: Redacted.make(token) }
  })

  const signIn = SignIn.of({
    signIn: (attempt) =>
      throttle({ address: attempt.client.address, email: findEmailAddress(attempt.email) }, check(attempt)),
    signOut: (sessionId) =>
      Effect.sync(() => {
        for (const [token, session] of sessions) if (session.sessionId === sessionId) sessions.delete(token)
      }),
    signOutEverywhere: (userId) => Effect.sync(() => endSessionsOf(userId)),
    verify: (token) =>
      Effect.gen(function* () {
        const session = sessions.get(Redacted.value(token))
        const now = yield* Clock.currentTimeMillis
        if (session === undefined || session.expiresAt.getTime() <= now) return yield* new SessionInvalid()
        return session
      }),
    hashPassword: (password) =>
      isPossiblePassword(Redacted.value(password))
        ? Effect.sync(() => hash(Redacted.value(password)))
        : new PasswordUnacceptable(),
    matchesPassword: (known, password) => Effect.sync(() => known === hash(Redacted.value(password)))
  })
  const memoryAccounts = MemoryAccounts.of({
    add: (rows) => Effect.sync(() => void accounts.set(rows.user.email, rows)),
    remove: (userId) =>
      Effect.sync(() => {
        for (const [email, rows] of accounts) if (rows.user.id === userId) accounts.delete(email)
        endSessionsOf(userId)
      }),
    passwordHash: (userId) =>
      Effect.sync(() => [...accounts.values()].find(({ user }) => user.id === userId)?.account.password),
    setPasswordHash: (userId, password) =>
      Effect.sync(() => {
        for (const [email, rows] of accounts) {
          if (rows.user.id === userId) accounts.set(email, { ...rows, account: { ...rows.account, password } })
        }
      }),
    endSessions: (userId, keptId) =>
      Effect.sync(() => {
        const ended = [...sessions].filter(([, each]) => each.userId === userId && each.sessionId !== keptId)
        for (const [token] of ended) sessions.delete(token)
        return ended.map(([, { sessionId }]) => sessionId)
      })
  })
  return Context.make(SignIn, signIn).pipe(Context.add(MemoryAccounts, memoryAccounts))
})

export const layerMemory: Layer.Layer<SignIn | MemoryAccounts> = Layer.effectContext(make)
