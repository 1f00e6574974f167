/** An attack by a person who stores long memory facts, so that the pod could run out of RAM. */
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { Reach } from "../../src/doors/Reach.ts"
import { FactMemory, FactSpaces } from "../../src/features/memory/FactSpaces.ts"
import type { KeptFact } from "../../src/features/memory/MemoryFact.ts"
import { MemoryStore, type FactPosition } from "../../src/features/memory/MemoryStore.ts"
import { aFactRow } from "../features/memory/factRows.ts"
import { aPassed } from "../support/passed.ts"
import { aPod } from "../support/pod.ts"
import { aReach } from "../support/reach.ts"
import { assertOk, assertRefused } from "./attackScene.ts"

const longText = (at: number) => `Line ${at}: ${"harbour crane quay ".repeat(4700)}`

describe("attack: a person stores more and more facts", () => {
  it("if the memory facts of all people need more RAM than allowed, the pod drops the fact index that was not used for the longest time", async () => {
    const asked: Array<{ readonly personId: string; readonly from: FactPosition }> = []
    const factOf = (userId: string): KeptFact => {
      const { isEnded: _, isNew: __, ...row } = aFactRow({ fact: longText(0) })
      const at = DateTime.unsafeMake(0)
      const times = { createdAt: at, updatedAt: at, validFrom: at, validTo: null }
      return { ...row, ...times, userId, actorId: userId, seq: 1 }
    }
    const store = {
      since: (from: FactPosition) =>
        Effect.map(Reach, ({ principal: { personId } }) => {
          asked.push({ personId, from })
          return from.seq === 0 ? [factOf(personId)] : []
        })
    }
    // The test calls only `since`, so the store has no other method.
    const stores = Layer.succeed(MemoryStore, store as unknown as typeof MemoryStore.Service)
    const memory = Layer.succeed(FactMemory, { bytesMax: 300_000 })
    const spaces = FactSpaces.layer.pipe(Layer.provide(Layer.merge(stores, memory)))
    const reachOf = (personId: string) => {
      const reach = aReach()
      return { ...reach, principal: { ...reach.principal, personId } }
    }
    const [one, other] = ["01900000-0000-7000-8000-00000000000a", "01900000-0000-7000-8000-00000000000b"]
    await Effect.runPromise(
      Effect.gen(function* () {
        const { facts } = yield* FactSpaces
        for (const personId of [one, other, other, one]) {
          yield* Effect.provideService(facts, Reach, reachOf(personId))
        }
      }).pipe(Effect.provide(spaces))
    )
    const fromStart = asked.filter(({ from }) => from.seq === 0).map(({ personId }) => personId)
    assert.deepStrictEqual(fromStart, [one, other, one])
  })

  it("when a person stores a further memory fact, the pod reads the person's stored facts again only if another pod has written facts of this person meanwhile", async () => {
    let readings = 0
    const counting = Layer.effect(
      MemoryStore,
      Effect.map(MemoryStore, (store) => ({
        ...store,
        since: (from: FactPosition, limit: number) => Effect.suspend(() => (readings++, store.since(from, limit)))
      }))
    )
    const pod = await aPod({ kind: "memory" }, {}, { adapters: counting })
    try {
      const remember = async (fact: string) => assertOk(await pod.owner.send("POST", "/api/hub/memory", { fact }))
      await remember("The harbour opens at nine.")
      readings = 0
      const lamp = await remember("The lamp is green.")
      assert.strictEqual((await remember("The lamp is green.")).id, lamp.id)
      assert.strictEqual(readings, 0)
      const ofAnother = Effect.flatMap(MemoryStore, (store) =>
        store.write(
          "create",
          { known: 3, facts: [aFactRow({ fact: "The tide is high." })], revisions: [], vector: null },
          { type: "memory.create", data: {} },
          aPassed
        )
      )
      assert.isTrue(
        Option.isSome(await pod.run(Effect.provideService(ofAnother, Reach, aReach({ personId: pod.ownerId }))))
      )
      await remember("The gate is shut.")
      assert.strictEqual(readings, 1)
      assert.lengthOf((await pod.owner.send("GET", "/api/hub/memory")).body, 4)
    } finally {
      await pod.stop()
    }
  })

  it("if the memory facts of a person use all the RAM that one person is allowed to use, this person cannot store a further fact, but all other people can", async () => {
    const pod = await aPod({ kind: "memory" }, { searchMemoryBytes: 1_000_000 })
    try {
      const [hostile, friend] = [await pod.aPerson(), await pod.aPerson()]
      const remember = (at: number) => hostile.send("POST", "/api/hub/memory", { fact: longText(at) })
      for (let at = 0; at < 3; at++) assertOk(await remember(at))
      assertRefused(await remember(3), 409, "MEMORY_FULL")
      assertOk(await friend.send("POST", "/api/hub/memory", { fact: "The harbour opens at nine." }))
      const { body } = await hostile.send("GET", "/api/hub/memory?q=harbour")
      assert.lengthOf(body.facts ?? body.items ?? body, 3)
      assertRefused(await remember(4), 409, "MEMORY_FULL")
      assertOk(await hostile.send("POST", "/api/hub/memory/forget", { query: "harbour" }))
    } finally {
      await pod.stop()
    }
  })
})
