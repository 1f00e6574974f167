/** Two pods on one PostgreSQL: when one of them ends a credential, the other pod refuses this credential at once. */
import { assert, it } from "@effect/vitest"
import { mcp } from "../doors/surfaces.ts"
import { withLockedEntities } from "../support/lockedEntities.ts"
import { type Caller, ownerPassword } from "../support/pod.ts"
import { describeTwoPods } from "../support/twoPods.ts"
import { procedureData, assertOk } from "./attackScene.ts"
import { aMoment } from "../support/aMoment.ts"

const patience = 240_000

describeTwoPods("attack: a person that another pod suspended uses the credentials again", (pods) => {
  const onSecond = ({ headers }: Caller) => pods.second.as(headers)
  const suspend = (personId: string, isSuspended: boolean) =>
    pods.first.owner.send("PATCH", `/api/hub/people/${personId}`, { isSuspended })
  const uses = async (caller: Caller) => [
    (await caller.send("GET", "/api/hub/users/me")).status,
    (await caller.send("GET", "/api/hub/entities")).status,
    (await caller.query("svc.me")).status,
    (await caller.send("POST", "/api/hub/entities", { title: "asked", profileSlug: "note" })).status
  ]
  const [letIn, refused] = [
    [200, 200, 200, 200],
    [401, 401, 401, 401]
  ]
  /**
   * Repeats a call until the pod refuses the key. The call reads no row, so for a moment the pod can still accept the
   * key from its cache.
   */
  const untilRefused = async (key: Caller) => {
    while ((await mcp(key, "tools/list", {})).status !== 401) await aMoment()
  }

  it(
    "attack: after one pod suspends a person, another pod on the same database refuses the person's session, key and agent, which it accepted before",
    async () => {
      const person = await pods.first.aPerson("elsewhere@example.com")
      const agentId = procedureData(await person.mutate("agents.create", { name: "Theirs", capabilities: ["*"] })).id
      const keys = [await pods.first.aKey(person), await pods.first.aKey(person, { agentId })].map(onSecond)
      const [own, agentKey] = keys
      const session = onSecond(person)
      for (const caller of [session, own]) assert.deepStrictEqual(await uses(caller), letIn)
      assert.notInclude(await uses(agentKey), 401)
      assertOk(await suspend(person.id, true))
      for (const caller of [session, own, agentKey]) assert.deepStrictEqual(await uses(caller), refused)
      for (const key of keys) await untilRefused(key)
      const again = { email: "elsewhere@example.com", password: ownerPassword }
      assert.strictEqual((await pods.second.stranger.send("POST", "/auth/sign-in", again)).status, 401)

      assertOk(await suspend(person.id, false))
      assert.deepStrictEqual(await uses(own), letIn)
      assert.notInclude(await uses(agentKey), 401)
      assert.deepStrictEqual(await uses(session), refused)
    },
    patience
  )

  it(
    "attack: if a person's write waits for a lock on one pod and another pod on the same database suspends the person, the write ends without effect before the suspension is reported",
    async () => {
      const person = await pods.first.aPerson("waiting@example.com")
      const key = onSecond(await pods.first.aKey(person))
      assert.deepStrictEqual(await uses(key), letIn)
      await withLockedEntities(pods.url, async (locked) => {
        const blockedWrite = key.send("POST", "/api/hub/entities", { title: "held up", profileSlug: "note" })
        await locked.untilWaitingOnPool()
        assertOk(await suspend(person.id, true))
        assert.strictEqual(await locked.waiting(), 0)
        await locked.release()
        assert.strictEqual((await blockedWrite).status, 503)
        assert.strictEqual(await locked.stored("held up"), 0)
      })
      assert.deepStrictEqual(await uses(key), refused)
    },
    patience
  )

  it(
    "attack: after a person changes the password on one pod, another pod on the same database refuses a session of this person that it accepted before",
    async () => {
      const person = await pods.first.aPerson("changed@example.com")
      const credentials = { email: "changed@example.com", password: ownerPassword }
      const { token } = assertOk(await pods.second.stranger.send("POST", "/auth/sign-in", credentials))
      const stolen = pods.second.as({ "x-session-token": token })
      assert.deepStrictEqual(await uses(stolen), letIn)
      const change = { currentPassword: ownerPassword, newPassword: "another correct horse battery" }
      assert.strictEqual(assertOk(await person.send("POST", "/api/hub/users/me/password", change)).endedSessions, 1)
      assert.deepStrictEqual(await uses(stolen), refused)
      assert.deepStrictEqual(await uses(onSecond(person)), letIn)
      assert.strictEqual((await pods.second.stranger.send("POST", "/auth/sign-in", credentials)).status, 401)
    },
    patience
  )
})
