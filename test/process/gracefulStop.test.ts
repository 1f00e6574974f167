/**
 * Stops the built pod while 32 clients send requests without a pause over open connections. The pod must answer every
 * request that was sent, and must have stored every write that it acknowledged. The long run does the same on
 * PostgreSQL (`test/long/gracefulStopOnPostgres.test.ts`).
 */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { aFolder, type BuiltPod, startPod } from "../support/builtPod.ts"
import { assertStored, noRequestLost, stopUnderLoad } from "./stopUnderLoad.ts"

describe("stopping a pod without losing requests", () => {
  const folder = aFolder()
  afterAll(() => folder.remove())
  const start = (grace: string) => startPod({ dataDir: folder.path, environment: { POD_STOP_GRACE: grace } })
  /** The pod that runs after the first test. */
  let later: BuiltPod | undefined

  it(noRequestLost, async () => {
    const ids = await stopUnderLoad(await start("1s"))
    later = await start("2s")
    await assertStored(later, ids)
  })

  it("while the pod stops, it still answers requests, and its readiness check says that it is not ready", async () => {
    const pod = later ?? (await start("2s"))
    const ended = pod.terminate()
    // The pod receives the signal a moment later, so this repeats the request until `/readyz` answers 503.
    const notReady = async (): Promise<string> => {
      const answer = await fetch(`${pod.baseUrl}/readyz`)
      return answer.status === 503 ? answer.text() : notReady()
    }
    assert.include(await notReady(), "stopping")
    assert.strictEqual((await fetch(`${pod.baseUrl}/api/hub/health`)).status, 200)
    assert.deepStrictEqual(await ended, { code: 0, signal: null })
  })
})
