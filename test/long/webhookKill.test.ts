/**
 * Kills the pod and its database two hundred times in the middle of deliveries. The webhook gets every committed event
 * of the types that it asks for, and no other event. The events of a subject arrive in the order of the log.
 */
import { assert, describe, it } from "@effect/vitest"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll } from "vitest"
import { aFolder, startPod } from "../support/builtPod.ts"
import { ask, signInOwner, type RequestHeaders } from "../support/client.ts"
import { crashServer } from "../support/crashedServer.ts"
import { aPreparedFolder } from "../support/podPair.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../support/postgres.ts"
import { serverBinaries, startCluster } from "../support/postgresCluster.ts"
import { aReceiver, type ReceivedCall } from "../support/receiver.ts"

const type = "test.happened"
const writers = 4
const leastEachRound = 12 // The receiver gets at least this many calls before each kill.
// More writes would only make a longer queue, because after a kill the pod makes no call until the leases of the killed
// pod have ended.
const writesEachRound = 60

const patienceMs = 10_800_000 // In ms. After each kill, a pod starts, and waits up to 30 s until leases end.

/** Returns the number of kills of each sort. `POD_TEST_KILLS` can set a smaller number. */
const kills = (standard: number) => Number(process.env["POD_TEST_KILLS"] ?? standard)

interface Struck {
  readonly rounds: number
  readonly environment?: Readonly<Record<string, string>>
  /** Kills the database and starts it again. If absent, the test kills the pod instead. */
  readonly crash?: () => Promise<void>
}

/**
 * Logs the events of one round, which are about a few subjects. Ends when all events are logged or `stop` is called.
 * Adds the id of each acknowledged event to `acknowledged`.
 */
const writing = (baseUrl: string, session: RequestHeaders, acknowledged: Set<string>) => {
  const subjects = Array.from({ length: writers }, () => randomUUID())
  const order = { isStopped: false, left: writesEachRound }
  const one = async (subjectId: string) => {
    while (!order.isStopped && order.left > 0) {
      order.left -= 1
      const answer = await ask(baseUrl, "POST", "/trpc/events.log", session, { type, subjectId }).catch(() => null)
      if (answer === null) return
      if (answer.status === 200) acknowledged.add(answer.body.result.data.id)
      else assert.strictEqual(answer.status, 503, JSON.stringify(answer.body))
    }
  }
  const ended = Promise.all(subjects.map(one))
  return { stop: () => ((order.isStopped = true), ended) }
}

const committedIds = async (baseUrl: string, session: RequestHeaders) => {
  const committed: Array<string> = []
  for (let cursor: string | undefined = ""; cursor !== undefined;) {
    const page = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`
    const url = `/api/hub/events?type=${type}&limit=200${page}`
    const answer: Awaited<ReturnType<typeof ask>> = await ask(baseUrl, "GET", url, session)
    // A database server that was crashed a moment ago can still be in its recovery.
    if (answer.status === 503) continue
    assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
    committed.push(...answer.body.map(({ id }: { readonly id: string }) => id))
    cursor = answer.headers.get("x-svc-next-cursor") ?? undefined
  }
  return committed
}

/**
 * Returns the subjects whose events arrived in another order than in the log. If an event arrived several times, only
 * its first arrival is considered.
 */
const disordered = (calls: ReadonlyArray<ReceivedCall>): ReadonlyArray<string> => {
  const last = new Map<string, number>()
  const seen = new Set<string>()
  const found: Array<string> = []
  for (const { body } of calls) {
    if (seen.has(body.id)) continue
    seen.add(body.id)
    if ((last.get(body.subjectId) ?? 0) > body.seq) found.push(body.subjectId)
    last.set(body.subjectId, body.seq)
  }
  return found
}

const deliveredDespiteKills = async ({ crash, environment = {}, rounds }: Struck) => {
  const folder = "POD_DATABASE_URL" in environment ? aFolder() : await aPreparedFolder()
  const receiver = await aReceiver()
  const start = () =>
    startPod({ dataDir: folder.path, environment: { ...environment, POD_WEBHOOK_ALLOW: "127.0.0.1" } })
  let pod = await start()
  try {
    const session = await signInOwner(pod.baseUrl)
    const draft = { name: "Killed", url: receiver.url, eventTypes: [type], retryConfig: { maxRetries: 9 } }
    const made = await ask(pod.baseUrl, "POST", "/trpc/webhooks.create", session, draft)
    assert.strictEqual(made.status, 200, JSON.stringify(made.body))
    const acknowledged = new Set<string>()
    for (let round = 0; round < rounds; round++) {
      const before = receiver.calls.length
      const enough = leastEachRound + Math.floor(Math.random() * leastEachRound)
      const load = writing(pod.baseUrl, session, acknowledged)
      await receiver.until((_call, calls) => calls.length >= before + enough)
      if (crash === undefined) {
        await pod.kill()
        await load.stop()
        pod = await start()
      } else {
        await crash()
        await load.stop()
      }
    }
    const committed = await committedIds(pod.baseUrl, session)
    for (const id of acknowledged) assert.include(committed, id)
    const received = () => new Set(receiver.calls.map(({ body }) => body.id as string))
    const beforeEnd = received().size
    await receiver.until(() => received().size >= committed.length)
    assert.sameMembers([...received()], committed)
    assert.deepStrictEqual(disordered(receiver.calls), [])
    const pairs = new Set(receiver.calls.map(({ body, headers }) => `${body.id} ${headers["webhook-id"] as string}`))
    assert.strictEqual(pairs.size, committed.length, "an event has more than one webhook-id")
    return { committed: committed.length, calls: receiver.calls.length, beforeEnd }
  } finally {
    await pod.kill()
    await receiver.stop()
    folder.remove()
  }
}

const run = async (what: string, struck: Struck) => {
  const { beforeEnd, calls, committed } = await deliveredDespiteKills(struck)
  process.stdout.write(
    `${what}, ${struck.rounds} kills: ${committed} committed, ${calls} calls, ${beforeEnd} events before the last start\n`
  )
}

describe("deliveries of a pod on PGlite that is killed", () => {
  it(
    "a pod on PGlite delivers every committed event, in order, when it is killed 100 times",
    { timeout: patienceMs },
    () => run("PGlite", { rounds: kills(100) })
  )
})

describePostgres("deliveries of a pod on PostgreSQL that is killed", (server) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await aDatabaseOn(server)
  })
  afterAll(() => database.drop())

  it(
    "a pod on PostgreSQL delivers every committed event, in order, when it is killed 80 times",
    { timeout: patienceMs },
    () => run("PostgreSQL", { rounds: kills(80), environment: { POD_DATABASE_URL: database.url } })
  )

  it(
    "a pod delivers every committed event, in order, when its PostgreSQL server crashes 20 times",
    { timeout: patienceMs },
    async () => {
      const binaries = await serverBinaries()
      // Other suites use the server of this run, so this test starts a separate server and crashes it.
      assert.isDefined(binaries, "this machine has no PostgreSQL binaries for a server to crash")
      const cluster = await startCluster(binaries ?? "")
      try {
        const environment = { POD_DATABASE_URL: cluster.url }
        await run("PostgreSQL, crashed", { rounds: kills(20), environment, crash: () => crashServer(cluster.url) })
      } finally {
        await cluster.stop()
      }
    }
  )
})
