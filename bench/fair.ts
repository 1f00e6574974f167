/**
 * Measures whether costly reads with one key slow down the reads with another key. Measures the latency of small reads
 * twice: first without other load, and then while costly reads run. The option `costly` gives their number.
 */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { benchServer } from "./database.ts"
import { Connections, type Request } from "./load.ts"
import { aStand, type Stand } from "./stand.ts"

const { values: options } = parseArgs({
  options: {
    rows: { type: "string", default: "150000" },
    seconds: { type: "string", default: "20" },
    costly: { type: "string", default: "12" },
    dist: { type: "string" }
  }
})

const seconds = Number(options.seconds)
const costly = Number(options.costly)
const say = (text: string) => process.stdout.write(`${text}\n`)
// the compiled benchmark runs from .test-state/bench/bench, three levels below the root of the project
const root = fileURLToPath(new URL("../../../", import.meta.url))

const hub = "/api/hub"
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const at = (sorted: ReadonlyArray<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/**
 * A list of reads that examine many rows: searches (for a common word, a phrase, an exclusion and a misspelt word), a
 * late page of a list, the list of workspaces, and the overview for an agent.
 */
const costlyReads: ReadonlyArray<string> = [
  "/entities?q=words&limit=100",
  `/entities?q=${encodeURIComponent('"words about record"')}&limit=100`,
  `/entities?q=${encodeURIComponent("record -words")}&limit=100`,
  "/entities?q=recrod&limit=100",
  "/entities?limit=100&offset=9900",
  "/workspaces",
  "/orient"
]

const smallRead = (stand: Stand, key: string, index: number): Request => ({
  method: "GET",
  path: `${hub}/entities/${stand.entityIds[index % stand.entityIds.length]}`,
  headers: bearer(key)
})

/** Sends small reads one after the other until the time `untilMs`. Returns the milliseconds of each read, sorted. */
const smallReads = async (stand: Stand, untilMs: number): Promise<ReadonlyArray<number>> => {
  const connections = new Connections(stand.pod.port, 1)
  await connections.open()
  const tookMs: Array<number> = []
  for (let index = 0; performance.now() < untilMs; index++) {
    const startedMs = performance.now()
    const { body, status } = await connections.ask(smallRead(stand, stand.agentKey, index))
    if (status !== 200) throw new Error(`a small read answered ${status}: ${body.slice(0, 300)}`)
    tookMs.push(performance.now() - startedMs)
  }
  connections.close()
  return tookMs.sort((one, other) => one - other)
}

/**
 * Sends costly reads until the time `untilMs`. At every moment, `costly` of these reads run together. Returns the
 * number of answers with each status.
 */
const costlyOnes = async (stand: Stand, untilMs: number): Promise<ReadonlyMap<number, number>> => {
  const answers = new Map<number, number>()
  await Promise.all(
    Array.from({ length: costly }, async (_, first) => {
      const connections = new Connections(stand.pod.port, 1)
      await connections.open()
      for (let index = first; performance.now() < untilMs; index++) {
        const path = `${hub}${costlyReads[index % costlyReads.length]}`
        const { status } = await connections.ask({ method: "GET", path, headers: bearer(stand.key) })
        answers.set(status, (answers.get(status) ?? 0) + 1)
      }
      connections.close()
    })
  )
  return answers
}

const sayPercentiles = (title: string, sorted: ReadonlyArray<number>) =>
  say(
    `| ${title} | ${sorted.length} | ${[0.5, 0.95, 0.99, 1].map((share) => at(sorted, share).toFixed(1)).join(" / ")} |`
  )

const server = await benchServer()
const stand = await aStand({
  serverUrl: server.url,
  dist: options.dist ?? join(root, "dist"),
  rows: Number(options.rows),
  visibleShare: 1
})
try {
  // The first search waits until the pod has built the search index. The measurement must not include this wait.
  const warm = new Connections(stand.pod.port, 1)
  await warm.open()
  for (const startedMs = performance.now(); performance.now() - startedMs < 120_000;) {
    const { status } = await warm.ask({ method: "GET", path: `${hub}${costlyReads[0]}`, headers: bearer(stand.key) })
    // With this status, the index is ready.
    if (status === 200) break
  }
  for (const path of costlyReads) {
    const startedMs = performance.now()
    const { status } = await warm.ask({ method: "GET", path: `${hub}${path}`, headers: bearer(stand.key) })
    say(`${path}: ${status}, ${(performance.now() - startedMs).toFixed(0)} ms alone`)
  }
  warm.close()
  await smallReads(stand, performance.now() + 3_000)
  say(`\n| small reads, ${options.rows} rows | number | p50 / p95 / p99 / most, ms |\n| --- | --- | --- |`)
  sayPercentiles("alone", await smallReads(stand, performance.now() + seconds * 1000))
  const untilMs = performance.now() + seconds * 1000
  const [small, answers] = await Promise.all([smallReads(stand, untilMs), costlyOnes(stand, untilMs)])
  sayPercentiles(`beside ${costly} costly reads at a time of another key`, small)
  say(`The costly reads: ${[...answers].map(([status, number]) => `${number} × ${status}`).join(", ")}`)
} finally {
  await stand.stop()
  await server.stop()
}
