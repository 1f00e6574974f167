/**
 * A suspended person and the person's agents have no access. Only the owner and the administrators of the pod can
 * suspend a person.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { mcp } from "../doors/surfaces.ts"
import { type Caller, ownerPassword } from "../support/pod.ts"
import { onOneStorage } from "../support/storages.ts"
import { anAttackScene, procedureData, eventsOf, type AttackScene, assertOk, assertRefused } from "./attackScene.ts"

onOneStorage("attacks by a suspended person", (storage) => {
  let ground: AttackScene
  beforeAll(async () => {
    ground = await anAttackScene(storage)
  })
  afterAll(() => ground?.pod.stop())

  const suspend = (by: Caller, personId: string, isSuspended: unknown) =>
    by.send("PATCH", `/api/hub/people/${personId}`, { isSuspended })
  const uses = async (caller: Caller) => [
    (await caller.send("GET", "/api/hub/users/me")).status,
    (await caller.send("GET", "/api/hub/entities")).status,
    (await caller.query("svc.me")).status,
    (await caller.send("POST", "/api/hub/entities", { title: "asked", profileSlug: "note" })).status
  ]
  const refusedAll = [401, 401, 401, 401]
  const signIn = (email: string) =>
    ground.pod.stranger.send("POST", "/auth/sign-in", { email, password: ownerPassword })

  it("attack: the sessions and keys of a suspended person, and the keys of that person's agents, are refused at once over REST, tRPC and MCP", async () => {
    const { owner, pod } = ground
    const person = await pod.aPerson("suspended@example.com")
    const agentId = procedureData(await person.mutate("agents.create", { name: "Theirs", capabilities: ["*"] })).id
    const [own, agentKey] = [await pod.aKey(person), await pod.aKey(person, { agentId })]
    for (const caller of [person, own]) assert.deepStrictEqual(await uses(caller), [200, 200, 200, 200])
    assert.notInclude(await uses(agentKey), 401)
    assert.deepInclude(assertOk(await suspend(owner, person.id, true)), {
      id: person.id,
      isSuspended: true,
      isOwner: false
    })
    for (const caller of [person, own, agentKey]) assert.deepStrictEqual(await uses(caller), refusedAll)
    for (const key of [own, agentKey]) assert.strictEqual((await mcp(key, "tools/list", {})).status, 401)
    assertRefused(await signIn("suspended@example.com"), 401)
    assert.deepStrictEqual(await uses(owner), [200, 200, 200, 200])

    // After the end of the suspension, the pod accepts the keys again. It still refuses the sessions from before the
    // suspension.
    assert.strictEqual(assertOk(await suspend(owner, person.id, false)).isSuspended, false)
    assert.notInclude(await uses(own), 401)
    assert.notInclude(await uses(agentKey), 401)
    assert.deepStrictEqual(await uses(person), refusedAll)
    assertOk(await signIn("suspended@example.com"))
    const eventTypes = (await eventsOf(owner))
      .filter(({ subjectId }) => subjectId === person.id)
      .map(({ type }) => type)
    assert.deepStrictEqual(eventTypes, ["person.resume", "person.suspend"])
  })

  it("attack: while a person is being suspended, the pod stores only the writes that it acknowledges, and it refuses later writes", async () => {
    const { owner, pod } = ground
    const person = await pod.aPerson()
    const key = await pod.aKey(person)
    const titles = Array.from({ length: 12 }, (_, at) => `in flight ${at} of ${person.id}`)
    const writing = titles.map((title) => key.send("POST", "/api/hub/entities", { title, profileSlug: "note" }))
    assertOk(await suspend(owner, person.id, true))
    const late = await key.send("POST", "/api/hub/entities", { title: "late", profileSlug: "note" })
    assert.strictEqual(late.status, 401)
    const answers = await Promise.all(writing)
    assertOk(await suspend(owner, person.id, false))
    const stored = assertOk(await key.send("GET", "/api/hub/entities?limit=100")) as ReadonlyArray<{ title: string }>
    const kept = stored.map(({ title }) => title)
    const acknowledged = titles.filter((_, at) => answers[at]?.status === 200)
    assert.sameMembers(kept, acknowledged)
  })

  it("attack: neither another person nor the owner can suspend the owner of the pod", async () => {
    const { owner, pod, victim } = ground
    assertRefused(await suspend(owner, pod.ownerId, true), 409, "OWNER_STAYS")
    assertRefused(await suspend(victim, pod.ownerId, true), 403, "ADMINISTRATOR_ONLY")
    assert.deepStrictEqual(await uses(owner), [200, 200, 200, 200])
  })

  it("attack: neither a key nor a member of the pod can suspend a person, and a request to suspend an unknown person gets 404", async () => {
    const { agent, agentId, owner, pod, victim } = ground
    for (const key of [agent, await pod.aKey(owner)])
      assertRefused(await suspend(key, victim.id, true), 403, "SESSION_ONLY")
    const other = await pod.aPerson()
    assertRefused(await suspend(other, victim.id, true), 403, "ADMINISTRATOR_ONLY")
    assertRefused(await suspend(other, other.id, true), 403, "ADMINISTRATOR_ONLY")
    for (const id of [agentId, "0190a0a0-0000-7000-8000-000000000001"]) {
      assertRefused(await suspend(owner, id, true), 404)
    }
    assertRefused(await suspend(owner, victim.id, "yes"), 400)
    assert.deepStrictEqual(await uses(victim), [200, 200, 200, 200])
  })
})
