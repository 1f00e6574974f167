/** Tests what a program can read about its own key. */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { aPod, type TestPod } from "../../support/pod.ts"
import { onOneStorage } from "../../support/storages.ts"

onOneStorage("the status of a key", (storage) => {
  let pod: TestPod
  beforeAll(async () => {
    pod = await aPod(storage)
  })
  afterAll(() => pod?.stop())

  it("the status of a key shows the id of the earlier key that this key replaced", async () => {
    const first = await pod.aKey(pod.owner)
    const rotated = await pod.owner.mutate("apiKeys.rotate", { keyId: first.id, overlapSeconds: 60 })
    const { id, key } = rotated.body.result.data
    const second = pod.as({ authorization: `Bearer ${key}` })
    for (const [caller, keyId, parentKeyId] of [
      [first, first.id, null],
      [second, id, first.id]
    ] as const) {
      assert.deepInclude((await caller.send("GET", "/api/hub/auth/status")).body, { keyId, parentKeyId })
    }
  })
})
