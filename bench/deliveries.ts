/**
 * Measures webhooks on both database engines (embedded and PostgreSQL): how many deliveries the pod makes in a second,
 * and how long after the commit the deliveries arrive. Also measures what a write costs if 0, 10 or 100 webhooks
 * receive its event.
 */
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { serve } from "./child.ts"
import { cpuOfFamily } from "./cpu.ts"
import { benchServer } from "./database.ts"

const { values: options } = parseArgs({
  options: {
    events: { type: "string", default: "1000" },
    rounds: { type: "string", default: "30" },
    engines: { type: "string", default: "pglite,postgres" },
    dist: { type: "string" }
  }
})

const eventCount = Number(options.events)
const rounds = Number(options.rounds)
const followers = [0, 10, 100]
// This many events are written at the same time.
const writers = 4
const say = (text: string) => process.stdout.write(`${text}\n`)
/** Waits one second, because the pod stores the results of its calls only after a short delay. */
const rest = () => new Promise((resolve) => setTimeout(resolve, 1000))
// the compiled benchmark runs from .test-state/bench/bench, three levels below the root of the project
const root = fileURLToPath(new URL("../../../", import.meta.url))
const dist = options.dist ?? join(root, "dist")

const at = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0
const ms = (value: number) => value.toFixed(1)

/**
 * Starts a receiver that accepts every call. The receiver counts the calls, and records the time of the first call for
 * each event.
 */
const aReceiver = async () => {
  const receivedAt = new Map<string, number>()
  let calls = 0
  let look = () => {}
  const server = createServer((request, response) => {
    const id = request.headers["x-svc-event-id"]
    request.resume()
    request.on("end", () => {
      calls += 1
      if (typeof id === "string" && !receivedAt.has(id)) receivedAt.set(id, performance.now())
      response.writeHead(204).end()
      look()
    })
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`,
    receivedAt,
    calls: () => calls,
    until: (enough: () => boolean) =>
      new Promise<void>((done) => {
        look = () => {
          if (enough()) done()
        }
        look()
      }),
    stop: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}

const run = async (engine: string, databaseUrl: string | undefined) => {
  const folder = mkdtempSync(join(tmpdir(), "pod-bench-"))
  const password = randomBytes(18).toString("hex")
  const pod = await serve(
    "the pod",
    [join(dist, "main.js")],
    {
      ...(databaseUrl === undefined ? {} : { POD_DATABASE_URL: databaseUrl }),
      POD_DATA_DIR: folder,
      POD_PORT: "0",
      POD_RATE_LIMIT: "1000000",
      POD_OWNER_EMAIL: "owner@example.com",
      POD_OWNER_PASSWORD: password,
      POD_WEBHOOK_ALLOW: "127.0.0.1",
      POD_LOG_FORMAT: "json"
    },
    folder
  )
  const receiver = await aReceiver()
  const post = async (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`http://127.0.0.1:${pod.port}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body)
    })
    if (response.status !== 200) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`)
    // `any` is enough here, because a benchmark reads only the values that it expects.
    return (await response.json()) as any
  }
  const { token } = await post("/auth/sign-in", { email: "owner@example.com", password })
  const session = { "x-session-token": token as string }
  const typeOf = (count: number) => `bench.followed_by_${count}`
  const follow = (type: string) =>
    post("/trpc/webhooks.create", { name: "Bench", url: receiver.url, eventTypes: [type] }, session)
  const log = async (type: string) => {
    const { result } = await post("/trpc/events.log", { type }, session)
    return result.data.id as string
  }
  /**
   * Writes one event and waits until every webhook has received it. Returns how much time and how much processor time
   * passed until the answer, and until the last delivery.
   */
  const write = async (count: number) => {
    const [calls, cpu, begun] = [receiver.calls(), cpuOfFamily(pod.pid), performance.now()]
    await log(typeOf(count))
    const answered = performance.now() - begun
    const answeredCpu = cpuOfFamily(pod.pid) - cpu
    await receiver.until(() => receiver.calls() >= calls + count)
    return { answered, answeredCpu, cpu: cpuOfFamily(pod.pid) - cpu, arrived: performance.now() - begun }
  }
  /**
   * Writes events one after the other without a pause, while the pod delivers earlier events. Returns the times of the
   * answers.
   */
  const burst = async (count: number, length: number) => {
    const calls = receiver.calls()
    const answers: Array<number> = []
    for (let each = 0; each < length; each++) {
      const begun = performance.now()
      await log(typeOf(count))
      answers.push(performance.now() - begun)
    }
    await receiver.until(() => receiver.calls() >= calls + count * length)
    return answers
  }

  for (const count of followers) for (let each = 0; each < count; each++) await follow(typeOf(count))
  const measured = new Map(followers.map((count) => [count, [] as Array<Awaited<ReturnType<typeof write>>>]))
  for (let round = -3; round < rounds; round++) {
    // The rounds alternate between the numbers of webhooks, so that other load on the machine affects all measurements
    // equally.
    for (const count of followers) {
      await rest()
      const done = await write(count)
      if (round >= 0) measured.get(count)?.push(done)
    }
  }
  const p50 = (count: number) => at(measured.get(count)?.map(({ answered }) => answered) ?? [], 0.5)
  for (const [count, writes] of measured) {
    const answers = writes.map(({ answered }) => answered)
    say(
      `${engine}: a write that ${count} webhooks follow: p50 ${ms(at(answers, 0.5))} ms, p95 ${ms(at(answers, 0.95))} ms, ` +
        `${(p50(count) / p50(0)).toFixed(2)} times the write that nobody follows; processor ${ms(
          at(
            writes.map(({ answeredCpu }) => answeredCpu),
            0.5
          ) / 1000
        )} ms until its answer, ` +
        `${ms(
          at(
            writes.map(({ cpu }) => cpu),
            0.5
          ) / 1000
        )} ms with its deliveries, the last of which arrived after ${ms(
          at(
            writes.map(({ arrived }) => arrived),
            0.5
          )
        )} ms`
    )
  }
  const bursts = new Map(followers.map((count) => [count, [] as Array<number>]))
  for (let round = 0; round < 3; round++) {
    for (const count of followers) bursts.get(count)?.push(...(await burst(count, 10)))
  }
  for (const [count, answers] of bursts) {
    say(
      `${engine}: ten writes without a pause that ${count} webhooks follow: p50 ${ms(at(answers, 0.5))} ms, p95 ${ms(at(answers, 0.95))} ms each`
    )
  }

  await follow("bench.flow")
  const committedAt = new Map<string, number>()
  const begun = performance.now()
  const writer = async () => {
    for (let each = 0; each < eventCount / writers; each++) {
      const id = await log("bench.flow")
      committedAt.set(id, performance.now())
    }
  }
  await Promise.all(Array.from({ length: writers }, writer))
  const wrote = performance.now() - begun
  await receiver.until(() => [...committedAt.keys()].every((id) => receiver.receivedAt.has(id)))
  const took = performance.now() - begun
  const delays = [...committedAt].map(([id, commit]) => Math.max(0, (receiver.receivedAt.get(id) ?? 0) - commit))
  say(
    `${engine}: ${committedAt.size} events for one webhook, logged in ${ms(wrote)} ms: ${((committedAt.size * 1000) / took).toFixed(0)} deliveries a second, ` +
      `from the answer of the write to the receipt p50 ${ms(at(delays, 0.5))} ms, p99 ${ms(at(delays, 0.99))} ms`
  )
  receiver.stop()
  await pod.stop()
  rmSync(folder, { recursive: true, force: true })
}

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
