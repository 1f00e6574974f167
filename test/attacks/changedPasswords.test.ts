/**
 * A person can change their password only with a session and with the current password. The person's other sessions
 * then end.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { type Caller, ownerPassword } from "../support/pod.ts"
import { onOneStorage } from "../support/storages.ts"
import { asOwner } from "../support/stores.ts"
import { anAttackScene, eventsOf, type AttackScene, assertOk, assertRefused } from "./attackScene.ts"

const path = "/api/hub/users/me/password"
const nextPassword = "another correct horse battery"

onOneStorage("changing a password", (storage) => {
  let ground: AttackScene
  beforeAll(async () => {
    ground = await anAttackScene(storage)
  })
  afterAll(() => ground?.pod.stop())

  const change = (by: Caller, currentPassword: unknown, newPassword: unknown = nextPassword) =>
    by.send("POST", path, { currentPassword, newPassword })
  const signIn = (email: string, password: string) =>
    ground.pod.stranger.send("POST", "/auth/sign-in", { email, password })
  const sessionOf = async (email: string, password = ownerPassword) =>
    ground.pod.as({ "x-session-token": assertOk(await signIn(email, password)).token })
  const status = async (caller: Caller) => (await caller.send("GET", "/api/hub/users/me")).status

  it("a person changes the password with the current password, and then only the session of this request and the person's keys stay valid", async () => {
    const person = await ground.pod.aPerson("changing@example.com")
    const [second, third] = [await sessionOf("changing@example.com"), await sessionOf("changing@example.com")]
    const key = await ground.pod.aKey(person)
    for (const caller of [person, second, third, key]) assert.strictEqual(await status(caller), 200)
    const answer = assertOk(await change(person, ownerPassword))
    assert.deepInclude(answer, { success: true, endedSessions: 2 })
    assert.match(answer.message, /2 other sessions were ended/)
    assert.deepStrictEqual(await Promise.all([person, second, third, key].map(status)), [200, 401, 401, 200])
    assertRefused(await signIn("changing@example.com", ownerPassword), 401)
    assert.strictEqual(await status(await sessionOf("changing@example.com", nextPassword)), 200)
    const event = (await eventsOf(person)).find(({ type }) => type === "person.changePassword")
    assert.isDefined(event)
    for (const secret of [ownerPassword, nextPassword]) assert.notInclude(JSON.stringify(event), secret)
  })

  it("when a person changes their password twice at the same moment, only one change succeeds, and the person can sign in with the password of that change", async () => {
    const email = "twice@example.com"
    const person = await ground.pod.aPerson(email)
    const [one, other] = ["first password of length", "second password of length"]
    const answers = await Promise.all([change(person, ownerPassword, one), change(person, ownerPassword, other)])
    const winners = [one, other].filter((_, at) => answers[at]?.status === 200)
    assert.lengthOf(winners, 1)
    assertOk(await signIn(email, winners[0] ?? ""))
    assertRefused(await signIn(email, winners[0] === one ? other : one), 401)
  })

  // The test is skipped in memory, because the test reads a table with SQL and a pod in memory has no tables.
  it.skipIf(storage.kind === "memory")(
    "attack: somebody who can read the table of idempotency keys cannot use this table to test guesses of a password",
    async () => {
      const person = await ground.pod.aPerson("repeating@example.com")
      const once = "change-my-password"
      const body = JSON.stringify({ currentPassword: ownerPassword, newPassword: nextPassword })
      assertOk(await person.send("POST", path, body, { "idempotency-key": once }))
      assert.strictEqual(
        (await person.send("POST", path, body, { "idempotency-key": once })).headers.get("x-idempotent-replay"),
        "true"
      )
      const rows = await ground.pod.run(
        asOwner(
          Effect.flatMap(
            SqlClient.SqlClient,
            (sql) => sql<{ readonly row: string }>`SELECT to_jsonb(kept)::text AS row FROM idempotency_keys kept`
          )
        )
      )
      const text = rows.map(({ row }) => row).join("\n")
      assert.lengthOf(rows, 1)
      for (const route of [path, `${path}?`]) {
        for (const guess of [body, JSON.stringify([once, "POST", route, body]), ownerPassword, nextPassword]) {
          assert.notInclude(text, createHash("sha256").update(guess).digest("hex"))
        }
      }
    }
  )

  it("attack: a key cannot change a password, not even the password of the person who owns the key", async () => {
    const { agent, owner, pod, victim } = ground
    for (const key of [agent, await pod.aKey(owner), await pod.aKey(victim)]) {
      assertRefused(await change(key, ownerPassword), 403, "SESSION_ONLY")
    }
    assertRefused(await change(pod.stranger, ownerPassword), 401)
    assertOk(await signIn("victim@example.com", ownerPassword))
  })

  it("attack: a password change is refused and changes nothing if the new password is invalid or equal to the current password", async () => {
    const { victim } = ground
    for (const bad of ["short", "x".repeat(129), "x".repeat(12) + "\0", ownerPassword]) {
      const { body, status: statusCode } = await change(victim, ownerPassword, bad)
      assert.deepStrictEqual(
        [statusCode, body.details?.[0]?.path.includes("newPassword") || body.error.length > 0],
        [400, true]
      )
    }
    assertRefused(await change(victim, ownerPassword, 7), 400)
    assertOk(await signIn("victim@example.com", ownerPassword))
  })

  it("attack: somebody who stole a session can make only a few guesses of the password, and the person can still sign in and change the password", async () => {
    const email = "stolen@example.com"
    const stolen = await ground.pod.aPerson(email)
    const statuses: Array<number> = []
    for (let tries = 0; tries < 12; tries++) statuses.push((await change(stolen, `wrong password ${tries}`)).status)
    assert.deepStrictEqual(statuses, [...Array.from({ length: 10 }, () => 400), 429, 429])
    assertRefused(await change(stolen, ownerPassword), 429)
    const anew = await sessionOf(email)
    assertOk(await change(anew, ownerPassword))
    assert.strictEqual(await status(stolen), 401)
  })
})
