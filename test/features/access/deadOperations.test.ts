/**
 * Somebody ends a credential directly in the database, so the pod does not notice it. Every operation then refuses the
 * credential, even an operation that uses no store. Nothing is written.
 */
import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { afterAll, beforeAll } from "vitest"
import { aStoredKey } from "../../doors/callers.ts"
import { type Ledger, ledgerOf } from "../../doors/ledger.ts"
import { type Approach, ask, nameOf } from "../../doors/surfaces.ts"
import { type Things, makeThings } from "../../doors/things.ts"
import { allApproaches } from "../../doors/walk.ts"
import { aPod, type Caller, openingScopes, type TestPod } from "../../support/pod.ts"
import { database } from "../../support/storages.ts"
import { asOwner } from "../../support/stores.ts"

let pod: TestPod
let ways: ReadonlyArray<Approach>
let things: Things
let ledger: Ledger
let maker: Caller & { readonly id: string }
beforeAll(async () => {
  pod = await aPod(database)
  ledger = ledgerOf(pod, database)
  ways = (await allApproaches(pod, false)).filter(({ operation }) => operation.door._tag !== "Public")
  maker = await pod.aPerson("someone@example.com")
  things = await makeThings(pod, maker, ways)
})
afterAll(() => pod?.stop())

/** Writes to the database without the pod, as another node or an administrator would. */
const behindItsBack = (write: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
  pod.run(asOwner(Effect.orDie(Effect.flatMap(SqlClient.SqlClient, write))))

interface Mortal {
  readonly caller: Caller
  readonly die: () => Promise<unknown>
  readonly live: () => Promise<unknown>
}

const aKey = async (): Promise<Mortal> => {
  const { id, secret } = await aStoredKey(pod, maker.id, { scopes: openingScopes })
  const revoked = (at: Date | null) => () =>
    behindItsBack((sql) => sql`UPDATE api_keys SET revoked_at = ${at}::timestamptz WHERE id = ${id}::uuid`)
  const caller = pod.as({ authorization: `Bearer ${secret}` })
  return { caller, die: revoked(new Date()), live: revoked(null) }
}

const aSession = async (): Promise<Mortal> => {
  const [row] = (await behindItsBack(
    (sql) => sql`SELECT to_jsonb(kept)::text AS session_row FROM auth_sessions kept WHERE user_id = ${maker.id}`
  )) as ReadonlyArray<{ readonly session_row: string }>
  return {
    caller: pod.as(maker.headers),
    die: () => behindItsBack((sql) => sql`DELETE FROM auth_sessions WHERE user_id = ${maker.id}`),
    live: () =>
      behindItsBack(
        (sql) => sql`
          INSERT INTO auth_sessions SELECT kept.* FROM jsonb_populate_record(NULL::auth_sessions, ${row.session_row}::jsonb) kept
          ON CONFLICT DO NOTHING`
      )
  }
}

describe("operations that are called with a credential that is no longer valid", () => {
  for (const noun of ["key", "session"] as const) {
    it(`every operation refuses a ${noun} that is no longer valid, whatever the input is, and writes nothing`, async () => {
      const { caller, die, live } = noun === "key" ? await aKey() : await aSession()
      const open = ways.filter(
        ({ operation: { door }, place }) =>
          (place === "session") === (noun === "session") && (noun === "session" || door._tag !== "Session")
      )
      const inputs = new Map<Approach, unknown>()
      for (const way of open) inputs.set(way, await things.inputFor(way))
      await live()
      const before = await ledger.digest()
      const faults: Array<string> = []
      for (const [way, input] of inputs) {
        // The pod accepted this credential a moment ago, so its cache would still accept it.
        await live()
        await caller.send("GET", "/api/hub/users/me")
        await die()
        const { code, verdict } = await ask(caller, way, input)
        const isRefused = verdict === "unauthorized" && (code === "key_revoked" || way.place === "mcp")
        if (!isRefused) faults.push(`${nameOf(way)}: ${verdict} ${code ?? ""}`)
      }
      await live()
      assert.deepStrictEqual(faults, [])
      assert.strictEqual(await ledger.digest(), before)
    })
  }
})
