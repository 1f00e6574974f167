/**
 * Measures the cost of event streams on both database engines (embedded and PostgreSQL): the memory and processor time
 * of idle streams, and the processor time for each event that is sent.
 */
import { randomBytes } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { type IncomingMessage, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { serve } from "./child.ts"
import { cpuOfFamily } from "./cpu.ts"
import { benchServer, cpuOfServer } from "./database.ts"

const { values: options } = parseArgs({
  options: {
    streams: { type: "string", default: "1000" },
    frames: { type: "string", default: "1,100,1000" },
    seconds: { type: "string", default: "20" },
    engines: { type: "string", default: "pglite,postgres" }
  }
})

const count = Number(options.streams)
const seconds = Number(options.seconds)
const frameCounts = options.frames.split(",").map(Number)
// A measurement sends at least this many messages, and at least twenty events.
const framesLeast = 1_000
// The pod allows this many open streams for one key.
const perKey = 50
const say = (text: string) => process.stdout.write(`${text}\n`)
// the compiled benchmark runs from .test-state/bench/bench, three levels below the root of the project
const root = fileURLToPath(new URL("../../../", import.meta.url))
const rest = () => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

/** Returns the memory (RAM) that a process uses, in MB. */
const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024

/**
 * Measures the streams on one database engine. `database` returns the processor time of PostgreSQL so far, in
 * microseconds.
 */
const run = async (engine: string, databaseUrl: string | undefined, database: () => number) => {
  const folder = mkdtempSync(join(tmpdir(), "pod-bench-"))
  const password = randomBytes(18).toString("hex")
  const pod = await serve(
    "the pod",
    [join(root, "dist", "main.js")],
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
  const post = async (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`http://127.0.0.1:${pod.port}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body)
    })
    // `any` is enough here, because a benchmark reads only the values that it expects.
    return (await response.json()) as any
  }
  const { token } = await post("/auth/sign-in", { email: "owner@example.com", password })
  const session = { "x-session-token": token as string }
  const seen = { events: 0 }
  const open = (key: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(
        {
          host: "127.0.0.1",
          port: pod.port,
          path: "/api/hub/events/stream",
          headers: { authorization: `Bearer ${key}` },
          agent: false
        },
        (response) => {
          response.setEncoding("utf8")
          response.on("data", (part: string) => (seen.events += part.split("event: event\n").length - 1))
          response.on("error", () => {})
          if (response.statusCode === 200) resolve(response)
          else reject(new Error(`a stream was answered ${response.statusCode}`))
        }
      )
      sent.once("error", reject)
      sent.end()
    })
  const cpuWhile = async (work: () => Promise<unknown>) => {
    const before = cpuOfFamily(pod.pid)
    const begun = performance.now()
    await work()
    return `${((cpuOfFamily(pod.pid) - before) / 10 / (performance.now() - begun)).toFixed(2)} % of a processor`
  }
  const streams: Array<IncomingMessage> = []
  /** Opens streams until `wanted` streams are open. Makes a new key after each `perKey` streams. */
  const openUntil = async (wanted: number) => {
    while (streams.length < wanted) {
      const order = { keyName: `streams ${streams.length}`, scope: ["realtime:observe"], grant: { permissions: ["*"] } }
      const { result } = await post("/trpc/apiKeys.create", order, session)
      const most = Math.min(perKey, wanted - streams.length)
      streams.push(...(await Promise.all(Array.from({ length: most }, () => open(result.data.key as string)))))
    }
  }
  const close = () => streams.splice(0).forEach((stream) => stream.destroy())
  /**
   * Writes one event, and waits until every open stream has received it. Returns the milliseconds until the answer, and
   * until the last stream has received the event.
   */
  const tell = async (): Promise<readonly [answered: number, reached: number]> => {
    seen.events = 0
    const begun = performance.now()
    await post("/trpc/events.log", { type: "bench.happened" }, session)
    const answered = performance.now() - begun
    while (seen.events < streams.length) await new Promise((resolve) => setImmediate(resolve))
    return [answered, performance.now() - begun]
  }
  /**
   * Returns the processor time for each message, in microseconds. A write can cause many messages, so each time
   * includes a share of the time of the write.
   */
  const frameCost = async (wanted: number): Promise<string> => {
    await openUntil(wanted)
    const events = Math.max(20, Math.ceil(framesLeast / wanted))
    // The events of this loop are not measured. They give the JavaScript engine time to compile the code.
    for (let event = 0; event < events; event++) await tell()
    const [before, databaseBefore] = [cpuOfFamily(pod.pid), database()]
    for (let event = 0; event < events; event++) await tell()
    const frames = events * wanted
    const [server, stored] = [cpuOfFamily(pod.pid) - before, database() - databaseBefore]
    close()
    return `${wanted} streams: ${Math.round(server / frames)} + ${Math.round(stored / frames)} µs a frame`
  }
  await rest()
  const idle = await cpuWhile(rest)
  const before = memoryOf(pod.pid)
  const begun = performance.now()
  await openUntil(count)
  const opened = ((performance.now() - begun) / count).toFixed(2)
  await rest()
  const open1000 = await cpuWhile(rest)
  const memory = ((memoryOf(pod.pid) - before) * 1024) / count
  const [answered, reached] = await tell()
  say(
    `${engine}: no stream ${idle}; ${count} open streams ${open1000}, ${memory.toFixed(1)} KiB of memory each; opened in ${opened} ms each; ` +
      `one event was answered after ${answered.toFixed(0)} ms and had reached all ${count} after ${reached.toFixed(0)} ms`
  )
  close()
  for (const wanted of frameCounts) say(`${engine}, ${await frameCost(wanted)}`)
  await pod.stop()
  rmSync(folder, { recursive: true, force: true })
}

for (const engine of options.engines.split(",")) {
  if (engine === "pglite") {
    await run("pglite", undefined, () => 0)
    continue
  }
  const server = await benchServer()
  try {
    await run("postgres", server.url, await cpuOfServer(server.url))
  } finally {
    await server.stop()
  }
}
