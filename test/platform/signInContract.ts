/** The contract of every layer of SignIn. The tests run in memory, on PGlite and on PostgreSQL. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Redacted, Schema, TestClock } from "effect"
import type { Layer } from "effect"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { EmailAddress, passwordAccount, SessionInvalid, SignIn, SignInRefused } from "../../src/platform/SignIn.ts"
import { PasswordUnacceptable, SignInThrottled } from "../../src/platform/SignIn.ts"
import type { PasswordAccount } from "../../src/platform/SignIn.ts"
import { accountLimit, addressLimit, pairLimit } from "../../src/platform/SignInThrottle.ts"
import { sharedPassword, wrongGuess } from "../support/cheapPassword.ts"

/** The functions with which the pod changes the sign-in tables by its own SQL, and not through the SignIn service. */
export class People extends Context.Tag("test/People")<
  People,
  {
    readonly add: (rows: PasswordAccount) => Effect.Effect<void>
    readonly remove: (userId: string) => Effect.Effect<void>
    /** Makes this session expire now. */
    readonly expire: (sessionId: string) => Effect.Effect<void>
  }
>() {}

/** Adds a person with a password. The default is a new e-mail address. */
export const aPerson = Effect.fn(function* (email = `${uuidv7()}@example.com`) {
  const people = yield* People
  const { hashPassword } = yield* SignIn
  const rows = passwordAccount({
    userId: uuidv7(),
    email: yield* Effect.orDie(Schema.decode(EmailAddress)(email)),
    name: "A Person",
    passwordHash: yield* hashPassword(Redacted.make(sharedPassword)),
    now: new Date()
  })
  yield* people.add(rows)
  return { userId: rows.user.id, email }
})

export const anAttempt = (attempt: { email: string; password?: string; address?: string; userAgent?: string }) => ({
  email: attempt.email,
  password: Redacted.make(attempt.password ?? sharedPassword),
  client: { address: attempt.address ?? "192.0.2.1", userAgent: attempt.userAgent }
})

const errorLine = (error: Error & { readonly _tag: string }) => `${error._tag}: ${error.message}`

/** Returns the failure in one line, as a caller sees it. Fails the test when the work succeeds. */
export const failure = <A, E extends Error & { readonly _tag: string }, R>(work: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(work), errorLine)

const refused = errorLine(new SignInRefused())
const throttledFor = (ms: number) => errorLine(new SignInThrottled({ retryAfterSeconds: ms / 1000 }))
export const invalid = errorLine(new SessionInvalid())

const garbage = [
  ["an empty text", ""],
  ["a single dot", "."],
  ["an API key", "svc_user_x"],
  ["a text of a million characters", "a".repeat(1_000_000)],
  ["a text with letters beyond ASCII", `é${"ж".repeat(31)}.${"A".repeat(43)}=`],
  ["a NUL character", "\0"],
  ["a text with a line break and a header", "a.b\r\nx-pod-client-address: 192.0.2.9"],
  ["a text with broken percent escapes", "%E0%A4%A.%"],
  ["a lone surrogate", "\ud800.a"],
  ["a well-formed token that the pod did not sign", `${"a".repeat(32)}.${"A".repeat(43)}=`]
] as const

export const signInContract = (ground: () => Layer.Layer<SignIn | People>) => {
  const rule = <E>(name: string, test: Effect.Effect<void, E, SignIn | People>) =>
    it.effect(name, () =>
      Effect.provide(
        Effect.suspend(() => test),
        ground()
      )
    )

  describe("refused sign-ins", () => {
    rule(
      "a sign-in of an unknown person gets the same refusal as a wrong password",
      Effect.gen(function* () {
        const { signIn } = yield* SignIn
        const { email } = yield* aPerson()
        const wrong = yield* failure(signIn(anAttempt({ email, password: wrongGuess })))
        const unknown = yield* failure(signIn(anAttempt({ email: "nobody@example.com" })))
        assert.deepStrictEqual(wrong, refused)
        assert.deepStrictEqual(unknown, refused)
      })
    )
    rule(
      "a sign-in with an e-mail address that no account can have gets the same refusal as a wrong password",
      Effect.gen(function* () {
        const { signIn } = yield* SignIn
        for (const email of [
          "",
          "owner",
          "owner@localhost",
          "a@b.co\0",
          "a@b.co\n",
          "ж@example.com",
          "a".repeat(5000)
        ]) {
          assert.strictEqual(yield* failure(signIn(anAttempt({ email }))), refused)
        }
      })
    )
    rule(
      "a sign-in with a password that no account can have gets the same refusal as a wrong password",
      Effect.gen(function* () {
        const { signIn } = yield* SignIn
        const { email } = yield* aPerson()
        for (const password of ["", "short", "x".repeat(129), `${sharedPassword}\0`, `${sharedPassword}\ud800`]) {
          assert.strictEqual(yield* failure(signIn(anAttempt({ email, password }))), refused)
        }
      })
    )
    rule(
      "a new account cannot have a password that a sign-in would not accept",
      Effect.gen(function* () {
        const { hashPassword } = yield* SignIn
        for (const password of ["short", "x".repeat(129), `${sharedPassword}\0`, `${sharedPassword}\udfff`]) {
          const exit = yield* failure(hashPassword(Redacted.make(password)))
          assert.strictEqual(exit, errorLine(new PasswordUnacceptable()))
        }
      })
    )
    for (const [name, token] of garbage) {
      rule(
        `the pod refuses ${name} as a session token`,
        Effect.gen(function* () {
          const { verify } = yield* SignIn
          assert.strictEqual(yield* failure(verify(Redacted.make(token))), invalid)
        })
      )
    }
    rule(
      "a session token without its signature, or with the signature of another token, is invalid",
      Effect.gen(function* () {
        const { signIn, verify } = yield* SignIn
        const { email } = yield* aPerson()
        const one = yield* signIn(anAttempt({ email }))
        const other = yield* signIn(anAttempt({ email }))
        const [secret] = Redacted.value(one.token).split(".")
        const [, signature] = Redacted.value(other.token).split(".")
        for (const forged of [secret ?? "", `${secret}.`, `${secret}.${signature}`, `${secret}.${"A".repeat(43)}=`]) {
          assert.strictEqual(yield* failure(verify(Redacted.make(forged))), invalid)
        }
        assert.strictEqual((yield* verify(one.token)).sessionId, one.sessionId)
      })
    )
    rule(
      "the token of an expired session is invalid",
      Effect.gen(function* () {
        const { signIn, verify } = yield* SignIn
        const { email } = yield* aPerson()
        const { sessionId, token } = yield* signIn(anAttempt({ email }))
        yield* (yield* People).expire(sessionId)
        assert.strictEqual(yield* failure(verify(token)), invalid)
      })
    )
    rule(
      "the sessions of a removed person are invalid at once, and the person cannot sign in",
      Effect.gen(function* () {
        const { signIn, verify } = yield* SignIn
        const { email, userId } = yield* aPerson()
        const { token } = yield* signIn(anAttempt({ email }))
        yield* (yield* People).remove(userId)
        assert.strictEqual(yield* failure(verify(token)), invalid)
        assert.strictEqual(yield* failure(signIn(anAttempt({ email }))), refused)
      })
    )
  })

  describe("limits on sign-in attempts", () => {
    rule(
      "one client cannot try to sign in to many accounts, and the refusal says when the client may try again",
      Effect.gen(function* () {
        const { signIn } = yield* SignIn
        const { email } = yield* aPerson()
        for (let person = 0; person < addressLimit.burst; person++) {
          const exit = yield* failure(signIn(anAttempt({ email: `person${person}@example.com` })))
          assert.strictEqual(exit, refused)
        }
        const throttled = yield* failure(signIn(anAttempt({ email })))
        assert.strictEqual(throttled, throttledFor(addressLimit.refillMs))
        yield* signIn(anAttempt({ email, address: "192.0.2.2" }))
        yield* TestClock.adjust(addressLimit.refillMs)
        yield* signIn(anAttempt({ email }))
      })
    )
    rule(
      "wrong passwords from many clients for one e-mail address have one common limit, whether or not the account exists",
      Effect.gen(function* () {
        const { signIn } = yield* SignIn
        const known = yield* aPerson()
        for (const email of [known.email, "nobody@example.com"]) {
          const attempt = (client: number) =>
            failure(
              signIn(
                anAttempt({
                  email: client % 2 === 0 ? email : email.toUpperCase(),
                  password: wrongGuess,
                  address: `198.51.100.${client}`
                })
              )
            )
          for (let client = 0; client < accountLimit.burst; client++) {
            assert.strictEqual(yield* attempt(client), refused)
          }
          const wait = throttledFor(accountLimit.refillMs)
          assert.strictEqual(yield* attempt(200), wait)
          // Even the right password gets this answer. After so many attempts, the pod does not check passwords for this
          // account.
          assert.strictEqual(yield* failure(signIn(anAttempt({ email, address: "198.51.100.201" }))), wait)
        }
      })
    )
    rule(
      "the limit on sign-in attempts also applies to attempts that arrive at the same moment",
      Effect.gen(function* () {
        const { signIn } = yield* SignIn
        const attempt = failure(signIn(anAttempt({ email: "nobody@example.com" })))
        const failures = yield* Effect.all(
          Array.from({ length: 3 * pairLimit.burst }, () => attempt),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(
          failures.filter((line) => line === refused),
          pairLimit.burst
        )
      })
    )
    rule(
      "a successful sign-in does not count against the limit on sign-in attempts",
      Effect.gen(function* () {
        const { signIn } = yield* SignIn
        const { email } = yield* aPerson()
        for (let time = 0; time < 2 * pairLimit.burst + 1; time++) yield* signIn(anAttempt({ email }))
      })
    )
  })

  describe("sessions of signed-in people", () => {
    rule(
      "a person can sign in with the e-mail address in upper or lower case, and the returned token is valid for the new session",
      Effect.gen(function* () {
        const { signIn, verify } = yield* SignIn
        const { email, userId } = yield* aPerson(`o'neil.b+pod_${uuidv7()}@mail-1.example.co.uk`)
        const signedIn = yield* signIn(anAttempt({ email: ` ${email.toUpperCase()} ` }))
        const { sessionId, expiresAt } = signedIn
        assert.strictEqual(signedIn.userId, userId)
        assert.deepStrictEqual({ ...(yield* verify(signedIn.token)) }, { sessionId, userId, expiresAt })
        assert.notInclude(JSON.stringify(signedIn), Redacted.value(signedIn.token))
      })
    )
    rule(
      "when a person signs out, the session of this request ends at once, and the person's other sessions stay valid",
      Effect.gen(function* () {
        const { signIn, signOut, verify } = yield* SignIn
        const { email } = yield* aPerson()
        const one = yield* signIn(anAttempt({ email }))
        const other = yield* signIn(anAttempt({ email }))
        yield* signOut(one.sessionId)
        yield* signOut(one.sessionId)
        assert.strictEqual(yield* failure(verify(one.token)), invalid)
        assert.strictEqual((yield* verify(other.token)).sessionId, other.sessionId)
      })
    )
    rule(
      "when a person signs out from all devices, all sessions of this person end at once, and sessions of other people stay valid",
      Effect.gen(function* () {
        const { signIn, signOutEverywhere, verify } = yield* SignIn
        const person = yield* aPerson()
        const neighbour = yield* signIn(anAttempt({ email: (yield* aPerson()).email }))
        const sessions = yield* Effect.replicateEffect(signIn(anAttempt({ email: person.email })), 3)
        yield* signOutEverywhere(person.userId)
        for (const { token } of sessions) assert.strictEqual(yield* failure(verify(token)), invalid)
        assert.strictEqual((yield* verify(neighbour.token)).sessionId, neighbour.sessionId)
      })
    )
  })
}
