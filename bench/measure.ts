/**
 * Measures one scenario. Checks that the pod and the floor (the minimal server for comparison) give the same answers,
 * and then measures both in alternating rounds.
 */
import { isDeepStrictEqual } from "node:util"
import { cpuOf } from "./cpu.ts"
import type { Served } from "./child.ts"
import { Connections, isSuccess } from "./load.ts"
import type { Scenario } from "./scenarios.ts"
import type { Stand } from "./stand.ts"

/**
 * The medians of the pod or of the minimal server (the floor) over all rounds. The processor times are microseconds for
 * each request.
 */
export interface Side {
  readonly serverCpu: number
  /** Undefined if the database server does not run on this machine, because its processor time is then unknown. */
  readonly databaseCpu: number | undefined
  readonly p50Ms: number
  readonly p99Ms: number
  readonly requestsPerSecond: number
}

export interface Measured {
  readonly name: string
  readonly title: string
  readonly target: number
  readonly pod: Side
  readonly floor: Side
  /**
   * The processor time of the pod and its database, divided by that of the minimal server (the floor) and its database.
   * This is the median over all rounds.
   */
  readonly ratio: number
  readonly requests: number
}

interface Round {
  readonly serverCpu: number
  readonly databaseCpu: number | undefined
  readonly tookMs: Float64Array
  readonly seconds: number
}

// If two answers differ, the error message shows this many characters of each.
const saidMax = 1500

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = [...values].sort((left, right) => left - right)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

const quantile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]

const totalOf = ({ databaseCpu, serverCpu }: Round | Side) => serverCpu + (databaseCpu ?? 0)

/**
 * Returns the JSON of an answer, or of the only server-sent event in it. Leaves out the fields that are different in
 * every answer.
 */
const comparable = (body: string, ownFields: ReadonlyArray<string>): unknown => {
  const text = body.startsWith("{") || body.startsWith("[") ? body : (/^data: (.*)$/m.exec(body)?.[1] ?? body)
  return JSON.parse(text, (name, value: unknown) => (ownFields.includes(name) ? undefined : value))
}

/**
 * Returns the request for the pod or for the minimal server (the floor). Both get the same request, unless the scenario
 * has a separate request for the minimal server, or for the product that is measured instead of this server.
 */
const requestOf = ({ against, peer, request }: Scenario, side: "pod" | "floor") =>
  side === "floor" ? (against ?? peer ?? request) : request

/**
 * Fails unless the pod and the minimal server both succeed, write the number of events that the scenario names, and
 * answer with the same content. The content of two different requests is not compared. If another product is measured
 * instead of the minimal server, checks only that both succeed.
 */
const assertSame = async (scenario: Scenario, stand: Stand, sides: Readonly<Record<"pod" | "floor", Connections>>) => {
  const ask = async (side: "pod" | "floor") => {
    const before = await stand.countEvents?.()
    const { body, status } = await sides[side].ask(requestOf(scenario, side)(stand, 0))
    const after = await stand.countEvents?.()
    if (!isSuccess(status)) throw new Error(`${scenario.name}: the ${side} answered ${status}: ${body.slice(0, 300)}`)
    if (scenario.peer !== undefined) return undefined
    const appended = after === undefined || before === undefined ? undefined : after - before
    if (appended !== undefined && appended !== (scenario.appends ? 1 : 0)) {
      throw new Error(`${scenario.name}: the ${side} appended ${appended} events`)
    }
    return comparable(body, scenario.ownFields)
  }
  const pod = await ask("pod")
  const floor = await ask("floor")
  if (scenario.against === undefined && !isDeepStrictEqual(pod, floor)) {
    const [one, other] = [pod, floor].map((answer) => JSON.stringify(answer).slice(0, saidMax))
    throw new Error(`${scenario.name}: answers differ\npod   ${one}\nfloor ${other}`)
  }
}

const roundOf = async (
  request: Scenario["request"],
  stand: Stand,
  server: Served,
  connections: Connections,
  count: number
): Promise<Round> => {
  const serverBefore = cpuOf(server.pid)
  const databaseBefore = stand.databaseCpu()
  const startedMs = performance.now()
  const tookMs = await connections.drive((index) => request(stand, index), count)
  const seconds = (performance.now() - startedMs) / 1000
  const databaseAfter = stand.databaseCpu()
  return {
    serverCpu: (cpuOf(server.pid) - serverBefore) / count,
    databaseCpu:
      databaseBefore === undefined || databaseAfter === undefined
        ? undefined
        : (databaseAfter - databaseBefore) / count,
    tookMs,
    seconds
  }
}

const sideOf = (rounds: ReadonlyArray<Round>): Side => {
  const all = Float64Array.from(rounds.flatMap(({ tookMs }) => [...tookMs])).sort()
  const seen = rounds.flatMap(({ databaseCpu }) => (databaseCpu === undefined ? [] : [databaseCpu]))
  return {
    serverCpu: median(rounds.map(({ serverCpu }) => serverCpu)),
    databaseCpu: seen.length === 0 ? undefined : median(seen),
    p50Ms: quantile(all, 0.5),
    p99Ms: quantile(all, 0.99),
    requestsPerSecond: median(rounds.map(({ seconds, tookMs }) => tookMs.length / seconds))
  }
}

/**
 * Each side gets this many requests before the measured rounds. After these, the JavaScript engine has compiled the
 * pod's code (measured).
 */
const warmUpRequests = 6_000

/** Measures a scenario. A small `scale` shortens the rounds, for a quick run. */
export const measure = async (
  scenario: Scenario,
  stand: Stand,
  { inFlight, rounds, scale }: { readonly inFlight: number; readonly rounds: number; readonly scale: number }
): Promise<Measured> => {
  const servers = { pod: stand.pod, floor: scenario.against === undefined ? stand.floor : stand.pod }
  const sides = {
    pod: new Connections(servers.pod.port, inFlight),
    floor: new Connections(servers.floor.port, inFlight)
  }
  await Promise.all([sides.pod.open(), sides.floor.open()])
  try {
    await assertSame(scenario, stand, sides)
    const count = Math.round(scenario.count * scale)
    const warmUps = Math.ceil(warmUpRequests / count)
    const run = (side: "pod" | "floor") => roundOf(requestOf(scenario, side), stand, servers[side], sides[side], count)
    const pairs: Array<{ readonly pod: Round; readonly floor: Round }> = []
    for (let at = -warmUps; at < rounds; at++) {
      // The pod and the minimal server (the floor) take turns to run first, because the round before still affects the
      // server that runs first.
      const first = (at + warmUps) % 2 === 0 ? "pod" : "floor"
      const one = await run(first)
      const other = await run(first === "pod" ? "floor" : "pod")
      if (at >= 0) pairs.push(first === "pod" ? { pod: one, floor: other } : { pod: other, floor: one })
    }
    return {
      name: scenario.name,
      title: scenario.title,
      target: scenario.target,
      pod: sideOf(pairs.map(({ pod }) => pod)),
      floor: sideOf(pairs.map(({ floor }) => floor)),
      ratio: median(pairs.map(({ floor, pod }) => totalOf(pod) / totalOf(floor))),
      requests: count * rounds
    }
  } finally {
    sides.pod.close()
    sides.floor.close()
  }
}
