/**
 * `npm run bench`: compares the pod with a minimal server that does the same work on the same database. Measures the
 * two servers in turns.
 */
import { fileURLToPath } from "node:url"
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { benchServer } from "./database.ts"
import { inFlightUsual } from "./load.ts"
import { type Measured, measure } from "./measure.ts"
import { profile } from "./profile.ts"
import { keep, type Section, tableOf } from "./report.ts"
import { comparisons, type Scenario, scenarios } from "./scenarios.ts"
import { anEmbeddedStand } from "./embeddedStand.ts"
import { aStand, type Stand, type StandOptions } from "./stand.ts"

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    profile: { type: "boolean", default: false },
    embedded: { type: "boolean", default: false },
    rows: { type: "string" },
    only: { type: "string" },
    rounds: { type: "string" },
    "in-flight": { type: "string" },
    "floor-lanes": { type: "string" },
    dist: { type: "string" },
    beside: { type: "string" }
  }
})

// the compiled benchmark runs from .test-state/bench/bench, three levels below the root of the project
const root = fileURLToPath(new URL("../../../", import.meta.url))
const dist = options.dist === undefined ? `${root}dist` : resolve(options.dist)
const other = options.beside === undefined ? undefined : resolve(options.beside)
const plan = {
  inFlight: Number(options["in-flight"] ?? inFlightUsual),
  rounds: options.rounds === undefined ? (options.quick ? 3 : 5) : Number(options.rounds),
  scale: options.quick ? 0.3 : 1
}
const isChosen = ({ name }: Scenario) => options.only?.split(",").includes(name) ?? true
const chosen = scenarios.filter(isChosen)
const besideEachOther = comparisons.filter(isChosen)

// The targets for few requests at the same time. The statements of few requests cannot share much work, so these
// targets are higher than the targets for 32 requests at the same time.
const fewInFlightTargets: Readonly<Record<string, number>> = { get: 1.6, create: 1.8 }
const pipelinedLanes = "3"

// The target on the embedded engine. The cost of the pod must be at most this many times the cost of the minimal server
// (the floor).
const embeddedTarget = 3

const say = (text: string) => process.stdout.write(`${text}\n`)

const rows = Number(options.rows ?? 50_000)

type Filled = Pick<StandOptions, "floorLanes" | "rows" | "visibleShare">

const section = async (
  title: string,
  of: Filled,
  which: ReadonlyArray<Scenario>,
  startStand: (of: Filled) => Promise<Stand>,
  inFlight = plan.inFlight
): Promise<Section> => {
  const stand = await startStand(of)
  try {
    const measured: Array<Measured> = []
    for (const scenario of which) measured.push(await measure(scenario, stand, { ...plan, inFlight }))
    const done = { title, measured }
    say(tableOf(done))
    return done
  } finally {
    await stand.stop()
  }
}

const shownRows = (count: number) => count.toLocaleString("en")

/** Measures the embedded engine. The minimal server (the floor) uses a copy of the pod's database. */
const onEmbedded = () =>
  section(
    `The embedded engine, ${shownRows(rows)} rows, of which the caller may see 1 %; CPU of each server, microseconds a request`,
    { rows, visibleShare: 0.01 },
    chosen.map((scenario) => ({ ...scenario, target: scenario.name === "livez" ? scenario.target : embeddedTarget })),
    (of) => anEmbeddedStand({ ...of, dist })
  )

const onPostgres = async (serverUrl: string): Promise<Array<Section>> => {
  const startStand = (of: Filled) =>
    aStand({ ...of, serverUrl, dist, beside: other, floorLanes: of.floorLanes ?? options["floor-lanes"] ?? "0" })
  const sections = [
    await section(
      `${shownRows(rows)} rows, of which the caller may see 1 %; CPU is server + PostgreSQL, microseconds a request`,
      { rows, visibleShare: 0.01 },
      chosen,
      startStand
    )
  ]
  if (besideEachOther.length > 0 && other === undefined) {
    sections.push(
      await section(
        "The pod beside itself, 5,000 rows: what is named first, then (in the column of the floor) what it is measured by",
        { rows: 5_000, visibleShare: 1 },
        besideEachOther,
        startStand
      )
    )
  }
  const scaled = chosen.filter(({ name }) => ["get", "list", "create"].includes(name))
  const isShort = options.quick || other !== undefined || options.rows !== undefined || scaled.length === 0
  if (!isShort && options["in-flight"] === undefined) {
    const few = scaled.flatMap((scenario) => {
      const target = fewInFlightTargets[scenario.name]
      return target === undefined ? [] : [{ ...scenario, target }]
    })
    for (const inFlight of [1, 4]) {
      const title = `${inFlight} in flight instead of ${plan.inFlight}, ${shownRows(rows)} rows`
      sections.push(await section(title, { rows, visibleShare: 0.01 }, few, startStand, inFlight))
    }
  }
  if (!isShort && options["floor-lanes"] === undefined) {
    const title = `Beside a floor that sends statements before earlier ones are answered, on ${pipelinedLanes} connections`
    const without = scaled.map((scenario) => ({ ...scenario, target: Number.POSITIVE_INFINITY }))
    const of = { rows, visibleShare: 0.01, floorLanes: pipelinedLanes }
    sections.push(await section(title, of, without, startStand))
  }
  for (const count of isShort ? [] : [1_000, 100_000]) {
    const title = `${shownRows(count)} rows, all of which the caller may see`
    sections.push(await section(title, { rows: count, visibleShare: 1 }, scaled, startStand))
  }
  return sections
}

const outFolder = `${root}bench/out`

if (options.embedded) {
  say(`Kept in ${keep(outFolder, [await onEmbedded()])}`)
} else {
  const server = await benchServer()
  try {
    if (options.profile) await profile({ serverUrl: server.url, dist, outFolder }, chosen, say)
    else {
      const sections = await onPostgres(server.url)
      const isWhole = !options.quick && other === undefined && options.only === undefined && options.rows === undefined
      if (isWhole) sections.push(await onEmbedded())
      say(`Kept in ${keep(outFolder, sections)}`)
    }
  } finally {
    await server.stop()
  }
}
