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
import { aStand, type StandOptions } from "./stand.ts"

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    profile: { type: "boolean", default: false },
    only: { type: "string" },
    rounds: { type: "string" },
    "in-flight": { type: "string" },
    "floor-lanes": { type: "string" },
    dist: { type: "string" },
    beside: { type: "string" }
  }
})

const root = fileURLToPath(new URL("../../../", import.meta.url)) // the compiled file is in .test-state/bench/bench
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

const say = (text: string) => process.stdout.write(`${text}\n`)

const section = async (title: string, of: StandOptions, which: ReadonlyArray<Scenario>): Promise<Section> => {
  const stand = await aStand({ ...of, beside: other, floorLanes: options["floor-lanes"] ?? "0" })
  try {
    const measured: Array<Measured> = []
    for (const scenario of which) measured.push(await measure(scenario, stand, plan))
    const done = { title, measured }
    say(tableOf(done))
    return done
  } finally {
    await stand.stop()
  }
}

const server = await benchServer()
try {
  if (options.profile) {
    await profile({ serverUrl: server.url, dist, outFolder: `${root}bench/out` }, chosen, say)
  } else {
    const sections = [
      await section(
        "50,000 rows, of which the caller may see 1 %; CPU is server + PostgreSQL, microseconds a request",
        { serverUrl: server.url, dist, rows: 50_000, visibleShare: 0.01 },
        chosen
      )
    ]
    if (besideEachOther.length > 0 && other === undefined) {
      sections.push(
        await section(
          "The pod beside itself, 5,000 rows: what is named first, then (in the column of the floor) what it is measured by",
          { serverUrl: server.url, dist, rows: 5_000, visibleShare: 1 },
          besideEachOther
        )
      )
    }
    const scaled = chosen.filter(({ name }) => ["get", "list", "create"].includes(name))
    for (const rows of options.quick || other !== undefined || scaled.length === 0 ? [] : [1_000, 100_000]) {
      sections.push(
        await section(
          `${rows.toLocaleString("en")} rows, all of which the caller may see`,
          { serverUrl: server.url, dist, rows, visibleShare: 1 },
          scaled
        )
      )
    }
    say(`Kept in ${keep(`${root}bench/out`, sections)}`)
  }
} finally {
  await server.stop()
}
