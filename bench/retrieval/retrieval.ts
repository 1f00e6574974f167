/**
 * `npm run bench:retrieval`: measures the quality and the speed of search, with a public test collection and with many
 * generated documents.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { serverBinaries } from "../../test/support/postgresCluster.ts"
import { benchServer } from "../database.ts"
import { type Collection, readCollection } from "./collection.ts"
import { type CollectionRun, forms, overHttp } from "./overHttp.ts"
import { parity } from "./parity.ts"
import { meanQuality, quantiles } from "./quality.ts"
import { scale } from "./scale.ts"
import { manyOverHttp } from "./manyOverHttp.ts"
import { aServedPod, type ServedPod } from "./servedPod.ts"
import { padded } from "./table.ts"
import { turns } from "./turns.ts"

const { values: options } = parseArgs({
  options: {
    collection: { type: "string" },
    "limit-docs": { type: "string" },
    engine: { type: "string" },
    only: { type: "string" },
    documents: { type: "string" },
    dist: { type: "string" }
  }
})

// the compiled benchmark runs from .test-state/bench/bench/retrieval, four levels below the root of the project
const root = fileURLToPath(new URL("../../../../", import.meta.url))
const dist = options.dist === undefined ? `${root}dist` : resolve(options.dist)
const out = `${root}bench/out`
const say = (text: string) => process.stdout.write(`${text}\n`)
const isChosen = (part: string) => options.only?.split(",").includes(part) ?? true

if (isChosen("turns")) say(turns(Number(options.documents ?? 150_000)))
// all other parts of the benchmark need a test collection
if (options.only === "turns") process.exit(0)

const named = options.collection ?? process.env["POD_BENCH_COLLECTION"]
const whole = named === undefined ? undefined : readCollection(resolve(named))
if (whole === undefined) {
  say(
    `${named === undefined ? "No test collection is named" : `There is no test collection in ${resolve(named)}`}. Name a folder with cran.all.1400, cran.qry and cranqrel: --collection=<folder>, or POD_BENCH_COLLECTION.`
  )
  process.exit(1)
}
const collection: Collection =
  options["limit-docs"] === undefined
    ? whole
    : { ...whole, documents: whole.documents.slice(0, Number(options["limit-docs"])) }

/** Writes a file with one line for each question. The files of two runs can be compared. */
const keep = (name: string, { answers }: CollectionRun): void => {
  mkdirSync(out, { recursive: true })
  const lines = answers.map(({ question, ranking, ...measured }) =>
    JSON.stringify({ question: question.number, ...measured, ranking: ranking.slice(0, 10) })
  )
  writeFileSync(join(out, `retrieval-${name}.jsonl`), `${lines.join("\n")}\n`)
}

const rowOf = (engine: string, form: string, { answers, indexing, writing }: CollectionRun): ReadonlyArray<string> => {
  const { ndcg10, recall100 } = meanQuality(answers)
  const verdicts = ["confident", "ambiguous", "empty"].map(
    (verdict) => answers.filter((answer) => answer.verdict === verdict).length
  )
  return [
    engine,
    form,
    ndcg10.toFixed(4),
    recall100.toFixed(4),
    verdicts.join(" / "),
    quantiles(answers.map(({ wallMs }) => wallMs)),
    quantiles(answers.map(({ cpuMs }) => cpuMs)),
    `${(writing.wallMs / 1000).toFixed(1)} / ${(writing.cpuMs / 1000).toFixed(1)}`,
    `${(indexing.wallMs / 1000).toFixed(2)} / ${(indexing.cpuMs / 1000).toFixed(2)}`
  ]
}

type WithPod = <A>(work: (pod: ServedPod) => Promise<A>) => Promise<A>

/**
 * Runs the work on each database engine that the options name. `aPod` starts a pod on a new database, and stops this
 * pod at the end.
 */
const onEachEngine = async (work: (engine: string, aPod: WithPod) => Promise<void>): Promise<void> => {
  const engines = [
    { engine: "embedded", server: undefined },
    ...(process.env["POD_TEST_DATABASE_URL"] || (await serverBinaries()) !== undefined
      ? [{ engine: "postgres", server: () => benchServer({ isVacuumed: true }) }]
      : [])
  ].filter(({ engine }) => options.engine === undefined || options.engine === engine)
  if (engines.length === 0) throw new Error("--engine is embedded or postgres, and postgres has to be installed")
  for (const { engine, server } of engines) {
    const started = await server?.()
    try {
      await work(engine, async (use) => {
        const pod = await aServedPod(dist, started?.url)
        return use(pod).finally(pod.stop)
      })
    } finally {
      await started?.stop()
    }
  }
}

const overTheWire = async (): Promise<void> => {
  say(`${collection.documents.length} documents, ${collection.questions.length} questions, over HTTP\n`)
  const rows = [
    [
      "engine",
      "written as",
      "nDCG@10",
      "R@100",
      "confident / ambiguous / empty",
      "a search, wall ms p50 / p95",
      "its CPU ms p50 / p95",
      "writing all, wall / CPU s",
      "first search, wall / CPU s"
    ]
  ]
  await onEachEngine(async (engine, aPod) => {
    for (const form of forms) {
      const run = await aPod((pod) => overHttp(pod, collection, form))
      keep(`${engine}-${form}`, run)
      rows.push([...rowOf(engine, form, run)])
    }
  })
  say(padded(rows))
}

const manyOverTheWire = async (): Promise<void> => {
  const count = Number(options.documents ?? 100_000)
  await onEachEngine(async (engine, aPod) => {
    const rows = await aPod((pod) => manyOverHttp(pod, collection, count))
    say(`\n${padded([[`${count} documents over HTTP, ${engine}`, ""], ...rows.map((row) => [...row])])}`)
  })
}

if (isChosen("http")) await overTheWire()
if (isChosen("many")) await manyOverTheWire()
if (isChosen("parity")) say(parity(collection))
if (isChosen("scale")) say(scale(collection, Number(options.documents ?? 100_000)))
