/** A pod with automation rules, and the calls that the tests of rules share. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { AutomationStore } from "../../src/features/automations/AutomationStore.ts"
import { EventCursors } from "../../src/features/events/EventCursors.ts"
import { Jobs } from "../../src/platform/jobs/Jobs.ts"
import { aPod, type Caller, type PodHooks, type Storage, type TestPod } from "./pod.ts"
import { aMoment } from "./aMoment.ts"

export interface AutomationScene {
  readonly pod: TestPod
  /** Creates a rule and returns its id. The rule is for the whole pod unless `more` says something else. */
  readonly rule: (sentence: object | string, more?: object, caller?: Caller) => Promise<string>
  readonly change: (ruleId: string, change: object, caller?: Caller) => Promise<any>
  readonly remove: (ruleId: string, caller?: Caller) => Promise<number>
  readonly entity: (draft: object, caller?: Caller) => Promise<string>
  readonly read: (id: string, caller?: Caller) => Promise<any>
  /** Returns the entities with this profile, newest first. */
  readonly kept: (profileSlug: string, caller?: Caller) => Promise<ReadonlyArray<any>>
  readonly runs: (ruleId: string, caller?: Caller) => Promise<ReadonlyArray<any>>
  /** Requests the list of runs of a rule again and again until `fits` accepts the list. Returns that list. */
  readonly untilRuns: (
    ruleId: string,
    fits: (listed: ReadonlyArray<any>) => boolean,
    caller?: Caller
  ) => Promise<ReadonlyArray<any>>
  /** Waits until the rule has one run and this run has ended. Returns the run. */
  readonly ended: (ruleId: string, caller?: Caller) => Promise<any>
  readonly events: (type: string, caller?: Caller) => Promise<ReadonlyArray<any>>
  readonly log: (more?: object, caller?: Caller) => Promise<any>
  /** Waits until the pod has read every event in the log and no run of a rule is waiting or in progress. */
  readonly settled: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** True if the pod has read every event and no run of a rule is waiting or in progress. */
const isIdle = Effect.gen(function* () {
  const [first] = yield* (yield* EventCursors).spacesWithUnread("automations.plan", 1)
  const [due] = yield* (yield* AutomationStore).due(1)
  const states = yield* (yield* Jobs).states
  const queues = states.filter(({ queue }) => queue.startsWith("automations."))
  return first === undefined && due === undefined && queues.every(({ running, waiting }) => running + waiting === 0)
})

export const hasEnded = ({ status }: { readonly status: string }): boolean => status !== "running"

export const aScene = async (storage: Storage, hooks: PodHooks = {}): Promise<AutomationScene> => {
  const pod = await aPod(storage, {}, hooks)
  const ok = async (asked: ReturnType<Caller["send"]>) => {
    const { body, status } = await asked
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body
  }
  const data = async (asked: ReturnType<Caller["mutate"]>) => (await ok(asked)).result.data
  const rule: AutomationScene["rule"] = async (sentence, more = {}, caller = pod.owner) => {
    const draft = { intent: "A rule of a test", scope: { kind: "pod" }, sentence, ...more }
    return (await ok(caller.send("POST", "/api/hub/rules", draft))).ruleId
  }
  const runs: AutomationScene["runs"] = (ruleId, caller = pod.owner) =>
    data(caller.query("automations.listRuns", { ruleId, limit: 200 }))
  const untilRuns: AutomationScene["untilRuns"] = async (ruleId, fits, caller) => {
    for (;;) {
      const listed = await runs(ruleId, caller)
      if (fits(listed)) return listed
      await aMoment()
    }
  }
  const log: AutomationScene["log"] = (more = {}, caller = pod.owner) =>
    data(caller.mutate("events.log", { type: "test.happened", ...more }))
  // The pod reads the log only while a rule waits for events. So the scene makes a rule whose event never happens.
  await rule({ when: "never.happens", then: "notify me" })
  return {
    pod,
    rule,
    runs,
    untilRuns,
    log,
    change: async (ruleId, change, caller = pod.owner) => ok(caller.send("PATCH", `/api/hub/rules/${ruleId}`, change)),
    remove: async (ruleId, caller = pod.owner) => (await caller.send("DELETE", `/api/hub/rules/${ruleId}`)).status,
    entity: async (draft, caller = pod.owner) => (await ok(caller.send("POST", "/api/hub/entities", draft))).id,
    read: (id, caller = pod.owner) => ok(caller.send("GET", `/api/hub/entities/${id}`)),
    kept: (profileSlug, caller = pod.owner) =>
      ok(caller.send("GET", `/api/hub/entities?profileSlug=${profileSlug}&limit=1000`)),
    ended: async (ruleId, caller) =>
      (await untilRuns(ruleId, ([run]) => run !== undefined && hasEnded(run), caller))[0],
    events: (type, caller = pod.owner) => data(caller.query("events.list", { type, limit: 100 })),
    settled: async () => {
      // Before each check, the test sends a request. While the pod serves the request, the timers of the pod can run.
      for (;;) {
        await pod.owner.send("GET", "/api/hub/rules?limit=1")
        if (await pod.run(isIdle)) return
        await aMoment()
      }
    },
    stop: () => pod.stop()
  }
}
