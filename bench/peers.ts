/**
 * Compares the pod with Parse Server on the same PostgreSQL. Parse Server is a product for records with accounts and
 * access lists. It has no rules that hold writes back for approval, and keeps no events. It is not a dependency of the
 * pod, so install it in another folder first.
 */
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import pg from "pg"
import { type Served, serve } from "./child.ts"
import { benchServer } from "./database.ts"
import { Connections, inFlightUsual, type Request } from "./load.ts"
import { type Measured, measure } from "./measure.ts"
import { keep, tableOf } from "./report.ts"
import { type Scenario, scenarios } from "./scenarios.ts"
import { aStand } from "./stand.ts"

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "5" }, rows: { type: "string", default: "5000" } }
})
// The folder with Parse Server and express.
const [folder = ""] = positionals
const rows = Number(options.rows)
// the compiled benchmark runs from .test-state/bench/bench, three levels below the root of the project
const root = fileURLToPath(new URL("../../../", import.meta.url))
const say = (text: string) => process.stdout.write(`${text}\n`)
// The cost of the pod must be at most this share of the cost of Parse Server.
const target = 0.5

const application = { "x-parse-application-id": "bench" }

interface Caller {
  readonly headers: Readonly<Record<string, string>>
  readonly acl: Readonly<Record<string, { readonly read: boolean; readonly write: boolean }>>
  readonly recordIds: ReadonlyArray<string>
}

const recordAt = (at: number) => ({
  profileSlug: "task",
  title: `Task ${at}`,
  description: "Call back, agree on the next step and write down who does what until when.",
  properties: { status: "open", priority: at % 5, tags: ["alpha", "beta"] }
})

/** Signs a user up, and creates records that belong to this user. */
const aParseCaller = async (port: number): Promise<Caller> => {
  const connections = new Connections(port, 1)
  await connections.open()
  const post = async (path: string, headers: Request["headers"], body: unknown) => {
    const answer = await connections.ask({
      method: "POST",
      path: `/parse${path}`,
      headers: { ...application, ...headers, "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${answer.body}`)
    return JSON.parse(answer.body)
  }
  const user = await post("/users", {}, { username: "bench", password: randomBytes(18).toString("hex") })
  const headers = { ...application, "x-parse-session-token": user.sessionToken as string }
  const acl = { [user.objectId as string]: { read: true, write: true } }
  const recordIds: Array<string> = []
  for (let at = 0; at < rows; at++) {
    const made = await post("/classes/Record", headers, { ...recordAt(at), ACL: acl })
    recordIds.push(made.objectId as string)
  }
  connections.close()
  return { headers, acl, recordIds }
}

const compared = ({ acl, headers, recordIds }: Caller): ReadonlyArray<Scenario> => {
  const get = (path: string): Request => ({ method: "GET", path: `/parse/classes/Record${path}`, headers })
  const peers: Readonly<Record<string, NonNullable<Scenario["peer"]>>> = {
    get: (_, at) => get(`/${recordIds[at % recordIds.length]}`),
    list: () => get("?limit=50&order=-updatedAt"),
    create: (_, at) => ({
      method: "POST",
      path: "/parse/classes/Record",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ ...recordAt(at), ACL: acl })
    })
  }
  return scenarios.flatMap((scenario) => {
    const peer = peers[scenario.name]
    return peer === undefined ? [] : [{ ...scenario, peer, target }]
  })
}

const server = await benchServer()
const work = mkdtempSync(join(tmpdir(), "pod-bench-"))
const name = `parse_bench_${randomBytes(4).toString("hex")}`
const admin = new pg.Client({ connectionString: server.url })
await admin.connect()
let parse: Served | undefined
try {
  await admin.query(`CREATE DATABASE ${name}`)
  const url = new URL(server.url)
  url.pathname = `/${name}`
  parse = await serve(
    "Parse Server",
    [join(root, "bench/parseServer.cjs")],
    { NODE_ENV: "production", PARSE_DATABASE_URL: url.href, PARSE_FOLDER: resolve(folder) },
    work
  )
  const caller = await aParseCaller(parse.port)
  const inside = new pg.Client({ connectionString: url.href })
  await inside.connect()
  await inside.query(`CREATE INDEX ON "Record" ("updatedAt")`)
  await inside.query("VACUUM ANALYZE")
  await inside.end()
  const stand = await aStand({ serverUrl: server.url, dist: join(root, "dist"), rows, visibleShare: 1 })
  try {
    const measured: Array<Measured> = []
    const plan = { inFlight: inFlightUsual, rounds: Number(options.rounds), scale: 1 }
    for (const scenario of compared(caller)) measured.push(await measure(scenario, { ...stand, floor: parse }, plan))
    const done = { title: `The pod beside Parse Server (in the column of the floor), ${rows} rows`, measured }
    say(tableOf(done))
    say(`Kept in ${keep(join(root, "bench/out"), [done])}`)
  } finally {
    await stand.stop()
  }
} finally {
  await parse?.stop()
  await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  await admin.end()
  await server.stop()
  rmSync(work, { recursive: true, force: true })
}
