/** The startup probe says whether the start of the pod has finished. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Readiness } from "../../../src/features/system/Readiness.ts"
import { aPod } from "../../support/pod.ts"

it("the startup probe answers 503 until the start of the pod has finished, and 200 from then on, even while the pod stops", async () => {
  const pod = await aPod({ kind: "memory" }, {}, { isStarting: true })
  try {
    const ask = () => pod.stranger.send("GET", "/startupz")
    const before = await ask()
    assert.deepStrictEqual([before.status, before.body.error], [503, "The pod is still starting. Try again shortly."])
    assert.strictEqual(before.headers.get("retry-after"), "1")
    await pod.run(Effect.flatMap(Readiness, ({ finishStart }) => finishStart))
    const after = await ask()
    assert.deepStrictEqual([after.status, after.body.status], [200, "started"])
    await pod.run(Effect.flatMap(Readiness, ({ drain }) => drain))
    assert.strictEqual((await ask()).status, 200)
  } finally {
    await pod.stop()
  }
})
