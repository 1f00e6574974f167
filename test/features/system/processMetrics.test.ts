/** Only the owner of the pod sees the figures about the process of the pod in `health.metrics`. */
import { assert, describe, it } from "@effect/vitest"
import { aPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

describe.each(storages)("the operation `health.metrics` %s", (_, storage) => {
  it("the operation `health.metrics` shows the uptime and the memory of the pod's process only to the owner of the pod", async () => {
    const pod = await aPod(storage)
    const read = async (caller: typeof pod.owner) => (await caller.query("health.metrics")).body.result.data
    const { memory, uptime } = await read(pod.owner)
    assert.isAbove(uptime, 0)
    assert.isAtMost(memory.used, memory.total)
    assert.isAbove(memory.rss, 1)
    assert.isBelow(memory.rss, 100_000, "megabytes, not bytes")
    assert.hasAllKeys(await read(await pod.aPerson()), ["timestamp", "jobs", "totalEntities", "events24h"])
    const agent = (await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })).body.result.data
    assert.include(Object.keys(await read(await pod.aKey(pod.owner, { agentId: agent.id }))), "timestamp")
    await pod.stop()
  })

  it("the operation `health.metrics` counts only the entities that the caller may read and the caller's own events of the last day", async () => {
    const pod = await aPod(storage)
    const countsOf = async (caller: typeof pod.owner) => {
      const { events24h, totalEntities } = (await caller.query("health.metrics")).body.result.data
      return { events24h, totalEntities }
    }
    const person = await pod.aPerson()
    const before = await countsOf(person)
    assert.strictEqual(before.totalEntities, 0)
    for (const title of ["one", "two"]) await pod.owner.send("POST", "/api/hub/entities", { title })
    assert.deepStrictEqual(await countsOf(person), before)
    await person.send("POST", "/api/hub/entities", { title: "own" })
    assert.deepStrictEqual(await countsOf(person), { totalEntities: 1, events24h: before.events24h + 1 })
    await pod.stop()
  })
})
