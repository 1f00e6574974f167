/**
 * Tests the access of a job that works for a person or uses a key: when the pod refuses to run the job, and which grant
 * the job has.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { Cause, Effect, Exit, Option } from "effect"
import { AuthorityLost } from "../../../src/doors/Authority.ts"
import { Reach } from "../../../src/doors/Reach.ts"
import { type Orderer, StandingReach } from "../../../src/features/access/StandingReach.ts"
import { PeopleStore } from "../../../src/features/people/PeopleStore.ts"
import { assertOk, procedureData } from "../../attacks/attackScene.ts"
import { setRole } from "../../support/membership.ts"
import { standing } from "../../support/standing.ts"
import { aPod, type TestPod } from "../../support/pod.ts"
import { onEachStorage } from "../../support/storages.ts"

const work = { operation: "test.later", reason: "a test", scope: "hub-protocol.write" as const }

onEachStorage("the access of jobs, which run later without a caller", (storage) => {
  let pod: TestPod
  beforeAll(async () => {
    pod = await aPod(storage)
  })
  afterAll(() => pod?.stop())

  const reachOf = (orderer: Orderer) =>
    pod.run(
      Effect.flatMap(StandingReach, ({ of }) => of(orderer, work)).pipe(
        Effect.provide(standing),
        Effect.map(Option.getOrUndefined)
      )
    )

  it("a job does not run for a suspended person, whether or not the job uses a key of this person", async () => {
    const person = await pod.aPerson()
    const key = await pod.aKey(person)
    for (const keyId of [null, key.id]) assert.isDefined(await reachOf({ personId: person.id, keyId }))
    assertOk(await pod.owner.send("PATCH", `/api/hub/people/${person.id}`, { isSuspended: true }))
    for (const keyId of [null, key.id]) assert.isUndefined(await reachOf({ personId: person.id, keyId }))
  })

  it("a job that uses a key does not run if the key is revoked, belongs to another person or lacks the needed scope", async () => {
    const [person, other] = [await pod.aPerson(), await pod.aPerson()]
    const key = await pod.aKey(person)
    const reader = await pod.aKey(person, { scope: ["hub-protocol.read"] })
    assert.isUndefined(await reachOf({ personId: other.id, keyId: key.id }))
    assert.isUndefined(await reachOf({ personId: person.id, keyId: reader.id }))
    assertOk(await person.mutate("apiKeys.revoke", { keyId: key.id }))
    assert.isUndefined(await reachOf({ personId: person.id, keyId: key.id }))
  })

  it("a job that uses a key has the grant of this key, and after a rotation replaced the key, the job uses the new key", async () => {
    const person = await pod.aPerson()
    const agentId = procedureData(await person.mutate("agents.create", { name: "Theirs", capabilities: ["*"] })).id
    const key = await pod.aKey(person, { agentId, grant: { permissions: ["entity.task.read"] } })
    const before = await reachOf({ personId: person.id, keyId: key.id })
    assert.deepStrictEqual(before?.principal.holder.kind, "agent")
    assert.deepStrictEqual(before?.bounds("entity", "read").kinds, ["task"])
    assert.deepStrictEqual(before?.bounds("document", "read").spaces, [])
    const successor = procedureData(await person.mutate("apiKeys.rotate", { keyId: key.id }))
    const after = await reachOf({ personId: person.id, keyId: key.id })
    assert.strictEqual(after?.principal.credential.id, successor.id)
    assert.deepStrictEqual(after?.bounds("entity", "read"), before?.bounds("entity", "read"))
  })

  it("if the access of a person changes while a job runs for this person, the SQL statements of the job fail", async () => {
    const person = await pod.aPerson()
    const workspaceId = await pod.aWorkspace(pod.owner)
    const reach = await reachOf({ personId: person.id, keyId: null })
    const read = () =>
      pod.run(
        Effect.flatMap(PeopleStore, ({ agents }) => agents).pipe(Effect.provideService(Reach, reach!), Effect.exit)
      )
    assert.isTrue(Exit.isSuccess(await read()))
    await setRole(pod, storage, person.id, workspaceId, "editor")
    const exit = await read()
    // The stores in memory do not check the authority of a call, so the rest of the test needs SQL.
    if (storage.kind === "memory") return
    assert.isTrue(Exit.isFailure(exit) && [...Cause.defects(exit.cause)].some((each) => each instanceof AuthorityLost))
  })
})
