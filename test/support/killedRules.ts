/**
 * Kills a pod while its automation rules run. After the restart each event must have one run, and no step may be
 * missing or repeated.
 */
import { assert } from "@effect/vitest"
import { aFolder, startPod } from "./builtPod.ts"
import { ask, signInOwner, type RequestHeaders } from "./client.ts"
import { aPreparedFolder } from "./podPair.ts"
import { aMoment } from "./aMoment.ts"

const ruleCount = 10
const eventsOfRule = 12

const okay = async (asked: ReturnType<typeof ask>) => {
  const { body, status } = await asked
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body
}

const asking = (baseUrl: string, session: RequestHeaders) => ({
  rule: async (at: number): Promise<string> => {
    const steps = `create a task called First ${at}, then create a task called Second ${at}`
    const draft = { intent: "A test", scope: { kind: "pod" }, sentence: { when: `killed.rule-${at}`, then: steps } }
    return (await okay(ask(baseUrl, "POST", "/api/hub/rules", session, draft))).ruleId
  },
  log: (at: number) => ask(baseUrl, "POST", "/trpc/events.log", session, { type: `killed.rule-${at}` }),
  query: async (path: string, input: object): Promise<ReadonlyArray<any>> => {
    const text = encodeURIComponent(JSON.stringify(input))
    return (await okay(ask(baseUrl, "GET", `/trpc/${path}?input=${text}`, session))).result.data
  },
  tasks: async (): Promise<ReadonlyArray<any>> =>
    okay(ask(baseUrl, "GET", "/api/hub/entities?profileSlug=task&limit=1000", session))
})

/**
 * Fails if a run or a step is missing or was done twice. `environment` contains settings of the pod, such as its
 * database.
 */
export const killedWhileRunning = async (environment: Readonly<Record<string, string>>) => {
  const folder = "POD_DATABASE_URL" in environment ? aFolder() : await aPreparedFolder()
  const start = () => startPod({ dataDir: folder.path, environment })
  let pod = await start()
  try {
    let calls = asking(pod.baseUrl, await signInOwner(pod.baseUrl))
    const ruleIds: Array<string> = []
    for (let at = 0; at < ruleCount; at++) ruleIds.push(await calls.rule(at))
    // The pod is killed as soon as half of the events are logged, so the last runs have not ended.
    let logged = 0
    let isHalfLogged = () => {}
    const half = new Promise<void>((resolve) => (isHalfLogged = resolve))
    const logging = Array.from({ length: ruleCount * eventsOfRule }, async (_, count) => {
      const answer = await calls.log(count % ruleCount).catch(() => null)
      if (answer?.status === 200 && (logged += 1) === (ruleCount * eventsOfRule) / 2) isHalfLogged()
    })
    await half
    await pod.kill()
    const killedAt = new Date().toISOString()
    await Promise.all(logging)
    pod = await start()
    calls = asking(pod.baseUrl, await signInOwner(pod.baseUrl))
    const made: Array<string> = []
    let endedLater = 0
    for (const [at, ruleId] of ruleIds.entries()) {
      const events = await calls.query("events.list", { type: `killed.rule-${at}`, limit: 100 })
      for (;;) {
        const runs = await calls.query("automations.listRuns", { ruleId, limit: 100 })
        if (runs.length < events.length || runs.some(({ finishedAt }) => finishedAt === null)) {
          await aMoment()
          continue
        }
        assert.sameMembers(
          runs.map(({ eventId }) => eventId),
          events.map(({ id }) => id)
        )
        for (const { error, finishedAt, output } of runs) {
          if (finishedAt > killedAt) endedLater++
          assert.isNull(error)
          assert.lengthOf(output.steps, 2)
          made.push(...output.steps.map(({ id }: { readonly id: string }) => id))
        }
        break
      }
    }
    assert.sameMembers(
      (await calls.tasks()).map(({ id }) => id),
      made
    )
    assert.isAbove(endedLater, 0, "every run had ended before the kill")
  } finally {
    await pod.kill()
    folder.remove()
  }
}
