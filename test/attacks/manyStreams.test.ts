/** Attacks: a person opens streams with many keys, to use up the streams of the pod. */
import { assert, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { aReader } from "../support/eventReader.ts"
import { aLog } from "../support/logs.ts"
import { aPod, type Caller, type TestPod } from "../support/pod.ts"
import { onOneStorage } from "../support/storages.ts"

onOneStorage("many streams of one person", (storage) => {
  let pod: TestPod
  beforeAll(async () => {
    pod = await aPod(storage, {}, { logging: aLog().layer })
  }, 60_000)
  afterAll(() => pod?.stop())

  const watch = ({ headers }: Caller) => aReader(`${pod.baseUrl}/api/hub/events/stream`, headers)

  it("attack: a person who opens event streams with many keys gets 429 beyond 500 streams, and another person can still open a stream", async () => {
    const other = await pod.aPerson("streams@example.com")
    const keys = []
    for (let n = 0; n < 11; n += 1) keys.push(await pod.aKey(other))
    const [last, ...full] = keys
    const open = []
    for (const key of full) open.push(...(await Promise.all(Array.from({ length: 50 }, () => watch(key)))))
    assert.deepStrictEqual([...new Set(open.map(({ status }) => status))], [200])
    assert.strictEqual((await watch(last)).status, 429)
    const own = await watch(await pod.aKey(pod.owner))
    assert.strictEqual(own.status, 200)
    for (const reader of [...open, own]) reader.close()
  })
})
