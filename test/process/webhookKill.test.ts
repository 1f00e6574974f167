/** A pod that is killed while it delivers: after its restart every committed event reaches the receiver, and no other does. */
import { assert, describe, it } from "@effect/vitest"
import { Webhook as StandardWebhook } from "standardwebhooks"
import { afterAll, beforeAll } from "vitest"
import { aFolder, startPod } from "../support/builtPod.ts"
import { ask, signInOwner, type RequestHeaders } from "../support/client.ts"
import { aPreparedFolder } from "../support/podPair.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../support/postgres.ts"
import { aReceiver } from "../support/receiver.ts"

const patience = { timeout: 180_000 } // two starts, and the calls of the killed pod are made again after half a minute
const writers = 6
const type = "test.happened"

/** Logs events until the pod is gone; the ids of those that it acknowledged. */
const writing = (baseUrl: string, session: RequestHeaders, acknowledged: Set<string>, enough: number) => {
  let reached = () => {}
  const hasEnough = new Promise<void>((resolve) => (reached = resolve))
  const one = async () => {
    for (;;) {
      const answer = await ask(baseUrl, "POST", "/trpc/events.log", session, { type }).catch(() => null)
      if (answer === null) return
      assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
      acknowledged.add(answer.body.result.data.id)
      if (acknowledged.size >= enough) reached()
    }
  }
  return { hasEnough, ended: Promise.all(Array.from({ length: writers }, one)) }
}

const killedWhileDelivering = async (environment: Readonly<Record<string, string>>) => {
  const folder = "POD_DATABASE_URL" in environment ? aFolder() : await aPreparedFolder()
  const receiver = await aReceiver()
  const start = () =>
    startPod({ dataDir: folder.path, environment: { ...environment, POD_WEBHOOK_ALLOW: "127.0.0.1" } })
  let pod = await start()
  try {
    let session = await signInOwner(pod.baseUrl)
    const draft = { name: "Killed", url: receiver.url, eventTypes: [type] }
    const made = await ask(pod.baseUrl, "POST", "/trpc/webhooks.create", session, draft)
    const acknowledged = new Set<string>()
    const load = writing(pod.baseUrl, session, acknowledged, 300)
    // Some events were delivered, and others wait.
    await Promise.all([load.hasEnough, receiver.until((_call, calls) => calls.length >= 40)])
    await pod.kill()
    await load.ended
    const beforeRestart = receiver.calls.length
    pod = await start()
    session = await signInOwner(pod.baseUrl)
    const committed: Array<string> = []
    for (let offset = 0; ; offset += 100) {
      const input = encodeURIComponent(JSON.stringify({ type, limit: 100, offset }))
      const { body } = await ask(pod.baseUrl, "GET", `/trpc/events.list?input=${input}`, session)
      const page = body.result.data.map(({ id }: { readonly id: string }) => id)
      committed.push(...page)
      if (page.length < 100) break
    }
    for (const id of acknowledged) assert.include(committed, id)
    const ids = () => new Set(receiver.calls.map(({ body }) => body.id as string))
    await receiver.until(() => ids().size >= committed.length)
    assert.isBelow(beforeRestart, receiver.calls.length, "nothing was left to deliver")
    assert.sameMembers([...ids()], committed)
    const pairs = new Set(receiver.calls.map(({ body, headers }) => `${body.id} ${headers["webhook-id"] as string}`))
    assert.strictEqual(pairs.size, committed.length, "an event has more than one webhook-id")
    const verifier = new StandardWebhook(made.body.result.data.secret)
    for (const { headers, text } of receiver.calls) verifier.verify(text, headers as Record<string, string>)
    return { committed: committed.length, calls: receiver.calls.length, beforeRestart }
  } finally {
    await pod.kill()
    await receiver.stop()
    folder.remove()
  }
}

describe("a pod on PGlite that is killed while it delivers", () => {
  it("after its restart a killed pod on PGlite delivers every committed event, and no other", patience, async () => {
    const { beforeRestart, calls } = await killedWhileDelivering({})
    assert.isAbove(calls, beforeRestart)
  })
})

describePostgres("a pod on PostgreSQL that is killed while it delivers", (server) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await aDatabaseOn(server)
  })
  afterAll(() => database.drop())

  it(
    "after its restart a killed pod on PostgreSQL delivers every committed event, and no other",
    patience,
    async () => {
      const { beforeRestart, calls } = await killedWhileDelivering({ POD_DATABASE_URL: database.url })
      assert.isAbove(calls, beforeRestart)
    }
  )
})
