/** A program can start and stop pods in its own process, as tests do. A stopped pod must leave nothing in memory. */
import { assert, it } from "@effect/vitest"
import { keptBytes } from "../support/keptBytes.ts"
import { aPod } from "../support/pod.ts"
import { onOneStorage } from "../support/storages.ts"

const mostBytes = 2_000_000 // A pod that stays in memory takes more than three times this size.

onOneStorage("what stopped pods leave in the memory of the process", (storage) => {
  it("after a pod has stopped, the process no longer keeps the memory that the pod used", async () => {
    const startAndStop = async () => {
      const pod = await aPod(storage)
      await pod.owner.send("GET", "/api/hub/entities")
      await pod.stop()
    }
    await startAndStop() // The first start loads code that all pods share.
    await startAndStop()
    const before = keptBytes()
    const pods = 2
    for (let at = 0; at < pods; at++) await startAndStop()
    assert.isBelow((keptBytes() - before) / pods, mostBytes)
  })
})
