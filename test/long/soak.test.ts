/**
 * The pod works without a pause for some minutes. Its memory and connections do not grow, and every answer agrees with
 * the stored data.
 */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { aFolder, type BuiltPod, startPod } from "../support/builtPod.ts"
import { ask, type RequestHeaders, createKey, createWorkspace, signInOwner, revoke } from "../support/client.ts"
import { aPreparedFolder } from "../support/podPair.ts"
import { aDatabaseOn, describePostgres } from "../support/postgres.ts"
import { faultsByApi, startWriting } from "../support/writers.ts"

const spells = 5
const spellRequests = 1_000
const warmUpSpells = 2 // After this number of rounds of work, caches and compiled code no longer grow.
const growthMostMb = 150 // The most growth of memory after the warm-up. A leak of 50 kB for each request would exceed it.

const memoryMb = ({ pid }: BuiltPod): number => {
  const path = `/proc/${pid}/status`
  if (!existsSync(path)) return 0 // Only Linux has this file. Elsewhere the test checks the answers only.
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(path, "utf8"))?.[1]) / 1024
}

const soak = async (pod: BuiltPod, what: string) => {
  const session = await signInOwner(pod.baseUrl)
  const { headers } = await createKey(pod.baseUrl, session)
  const workspaceId = await createWorkspace(pod.baseUrl, session, "Soaked")
  const memory: Array<number> = []
  const credential = async (): Promise<RequestHeaders> => {
    const short = await createKey(pod.baseUrl, session)
    await ask(pod.baseUrl, "GET", "/api/hub/entities", short.headers)
    await revoke(pod.baseUrl, session, short.id)
    return short.headers
  }
  for (let spell = 0; spell < spells; spell++) {
    const writing = startWriting({ baseUrls: [pod.baseUrl], headers, workspaceId, writers: 16 })
    const dead: Array<RequestHeaders> = []
    for (let keys = 0; keys < 20; keys++) dead.push(await credential())
    await writing.acknowledged(spellRequests)
    const ledger = await writing.stop()
    assert.deepStrictEqual(ledger.surprises, [])
    assert.deepStrictEqual(await faultsByApi(pod.baseUrl, headers, ledger), [])
    for (const gone of dead) {
      assert.strictEqual((await ask(pod.baseUrl, "GET", "/api/hub/entities", gone)).status, 401)
    }
    memory.push(memoryMb(pod))
  }
  process.stdout.write(`${what}: ${memory.map((mb) => mb.toFixed(0)).join(" → ")} MB\n`)
  assert.isBelow(Math.max(...memory.slice(warmUpSpells)) - memory[warmUpSpells - 1], growthMostMb)
  assert.strictEqual((await ask(pod.baseUrl, "GET", "/readyz")).status, 200)
  assert.deepStrictEqual(await pod.terminate(), { code: 0, signal: null })
}

describe("a pod on PGlite", () => {
  it("the memory of a pod on PGlite does not grow with the number of requests", async () => {
    const folder = await aPreparedFolder()
    const pod = await startPod({ dataDir: folder.path })
    await soak(pod, "PGlite").finally(() => pod.kill())
    folder.remove()
  })
})

describePostgres("a pod on PostgreSQL", (server) => {
  it("the memory of a pod on PostgreSQL does not grow with the number of requests", async () => {
    const database = await aDatabaseOn(server)
    const folder = aFolder()
    const pod = await startPod({ dataDir: folder.path, environment: { POD_DATABASE_URL: database.url } })
    await soak(pod, "PostgreSQL").finally(() => pod.kill())
    folder.remove()
    await database.drop()
  })
})
