/**
 * The pod works without a pause for ten minutes (`SOAK_SECONDS`). Its live heap grows by less than 15 %, and every
 * answer agrees with the stored data.
 */
import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { existsSync, readFileSync, watch, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { aFolder, type BuiltPod, startPod } from "../support/builtPod.ts"
import { ask, type RequestHeaders, createKey, createWorkspace, signInOwner, revoke } from "../support/client.ts"
import { aPreparedFolder } from "../support/podPair.ts"
import { aDatabaseOn, describePostgres } from "../support/postgres.ts"
import { faultsByApi, startWriting } from "../support/writers.ts"

const soakMs = Number(process.env["SOAK_SECONDS"] ?? 600) * 1000
const spellRequests = 2_000
const deletersMax = 16
const growthMax = 1.15 // greatest growth of the live heap from the second to the last third of the run

const memoryMb = ({ pid }: BuiltPod): number => {
  const path = `/proc/${pid}/status`
  if (!existsSync(path)) return 0 // Only Linux has this file. Elsewhere the output does not show the memory.
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(path, "utf8"))?.[1]) / 1024
}

/** The settings of a pod that reports its live heap at a signal, and the function that reads the next report. */
const aHeapReport = (folder: string) => {
  const path = join(folder, "heap")
  const hook = pathToFileURL(join(import.meta.dirname, "../support/heapHook.mjs"))
  writeFileSync(path, "")
  return {
    environment: { NODE_OPTIONS: `--import=${hook.href}?${encodeURIComponent(path)}` },
    liveMb: async ({ pid }: BuiltPod): Promise<number> => {
      const watcher = watch(path)
      const changed = once(watcher, "change")
      process.kill(pid, "SIGUSR2")
      await changed
      watcher.close()
      return Number(readFileSync(path, "utf8").trim().split("\n").at(-1)) / 1024 ** 2
    }
  }
}

const meanOf = (numbers: ReadonlyArray<number>): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length

const soak = async (pod: BuiltPod, liveMb: (pod: BuiltPod) => Promise<number>, what: string) => {
  const session = await signInOwner(pod.baseUrl)
  const { headers } = await createKey(pod.baseUrl, session)
  const workspaceId = await createWorkspace(pod.baseUrl, session, "Soaked")
  const credential = async (): Promise<RequestHeaders> => {
    const short = await createKey(pod.baseUrl, session)
    await ask(pod.baseUrl, "GET", "/api/hub/entities", short.headers)
    await revoke(pod.baseUrl, session, short.id)
    return short.headers
  }
  /**
   * Deletes the entities that one part of the run has created. Otherwise the search index would keep all their words in
   * memory, and the heap would grow.
   */
  const removeAll = async (ids: ReadonlyArray<string>) => {
    const waiting = [...ids]
    const remover = async () => {
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        const { status } = await ask(pod.baseUrl, "DELETE", `/api/hub/entities/${id}`, headers)
        assert.strictEqual(status, 200)
      }
    }
    await Promise.all(Array.from({ length: deletersMax }, remover))
  }
  const live: Array<number> = []
  const resident: Array<number> = []
  let requests = 0
  const end = Date.now() + soakMs
  while (Date.now() < end || live.length < 6) {
    const writing = startWriting({ baseUrls: [pod.baseUrl], headers, workspaceId, writers: 16 })
    const dead: Array<RequestHeaders> = []
    for (let keys = 0; keys < 5; keys++) dead.push(await credential())
    await writing.acknowledged(spellRequests)
    const ledger = await writing.stop()
    assert.deepStrictEqual(ledger.surprises, [])
    assert.deepStrictEqual(await faultsByApi(pod.baseUrl, headers, ledger), [])
    for (const gone of dead) {
      assert.strictEqual((await ask(pod.baseUrl, "GET", "/api/hub/entities", gone)).status, 401)
    }
    const { status } = await ask(pod.baseUrl, "GET", "/api/hub/entities?q=mark", headers)
    assert.strictEqual(status, 200)
    await removeAll([...ledger.entities.keys()])
    requests += ledger.attempts.length + ledger.entities.size
    live.push(await liveMb(pod))
    resident.push(memoryMb(pod))
  }
  const shown = (numbers: ReadonlyArray<number>) => numbers.map((mb) => mb.toFixed(0)).join(" ")
  process.stdout.write(`${what}: ${requests} requests; live heap ${shown(live)} MB; memory ${shown(resident)} MB\n`)
  const third = Math.floor(live.length / 3)
  assert.isBelow(meanOf(live.slice(-third)) / meanOf(live.slice(third, 2 * third)), growthMax)
  assert.strictEqual((await ask(pod.baseUrl, "GET", "/readyz")).status, 200)
  assert.deepStrictEqual(await pod.terminate(), { code: 0, signal: null })
}

const timeout = 2 * soakMs + 300_000

describe("a pod on PGlite", () => {
  it(
    "in ten minutes of work, the live heap of a pod on PGlite grows by less than 15 % from the second to the last third",
    async () => {
      const folder = await aPreparedFolder()
      const { environment, liveMb } = aHeapReport(folder.path)
      const pod = await startPod({ dataDir: folder.path, environment })
      await soak(pod, liveMb, "PGlite").finally(() => pod.kill())
      folder.remove()
    },
    timeout
  )
})

describePostgres("a pod on PostgreSQL", (server) => {
  it(
    "in ten minutes of work, the live heap of a pod on PostgreSQL grows by less than 15 % from the second to the last third",
    async () => {
      const database = await aDatabaseOn(server)
      const folder = aFolder()
      const { environment, liveMb } = aHeapReport(folder.path)
      const pod = await startPod({
        dataDir: folder.path,
        environment: { ...environment, POD_DATABASE_URL: database.url }
      })
      await soak(pod, liveMb, "PostgreSQL").finally(() => pod.kill())
      folder.remove()
      await database.drop()
    },
    timeout
  )
})
