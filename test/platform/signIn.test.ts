/** The sign-in of people in memory, on PGlite and on PostgreSQL, and the content of the sign-in tables. */

import type { PGlite } from "@electric-sql/pglite"
import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest"
import { getMigrations } from "better-auth/db/migration"
import { Cause, Effect, Exit, Layer, Redacted, TestClock } from "effect"
import { PostgresDialect } from "kysely"
import crypto, { createHmac, randomBytes } from "node:crypto"
import { syncBuiltinESMExports } from "node:module"
import pg from "pg"
import { embeddedConfig } from "../../src/platform/EmbeddedConfig.ts"
import { authTables, layerBetterAuth, SecretTooWeak } from "../../src/platform/BetterAuth.ts"
import { SignIn } from "../../src/platform/SignIn.ts"
import { MemoryDatabase } from "../../src/platform/MemoryDatabase.ts"
import { accountTable, layerMemory, memorySessionSeconds } from "../../src/platform/SignInMemory.ts"
import { sharedPassword } from "../support/cheapPassword.ts"
import { anEmbedded } from "../support/pgliteImage.ts"
import { aDatabaseOn, describePostgres } from "../support/postgres.ts"
import { anAttempt, aPerson, failure, invalid, People, signInContract } from "./signInContract.ts"

const sessionSeconds = 7200
const secret = randomBytes(32).toString("hex")
const tables = ["auth_users", "auth_sessions", "auth_accounts", "auth_verifications"]

const settings = (pool: pg.Pool) => ({
  pool,
  secret: Redacted.make(secret),
  baseUrl: "http://127.0.0.1:1",
  sessionSeconds
})

/**
 * Makes a session token from `raw`, signed as the library signs it. `raw` is the secret of a session, or the hash that
 * the pod stores for it.
 */
const signed = (raw: string) => Redacted.make(`${raw}.${createHmac("sha256", secret).update(raw).digest("base64")}`)

const inMemory = Layer.effect(
  People,
  Effect.map(MemoryDatabase, ({ atomically }) => ({
    add: (account) => atomically((rows) => Effect.sync(() => rows.put(accountTable, account))),
    remove: (userId) => atomically((rows) => Effect.sync(() => rows.remove(accountTable, userId))),
    expire: () => TestClock.adjust(memorySessionSeconds * 1000)
  }))
).pipe(Layer.provideMerge(layerMemory), Layer.provide(MemoryDatabase.layer))

/**
 * Runs one statement on a client of the pool. After a refused statement `pool.query` would end the connection, and the
 * embedded database does not survive that.
 */
const query = async (pool: pg.Pool, text: string, values: Array<unknown> = []) => {
  const client = await pool.connect()
  return client.query<Record<string, unknown>>(text, values).finally(() => client.release())
}

const insert = (pool: pg.Pool, table: string, row: Record<string, unknown>) => {
  const columns = Object.keys(row)
  const text = `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map((_, index) => `$${index + 1}`).join(", ")})`
  return Effect.promise(() => query(pool, text, Object.values(row)))
}

const inSql = (pool: pg.Pool) =>
  Layer.merge(
    Layer.orDie(layerBetterAuth(settings(pool))),
    Layer.succeed(People, {
      add: ({ account, user }) =>
        Effect.zipRight(insert(pool, "auth_users", user), insert(pool, "auth_accounts", account)),
      remove: (userId) => Effect.promise(() => query(pool, "DELETE FROM auth_users WHERE id = $1", [userId])),
      expire: (sessionId) =>
        Effect.promise(() => query(pool, "UPDATE auth_sessions SET expires_at = now() WHERE id = $1", [sessionId]))
    })
  )

const sqlSuite = (pool: () => pg.Pool) => {
  const rule = <E>(name: string, test: Effect.Effect<void, E, SignIn | People>) =>
    it.effect(name, () =>
      Effect.provide(
        Effect.suspend(() => test),
        inSql(pool())
      )
    )
  const rows = (text: string, values: Array<unknown> = []) =>
    Effect.map(
      Effect.promise(() => query(pool(), text, values)),
      (result) => result.rows
    )
  const dump = Effect.map(
    Effect.forEach(tables, (table) => rows(`SELECT * FROM ${table}`)),
    (content) => JSON.stringify(content)
  )

  signInContract(() => inSql(pool()))

  it.effect("a session that was signed with a former secret is valid exactly as long as the pod has this secret", () =>
    Effect.gen(function* () {
      const [present, former] = [randomBytes(32).toString("hex"), randomBytes(32).toString("hex")]
      const signingWith = (first: string, ...others: ReadonlyArray<string>) =>
        Layer.orDie(
          layerBetterAuth({
            ...settings(pool()),
            secret: Redacted.make(first),
            formerSecrets: others.map((each) => Redacted.make(each))
          })
        )
      const signedIn = (email: string) => Effect.flatMap(SignIn, ({ signIn }) => signIn(anAttempt({ email })))
      const { email } = yield* aPerson()
      const before = yield* Effect.provide(signedIn(email), signingWith(former))
      yield* Effect.gen(function* () {
        const { secretUse, verify } = yield* SignIn
        const { older } = yield* secretUse
        assert.isAtLeast(older, 1)
        assert.strictEqual((yield* verify(before.token)).sessionId, before.sessionId)
        const after = yield* signedIn(email)
        assert.deepStrictEqual(yield* secretUse, { values: 2, older })
        assert.strictEqual((yield* verify(after.token)).sessionId, after.sessionId)
        const [raw = "", signature = ""] = Redacted.value(before.token).split(".")
        const otherRaw = Redacted.value(after.token).split(".")[0]
        for (const forged of [`${otherRaw}.${signature}`, `${raw}.${signed(raw).pipe(Redacted.value).split(".")[1]}`]) {
          assert.strictEqual(yield* failure(verify(Redacted.make(forged))), invalid)
        }
        yield* Effect.provide(
          Effect.gen(function* () {
            const alone = yield* SignIn
            assert.strictEqual((yield* alone.verify(after.token)).sessionId, after.sessionId)
            assert.strictEqual(yield* failure(alone.verify(before.token)), invalid)
          }),
          signingWith(present)
        )
      }).pipe(Effect.provide(signingWith(present, former)))
    }).pipe(Effect.provide(inSql(pool())))
  )

  rule(
    "after a sign-in, neither the token nor the password is in the database or in the output of the process",
    Effect.gen(function* () {
      const written: Array<string> = []
      const spies = (["log", "info", "warn", "error", "debug"] as const).map((level) =>
        vi.spyOn(console, level).mockImplementation((...line) => void written.push(line.map(String).join(" ")))
      )
      const { signIn, verify } = yield* SignIn
      const { email } = yield* aPerson()
      const { token } = yield* signIn(anAttempt({ email }))
      yield* Effect.ignore(signIn(anAttempt({ email, password: "another wrong one" })))
      yield* verify(token)
      for (const spy of spies) spy.mockRestore()
      const found = (yield* dump) + written.join("\n")
      assert.include(found, email)
      for (const part of [...Redacted.value(token).split("."), sharedPassword, "another wrong one"]) {
        assert.notInclude(found, part)
      }
    })
  )
  rule(
    "the stored content of a session cannot be used as a token, even by somebody who can sign this content",
    Effect.gen(function* () {
      const { signIn, verify } = yield* SignIn
      const { email } = yield* aPerson()
      const { sessionId, token } = yield* signIn(anAttempt({ email }))
      // Proves that `signed` signs in the same way as the library. Without this proof, the refusals below would prove
      // nothing.
      const [raw = ""] = Redacted.value(token).split(".")
      assert.strictEqual(Redacted.value(signed(raw)), Redacted.value(token))
      const [row] = yield* rows("SELECT token FROM auth_sessions WHERE id = $1", [sessionId])
      const stored = String(row?.["token"])
      for (const replay of [Redacted.make(stored), signed(stored), signed(stored.slice(0, 32))]) {
        assert.strictEqual(yield* failure(verify(replay)), invalid)
      }
    })
  )
  rule(
    "the stored row of a session has the id of the session, expires on time, and is deleted before the pod answers the sign-out",
    Effect.gen(function* () {
      const { signIn, signOut } = yield* SignIn
      const { email, userId } = yield* aPerson()
      const before = Date.now()
      const attempt = anAttempt({ email, address: "203.0.113.7", userAgent: `Bröwser\n${"x".repeat(2000)}` })
      const { expiresAt, sessionId } = yield* signIn(attempt)
      const ofSession = rows("SELECT * FROM auth_sessions WHERE id = $1", [sessionId])
      const [row] = yield* ofSession
      assert.match(sessionId, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
      assert.deepInclude(row, { user_id: userId, expires_at: expiresAt, ip_address: "203.0.113.7" })
      assert.match(String(row?.["user_agent"]), /^Br\?wser\?x{292}$/)
      assert.isAtLeast(expiresAt.getTime(), before + sessionSeconds * 1000)
      assert.isAtMost(expiresAt.getTime(), Date.now() + sessionSeconds * 1000)
      yield* signOut(sessionId)
      assert.deepStrictEqual(yield* ofSession, [])
    })
  )
  rule(
    "for every refused sign-in the pod computes one scrypt hash, so that the duration of the answer does not show the reason of the refusal",
    Effect.gen(function* () {
      const { signIn } = yield* SignIn
      const { email } = yield* aPerson()
      const scrypt = vi.spyOn(crypto, "scrypt")
      syncBuiltinESMExports()
      for (const attempt of [
        { email, password: "wrong horse battery" },
        { email: "nobody@example.com" },
        { email: "not an address" },
        { email, password: "short" },
        { email: "nobody@example.com", password: "x".repeat(100_000) }
      ]) {
        yield* Effect.flip(signIn(anAttempt(attempt)))
        assert.strictEqual(scrypt.mock.calls.length, 1, JSON.stringify(attempt).slice(0, 80))
        assert.deepInclude(scrypt.mock.calls[0]?.[3], { N: 16_384, r: 16, p: 1 })
        scrypt.mockClear()
      }
      scrypt.mockRestore()
      syncBuiltinESMExports()
    })
  )
  it.effect(
    "the pod ignores a secret in the environment variable of the sign-in library, even if the pod uses https",
    () => {
      vi.stubEnv("BETTER_AUTH_SECRETS", `1:${randomBytes(32).toString("hex")}`)
      const https = layerBetterAuth({ ...settings(pool()), baseUrl: "https://pod.example.com" })
      return Effect.gen(function* () {
        const { email } = yield* Effect.provide(aPerson(), inSql(pool()))
        const { signIn, verify } = yield* SignIn
        const { token } = yield* signIn(anAttempt({ email }))
        assert.strictEqual(Redacted.value(signed(Redacted.value(token).split(".")[0] ?? "")), Redacted.value(token))
        yield* verify(token)
      }).pipe(Effect.provide(https), Effect.ensuring(Effect.sync(() => vi.unstubAllEnvs())))
    }
  )

  it("the sign-in library better-auth finds all the tables and columns that it needs", async () => {
    const database = { dialect: new PostgresDialect({ pool: pool() }), type: "postgres" as const }
    const pending = await getMigrations({ ...authTables, database })
    const { schemaProblems, toBeAdded, toBeAddedIndexes, toBeCreated } = pending
    const nothing: Array<never> = []
    assert.deepStrictEqual(
      { schemaProblems, toBeAdded, toBeAddedIndexes, toBeCreated },
      { schemaProblems: nothing, toBeAdded: nothing, toBeAddedIndexes: nothing, toBeCreated: nothing }
    )
  })
  rule(
    "the sign-in tables refuse a token that is not hashed, and refuse a second person with the same e-mail address",
    Effect.gen(function* () {
      const { email, userId } = yield* aPerson()
      const codeOf = (text: string, values: Array<unknown>) =>
        Effect.promise(() =>
          query(pool(), text, values).then(
            () => "accepted",
            (cause: { code?: string }) => cause.code
          )
        )
      const session =
        "INSERT INTO auth_sessions (id, token, user_id, expires_at, updated_at) VALUES ($1, $2, $3, now(), now())"
      assert.strictEqual(yield* codeOf(session, ["clear", "a".repeat(32), userId]), "23514")
      const person = "INSERT INTO auth_users (id, name, email, email_verified) VALUES ($1, '', $2, true)"
      assert.strictEqual(yield* codeOf(person, ["second", email]), "23505")
      assert.strictEqual(yield* codeOf(person, ["third", email.toUpperCase()]), "23514")
    })
  )
}

describe("signing in to a pod in memory", () => signInContract(() => inMemory))

describe("signing in to a pod on PGlite", () => {
  let lite: PGlite
  let pool: pg.Pool
  beforeAll(async () => {
    lite = await anEmbedded()
    pool = new pg.Pool(Object.assign(embeddedConfig(lite), { max: 1 }))
    // The pod uses this database role too. So the test fails if a privilege of the role is missing.
    await query(pool, "SET ROLE pod_app")
  })
  afterAll(async () => {
    await pool.end()
    await lite.close()
  })
  sqlSuite(() => pool)
})

describePostgres("signing in to a pod on PostgreSQL", (server) => {
  let pool: pg.Pool
  let drop: () => Promise<void>
  beforeAll(async () => {
    const database = await aDatabaseOn(server)
    drop = database.drop
    pool = new pg.Pool({ connectionString: database.url, options: "-c role=pod_app", max: 4 })
    // The pool does not wait until its connections are closed, so the removal of the database can end one of them.
    pool.on("error", () => undefined)
  })
  afterAll(async () => {
    await pool.end()
    await drop()
  })
  sqlSuite(() => pool)
})

describe("sign-in with settings that cannot be used", () => {
  it.effect("a sign-in secret that is easy to guess is refused when the pod starts", () =>
    Effect.gen(function* () {
      for (const weak of ["", "short", "a".repeat(64), "changeme".repeat(8)]) {
        const pool = new pg.Pool()
        const built = Layer.build(layerBetterAuth({ ...settings(pool), secret: Redacted.make(weak) }))
        assert.instanceOf(yield* Effect.flip(Effect.scoped(built)), SecretTooWeak)
      }
    })
  )
  it.effect(
    "if the database cannot be reached during a sign-in, the sign-in fails with an internal error and not with a refusal",
    () => {
      // Nothing listens on port 1.
      const pool = new pg.Pool({ host: "127.0.0.1", port: 1, connectionTimeoutMillis: 2_000 })
      return Effect.gen(function* () {
        const { signIn, signOut, verify } = yield* SignIn
        const token = signed("a".repeat(32))
        for (const call of [verify(token), signOut("none"), signIn(anAttempt({ email: "owner@example.com" }))]) {
          const exit = yield* Effect.exit<unknown, unknown, never>(call)
          assert.isTrue(Exit.isFailure(exit) && Cause.isDieType(exit.cause))
        }
      }).pipe(Effect.provide(layerBetterAuth(settings(pool))))
    }
  )
})
