/**
 * Measures how fast a pod writes, recalls and searches the facts of one person. Repeats the measurement on both
 * database engines (embedded and PostgreSQL), with a few facts and with many facts.
 */
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { serve } from "./child.ts"
import { cpuOfFamily } from "./cpu.ts"
import pg from "pg"
import { benchServer } from "./database.ts"
import { profileFlags, profileText } from "./profile.ts"
import { analyzeAsAutovacuum, asking } from "./seed.ts"

const { values: options } = parseArgs({
  options: {
    sizes: { type: "string", default: "0,1000,10000" },
    engines: { type: "string", default: "pglite,postgres" },
    measured: { type: "string", default: "100" },
    profile: { type: "boolean", default: false }
  }
})

const hub = "/api/hub/memory"
const turnsAtOnce = 200
const measured = Number(options.measured)
const say = (text: string) => process.stdout.write(`${text}\n`)

const quantile = (values: ReadonlyArray<number>, share: number) =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

const names = ["Ana", "Ben", "Mira", "Jonas", "Lea", "Tom", "Ida", "Kai"]
const verbs = ["likes", "visited", "reviewed", "planned", "repaired", "described", "compared", "ordered"]
const things = ["harbour", "engine", "garden", "budget", "release", "library", "recipe", "trail", "server", "contract"]

/** Makes a different sentence for each number. The words repeat about as often as in real texts. */
const sentence = (at: number) => {
  const pick = (list: ReadonlyArray<string>, by: number) => list[Math.floor(at / by) % list.length]
  const rare = (at * 2_654_435_761) % 40_000
  return `${pick(names, 1)} ${pick(verbs, 8)} the ${pick(things, 64)} near place${rare} because of word${(at * 40_503) % 3_000} and item${at}.`
}

/** Returns the processor time of the pod so far, in microseconds. */
let cpu: () => number = () => 0

const timed = async (
  count: number,
  work: (at: number) => Promise<{ readonly status: number; readonly body: unknown }>
) => {
  const times: Array<number> = []
  const before = cpu()
  for (let at = 0; at < count; at++) {
    const begun = performance.now()
    const { body, status } = await work(at)
    times.push(performance.now() - begun)
    if (status !== 200) throw new Error(`status ${status}: ${JSON.stringify(body)}`)
  }
  const spent = (cpu() - before) / 1000 / count
  return `${quantile(times, 0.5).toFixed(1)} / ${quantile(times, 0.95).toFixed(1)} (${spent.toFixed(1)})`
}

/** Makes a vector with a different direction for each number. */
const embedding = (seed: number) =>
  Array.from({ length: 1536 }, (_, at) => Math.sin((at + 1) * (seed + 1) * 12.9898) * 0.5)

// the compiled benchmark runs from .test-state/bench/bench, three levels below the root of the project
const root = fileURLToPath(new URL("../../../", import.meta.url))

const profileFile = join(root, "bench/out/profiles/memory.cpuprofile")

/** Starts the pod of the build. Without a database URL, the pod uses its embedded database. */
const aServer = async (databaseUrl: string | undefined) => {
  const folder = mkdtempSync(join(tmpdir(), "pod-bench-"))
  const password = randomBytes(18).toString("hex")
  const pod = await serve(
    "the pod",
    [...(options.profile ? profileFlags(profileFile) : []), join(root, "dist", "main.js")],
    {
      ...(databaseUrl === undefined ? {} : { POD_DATABASE_URL: databaseUrl }),
      POD_DATA_DIR: folder,
      POD_PORT: "0",
      POD_RATE_LIMIT: "1000000",
      POD_OWNER_EMAIL: "owner@example.com",
      POD_OWNER_PASSWORD: password,
      POD_LOG_FORMAT: "json"
    },
    folder
  )
  const send = async (method: string, path: string, body?: unknown, token?: string) => {
    const response = await fetch(`http://127.0.0.1:${pod.port}${path}`, {
      method,
      headers: { "content-type": "application/json", ...(token === undefined ? {} : { "x-session-token": token }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    // `any` is enough here, because a benchmark reads only the values that it expects.
    return { status: response.status, body: (await response.json()) as any }
  }
  cpu = () => cpuOfFamily(pod.pid)
  const { token, user } = (await send("POST", "/auth/sign-in", { email: "owner@example.com", password })).body
  return {
    userId: user.id as string,
    send: (method: string, path: string, body?: unknown) => send(method, path, body, token),
    beginProfile: () => process.kill(pod.pid, "SIGUSR2"),
    stop: async () => {
      await pod.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/**
 * Runs ANALYZE on the filled tables. Autovacuum is off here, but a usual server would already have analysed these
 * tables.
 */
const analyzed = async (url: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query("ANALYZE memory_facts")
  await analyzeAsAutovacuum(asking(client))
  await client.end()
}

const run = async (engine: string, databaseUrl: string | undefined) => {
  const { beginProfile, send, stop, userId } = await aServer(databaseUrl)
  const post = (path: string, body: unknown) => send("POST", `${hub}${path}`, body)
  let kept = 0
  let next = 0
  for (const size of options.sizes.split(",").map(Number)) {
    const begun = performance.now()
    const before = kept
    while (kept < size) {
      const count = Math.min(turnsAtOnce, size - kept)
      const turns = Array.from({ length: count }, () => ({ role: "user", content: sentence(next++) }))
      await post("/turns", { sessionId: `session ${kept}`, turns })
      kept += count
    }
    if (databaseUrl !== undefined) await analyzed(databaseUrl)
    const seeded =
      kept === before ? "" : `, seeded ${kept - before} in ${((performance.now() - begun) / 1000).toFixed(1)} s`
    const entity = await timed(measured, (at) =>
      send("POST", "/api/hub/entities", { title: `Note ${size} ${at}`, profileSlug: "note" })
    )
    const write = await timed(measured, () => post("", { fact: sentence(next++) }))
    const turn = await timed(measured, (at) =>
      post("/turns", { sessionId: `live ${size}`, turns: [{ role: "user", content: `${at} ${sentence(next++)}` }] })
    )
    const withVector = await timed(measured, () => post("", { fact: sentence(next), embedding: embedding(next++) }))
    kept += 3 * measured
    const question = (at: number) => encodeURIComponent(sentence(at * 37))
    const recall = await timed(measured, (at) => send("GET", `${hub}?q=${question(at)}`))
    const recallLive = await timed(measured, async (at) => {
      await post("", { fact: sentence(next++) })
      return send("GET", `${hub}?q=${question(at)}`)
    })
    kept += measured
    const search = await timed(measured, (at) => post("/search", { userId, embedding: embedding(at) }))
    say(
      `${engine} at ${size}: an entity for comparison ${entity}, write ${write}, turn ${turn}, with embedding ${withVector}, recall ${recall}, write and recall ${recallLive}, search ${search}${seeded}`
    )
  }
  if (options.profile) {
    beginProfile()
    await timed(measured, () => post("", { fact: sentence(next++) }))
  }
  await stop()
  if (options.profile) say(profileText(`${engine}: writes of one fact`, profileFile))
}

say("milliseconds over HTTP, p50 / p95 (CPU of the pod)")
for (const engine of options.engines.split(",")) {
  if (engine === "pglite") {
    await run("pglite", undefined)
    continue
  }
  const server = await benchServer()
  try {
    await run("postgres", server.url)
  } finally {
    await server.stop()
  }
}
