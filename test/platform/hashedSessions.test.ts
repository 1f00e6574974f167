/**
 * Tests the adapter that stores only hashes of session tokens, on top of the adapter of better-auth that keeps rows in
 * arrays.
 */
import { assert, describe, it } from "@effect/vitest"
import { memoryAdapter } from "better-auth/adapters/memory"
import type { DBTransactionAdapter } from "better-auth/adapters"
import { hashedSessions } from "../../src/platform/HashedSessions.ts"

interface SessionRow {
  readonly id: string
  readonly token: string
  readonly userId: string
}

const token = "a-token-in-clear"
// The output of `printf a-token-in-clear | sha256sum`.
const hash = "cca201b6a07bf4454400896d9c15f67aaf69b6450dc393fcf07409cffeab8bf1"

const anAdapter = () => {
  const tables = { user: [], session: [] as Array<Record<string, unknown>>, account: [], verification: [] }
  // Reads the array at each call, because the library replaces the array when it deletes a row.
  const kept = () => tables.session.map((session) => session["token"])
  return { adapter: hashedSessions(memoryAdapter(tables)({})), kept }
}
const aSession = (data: { token: string }) => ({
  model: "session",
  data: { ...data, userId: "u", expiresAt: new Date(), createdAt: new Date(), updatedAt: new Date() }
})
const byToken = (value: string) => ({ model: "session", where: [{ field: "token", value }] })

describe("how the pod looks up sessions without storing their tokens", () => {
  it("the stored hash of a session token cannot be used as the token", async () => {
    const { adapter } = anAdapter()
    await adapter.create(aSession({ token }))
    assert.isNull(await adapter.findOne(byToken(hash)))
  })
  it("the pod refuses a database query that compares a session token in another way than by equality, such as by its first letters", async () => {
    const { adapter } = anAdapter()
    for (const condition of [{ operator: "starts_with" }, { operator: "ne" }, { mode: "insensitive" }] as const) {
      const query = { model: "session", where: [{ field: "token", value: token, ...condition }] }
      for (const call of [() => adapter.findMany(query), () => adapter.deleteMany(query), () => adapter.count(query)]) {
        assert.instanceOf(
          await call().then(
            () => "accepted",
            (cause: unknown) => cause
          ),
          Error
        )
      }
    }
  })
})

describe("look-ups and changes of sessions", () => {
  const operations: ReadonlyArray<
    readonly [string, (inside: DBTransactionAdapter) => Promise<SessionRow | null | undefined>]
  > = [
    ["create", (inside) => inside.create<Record<string, unknown>, SessionRow>(aSession({ token }))],
    ["findOne", (inside) => inside.findOne<SessionRow>(byToken(token))],
    ["findMany", async (inside) => (await inside.findMany<SessionRow>(byToken(token)))[0]],
    [
      "findMany with two tokens",
      async (inside) => {
        const where = [{ field: "token", operator: "in" as const, value: ["another", token] }]
        return (await inside.findMany<SessionRow>({ model: "session", where }))[0]
      }
    ],
    ["update", (inside) => inside.update<SessionRow>({ ...byToken(token), update: { userAgent: "x" } })],
    [
      "incrementOne",
      (inside) => inside.incrementOne<SessionRow>({ ...byToken(token), increment: {}, set: { userAgent: "y" } })
    ],
    ["consumeOne", (inside) => inside.consumeOne<SessionRow>(byToken(token))]
  ]
  for (const within of ["outside", "inside"] as const) {
    for (const [name, operation] of operations) {
      it(`the sign-in library's method ${name}, called ${within} a transaction, returns the token of a session but stores only the hash of the token`, async () => {
        const { adapter, kept } = anAdapter()
        if (name !== "create") await adapter.create(aSession({ token }))
        const row = await (within === "inside" ? adapter.transaction(operation) : operation(adapter))
        assert.strictEqual(row?.token, token)
        assert.deepStrictEqual(kept(), name === "consumeOne" ? [] : [hash])
      })
    }
  }
  it("if a session is found by another field than its token, the result contains only the hash of the token", async () => {
    const { adapter } = anAdapter()
    await adapter.create(aSession({ token }))
    const [row] = await adapter.findMany<SessionRow>({ model: "session", where: [{ field: "userId", value: "u" }] })
    assert.strictEqual(row?.token, hash)
  })
  it("if an update replaces a session token, the new token is stored as its hash", async () => {
    const { adapter, kept } = anAdapter()
    await adapter.create(aSession({ token: "first" }))
    await adapter.updateMany({ ...byToken("first"), update: { token } })
    assert.strictEqual(kept()[0], hash)
  })
  it("a delete of a session by its token deletes only that session", async () => {
    const { adapter, kept } = anAdapter()
    await adapter.create(aSession({ token }))
    await adapter.create(aSession({ token: "another" }))
    await adapter.delete(byToken("another"))
    assert.deepStrictEqual(kept(), [hash])
    assert.strictEqual(await adapter.count(byToken(token)), 1)
  })
})
