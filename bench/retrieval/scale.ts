/** Measures an index of many generated documents: its memory, the time to index a document, and the time of a query. */
import type { PostingIndex } from "../../src/features/search/postings/PostingIndex.ts"
import { randomFrom } from "../../test/support/random.ts"
import type { Collection } from "./collection.ts"
import { ask, type Asking, indexOf, type Text } from "./inProcess.ts"
import { quantiles } from "./quality.ts"
import { padded } from "./table.ts"

const shares = [1, 0.5, 0.1, 0.01, 0.001]
// A query asks for this many hits.
const most = 100
// This share of the words are identifiers. Almost every identifier is in only one document.
const rareShare = 0.04
const identifiers = 200_000
// This many questions are measured. Each question is asked twice, and only the second answer is measured.
const asked = 75

/** Gives each document a kind. So a caller who may read only some kinds sees a fixed share of the documents. */
const kindOf = (at: number): string => `kind-${shares.findLast((share) => at % 1000 < share * 1000)}`
const kindsOf = (share: number): ReadonlyArray<string> =>
  shares.filter((each) => each <= share).map((each) => `kind-${each}`)

/**
 * Generates texts. Each text is a passage of 30 to 290 words from a random place in the collection. Rare identifiers
 * replace some of the words.
 */
export function* made(collection: Collection, count: number): Generator<Text> {
  const upTo = randomFrom(7)
  const words = collection.documents.flatMap(({ text }) => text.split(/\s+/))
  const windowOf = (length: number) => {
    const start = upTo(words.length - length)
    return words
      .slice(start, start + length)
      .map((word) => (upTo(100) < rareShare * 100 ? `id${upTo(identifiers)}x` : word))
      .join(" ")
  }
  for (let at = 0; at < count; at++) {
    yield {
      id: String(at).padStart(8, "0"),
      kind: kindOf(at),
      title: windowOf(4 + upTo(8)),
      text: windowOf(30 + upTo(261))
    }
  }
}

const cpuMs = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1000
}

const heapBytes = (): number => {
  globalThis.gc?.()
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Measures the processor time of each query, and the longest time for which a query blocked the event loop. */
const measure = (
  index: PostingIndex,
  queries: ReadonlyArray<string>,
  scope: Pick<Asking, "visible" | "kinds">,
  byWordsAlone: boolean
) => {
  const cpu: Array<number> = []
  let longestMs = 0
  for (let round = 0; round < 2; round++) {
    for (const query of queries) {
      const [before, started] = [cpuMs(), performance.now()]
      ask(index, { query, ...scope, limit: most, byWordsAlone })
      if (round === 0) continue
      cpu.push(cpuMs() - before)
      longestMs = Math.max(longestMs, performance.now() - started)
    }
  }
  return { cpu, longestMs }
}

const aScope = (count: number, share: number): ReadonlySet<string> | null => {
  if (share === 1) return null
  const upTo = randomFrom(11)
  return new Set(
    Array.from({ length: count }, (_, at) => String(at).padStart(8, "0")).filter(() => upTo(1000) < share * 1000)
  )
}

export const scale = (collection: Collection, count: number): string => {
  const texts = [...made(collection, count)]
  const heapBefore = heapBytes()
  const cpuBefore = cpuMs()
  const index = indexOf(texts)
  const indexing = cpuMs() - cpuBefore
  const grown = heapBytes() - heapBefore
  const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(0)
  const queries = collection.questions.slice(0, asked).map(({ text }) => text)
  const rows = shares.flatMap((share) =>
    [
      { by: "kinds", scope: { visible: null, kinds: kindsOf(share) } },
      { by: "ids", scope: { visible: aScope(count, share) } }
    ].map(({ by, scope }) => {
      const plain = measure(index, queries, scope, true)
      const whole = measure(index, queries, scope, false)
      const longest = Math.max(plain.longestMs, whole.longestMs).toFixed(1)
      return [`${share * 100} %`, by, quantiles(plain.cpu), quantiles(whole.cpu), longest]
    })
  )
  return [
    `${count.toLocaleString("en")} made documents, ${index.vocabulary.length.toLocaleString("en")} words, ${queries.length} questions in process`,
    `a document: ${((indexing * 1000) / count).toFixed(0)} µs CPU; memory: ${megabytes(index.bytes)} MB by its own estimate, ${megabytes(grown)} MB of heap and buffers`,
    "",
    padded([
      ["visible", "by", "words alone, CPU ms p50 / p95", "with feedback, CPU ms p50 / p95", "longest block, wall ms"],
      ...rows
    ])
  ].join("\n")
}
