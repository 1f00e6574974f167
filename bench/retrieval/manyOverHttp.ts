/**
 * Writes many documents to a pod over HTTP, and kills the pod in the middle. Measures time, disk, memory, the first
 * search and later searches. Fails if the pod has acknowledged a document but later does not find it.
 */
import type { Collection } from "./collection.ts"
import { quantiles } from "./quality.ts"
import { made } from "./scale.ts"
import type { ServedPod } from "./servedPod.ts"

// This many writes run at the same time.
const connections = 16
// This many questions are asked.
const asked = 50
// This many documents are searched, each by a word that no other document has.
const looked = 200

const search = async (pod: ServedPod, query: string) => {
  const { answers, degraded } = (await pod.post("/api/hub/knowledge/search", { query, limit: 100 })) as {
    readonly degraded: ReadonlyArray<string>
    readonly answers: ReadonlyArray<{ readonly items: ReadonlyArray<{ readonly id: string }> }>
  }
  return { degraded, ids: answers.flatMap(({ items }) => items.map(({ id }) => id)) }
}

const seconds = (ms: number) => (ms / 1000).toFixed(1)

/** Runs the whole measurement of this file. Returns the rows of a table: the name and the value of each measurement. */
export const manyOverHttp = async (
  pod: ServedPod,
  collection: Collection,
  count: number
): Promise<ReadonlyArray<ReadonlyArray<string>>> => {
  const emptyMb = await pod.databaseMb()
  const texts = made(collection, count)
  const wordOf = (at: number) => `unique${at}word`
  const written = new Map<number, string>()
  let begun = 0
  const state = { isKilled: false }
  /** Writes documents until all are written, or until the pod has acknowledged `many` of them. */
  const writeUntil = async (many: number) => {
    const [cpu, started, before] = [pod.cpuMs(), performance.now(), written.size]
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (written.size < many && !state.isKilled) {
          const { done, value } = texts.next()
          if (done === true) return
          const at = begun++
          const body = { workspaceId: pod.workspaceId, title: value.title, content: `${value.text} ${wordOf(at)}` }
          const answer = await pod.post("/api/hub/documents", body).catch((error: unknown) => {
            if (!state.isKilled) throw error
          })
          if (answer !== undefined) written.set(at, (answer as { readonly id: string }).id)
        }
      })
    )
    const each = 1000 / (written.size - before)
    return { wallUs: (performance.now() - started) * each, cpuUs: (pod.cpuMs() - cpu) * each }
  }
  const firstSearch = async () => {
    const [cpu, started] = [pod.cpuMs(), performance.now()]
    while ((await search(pod, "wing")).degraded.length > 0);
    return { wallMs: performance.now() - started, cpuMs: pod.cpuMs() - cpu }
  }

  const part = Math.round(count / 10)
  const first = await writeUntil(part)
  const firstIndexed = await firstSearch()
  await writeUntil(Math.round(count / 2))
  const underWay = writeUntil(count)
  state.isKilled = true
  await pod.killAndStart()
  await underWay
  state.isKilled = false
  await writeUntil(count - part)
  const last = await writeUntil(count)
  const wholeIndexed = await firstSearch()
  const missing: Array<number> = []
  for (let nth = 0; nth < looked; nth++) {
    const [at, id] = [...written][Math.floor((nth * written.size) / looked)]
    if (!(await search(pod, wordOf(at))).ids.includes(id)) missing.push(at)
  }
  if (missing.length > 0)
    throw new Error(`${missing.length} of ${looked} documents are not found, such as ${missing[0]}`)
  const times: Array<number> = []
  for (const question of collection.questions.slice(0, asked)) {
    const started = performance.now()
    await search(pod, question.text)
    times.push(performance.now() - started)
  }
  const timesOf = ({ cpuUs, wallUs }: typeof first) => `${wallUs.toFixed(0)} / ${cpuUs.toFixed(0)}`
  const indexingUs = (firstIndexed.cpuMs * 1000) / part
  return [
    ["a write of the first tenth, wall / CPU of the pod, µs", timesOf(first)],
    ["a write of the last tenth", timesOf(last)],
    ["to index one of the first tenth, CPU of the pod, µs", indexingUs.toFixed(0)],
    ["a write that is indexed beside one that is not, CPU", ((first.cpuUs + indexingUs) / first.cpuUs).toFixed(2)],
    ["the first search of the first tenth, s", seconds(firstIndexed.wallMs)],
    ["the first search of all, after the pod was killed, s", seconds(wholeIndexed.wallMs)],
    ["a search with 100 items, wall ms p50 / p95", quantiles(times)],
    ["the database on the disk, MB", ((await pod.databaseMb()) - emptyMb).toFixed(0)],
    ["the memory of the pod, MB", pod.memoryMb().toFixed(0)],
    ["documents that were looked for and found", `${looked} of ${looked}`]
  ]
}
