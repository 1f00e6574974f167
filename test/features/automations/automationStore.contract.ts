/**
 * What the store of firings (starts of rules) promises on each engine: a person sees only their own firings, each event
 * or time starts a rule once, a rule has one run at a time, and no step is lost.
 */
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, type Layer } from "effect"
import { noClient, type ReachShape, systemReach } from "../../../src/doors/Reach.ts"
import {
  type AutomationRuleRecord,
  AutomationRuleRecord as ruleType
} from "../../../src/features/automations/AutomationRule.ts"
import { AutomationRun } from "../../../src/features/automations/AutomationRun.ts"
import { AutomationStore } from "../../../src/features/automations/AutomationStore.ts"
import type { ClaimedFiring, PlannedFiring } from "../../../src/features/automations/Firing.ts"
import { Records } from "../../../src/features/records/Records.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { Transaction } from "../../../src/platform/Transaction.ts"
import { aPassed } from "../../support/passed.ts"
import { aMember } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { withReach, type Stores } from "../../support/stores.ts"

type Store = typeof AutomationStore.Service

const store = <A, E>(reach: ReachShape, call: (store: Store) => Effect.Effect<A, E, any>) =>
  withReach(reach)(Effect.flatMap(AutomationStore, call))

const claimedBy = (reach: ReachShape, ruleId: string, leaseSeconds = 60) =>
  Effect.flatMap(Transaction, ({ exclusively }) =>
    exclusively(
      `automation ${ruleId}`,
      store(reach, ({ claim }) => claim(ruleId, leaseSeconds))
    )
  )

export const aFiring = (homeId: string, ruleId: string, more: Partial<PlannedFiring> = {}): PlannedFiring => ({
  id: uuidv7(),
  homeId,
  ruleId,
  event: { id: uuidv7(), type: "test.happened", spaceId: homeId, seq: 1, personId: uuidv7(), subjectId: uuidv7() },
  scheduledAt: null,
  correlationId: uuidv7(),
  depth: 0,
  ...more
})

const orDie = (claimed: ClaimedFiring | null) => {
  assert.isNotNull(claimed)
  return claimed
}

const runOf = (reach: ReachShape, id: string) =>
  withReach(reach)(Effect.flatMap(Records, ({ get }) => get(AutomationRun, id)))

const made = { kind: "create", status: "done", id: uuidv7() } as const

export const automationStoreContract = (stores: Layer.Layer<Stores>): void => {
  const check = (name: string, body: () => Effect.Effect<void, unknown, Stores>) =>
    it.effect(name, () => Effect.provide(body(), stores))

  const keptRule = (
    personId: string,
    spaceId: string,
    more: Partial<AutomationRuleRecord> & { readonly trigger: object }
  ) =>
    Effect.gen(function* () {
      const { trigger, ...fields } = more
      const id = uuidv7()
      const steps = [{ kind: "notify", whom: "me", text: null }]
      const rule = {
        intent: "a test",
        scope: { kind: "pod" },
        factSkillId: null,
        automationIds: [],
        sentence: null,
        automation: { trigger, conditions: [], steps },
        draft: false
      }
      const kept = { name: "a test", expiresAt: null, keyId: null, active: true, rule, ...fields }
      const reach = systemReach("a test", personId, [spaceId], {
        operation: "a test",
        requestId: uuidv7(),
        client: noClient
      })
      const event = { type: "rule.create", subjectId: id, data: {} }
      yield* withReach(reach)(
        Effect.flatMap(Records, ({ add }) => add(ruleType, { id, spaceId, fields: kept as never }, event, aPassed))
      )
      return id
    })

  check(
    "a caller cannot claim, end or plan a run of another person's automation rule, or of a rule in a space that the caller cannot access",
    () =>
      Effect.gen(function* () {
        const { personId, reach, spaceId } = yield* aMember()
        const ruleId = uuidv7()
        const own = aFiring(spaceId, ruleId)
        yield* store(reach, ({ plan }) => plan([own]))
        for (const stranger of [aReach({ spaces: [spaceId] }), aReach({ personId })]) {
          assert.isNull(yield* claimedBy(stranger, ruleId))
          const claimed = { ...own, attempt: 0, ruleVersion: null, results: [] }
          yield* store(stranger, ({ drop }) => drop(claimed))
          yield* store(stranger, ({ begin }) => begin(claimed, 1, false))
          assert.isFalse(yield* store(stranger, ({ advance }) => advance(claimed, made, 60)))
          assert.isFalse(yield* store(stranger, ({ storeEnd }) => storeEnd(claimed, { status: "failed", error: "x" })))
          assert.deepStrictEqual(yield* store(stranger, ({ recent }) => recent(ruleId)), { runs: 0, hasRefusal: false })
        }
        yield* store(aReach({ personId }), ({ plan }) => plan([aFiring(spaceId, ruleId)]))
        assert.strictEqual(orDie(yield* claimedBy(reach, ruleId)).id, own.id)
      })
  )

  check(
    "an event or a time starts an automation rule once, even if the automation store gets the planned run twice",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        const ruleId = uuidv7()
        const one = aFiring(spaceId, ruleId)
        const timed = aFiring(spaceId, ruleId, {
          event: null,
          scheduledAt: DateTime.unsafeMake("2026-01-01T09:00:00Z")
        })
        yield* store(reach, ({ plan }) => plan([one, timed]))
        yield* store(reach, ({ plan }) =>
          plan([
            { ...one, id: uuidv7() },
            { ...timed, id: uuidv7() }
          ])
        )
        for (const expected of [one, timed]) {
          const claimed = orDie(yield* claimedBy(reach, ruleId))
          assert.deepInclude(claimed, { ...expected, attempt: 1, ruleVersion: null, results: [] })
          yield* store(reach, ({ drop }) => drop(claimed))
        }
        assert.isNull(yield* claimedBy(reach, ruleId))
      })
  )

  check(
    "only one run of an automation rule is claimed at a time, even if many workers claim runs at the same moment",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        const ruleId = uuidv7()
        yield* store(reach, ({ plan }) => plan([aFiring(spaceId, ruleId), aFiring(spaceId, ruleId)]))
        const many = Array.from({ length: 5 }, () => claimedBy(reach, ruleId))
        const claimed = (yield* Effect.all(many, { concurrency: "unbounded" })).flatMap((each) => each ?? [])
        assert.lengthOf(claimed, 1)
        yield* store(reach, ({ release }) => release(claimed[0]))
        assert.strictEqual(orDie(yield* claimedBy(reach, ruleId)).attempt, 1)
      })
  )

  check(
    "if the lease of a worker for a run of an automation rule has ended, another worker continues the run after its last finished step",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        const ruleId = uuidv7()
        const firing = aFiring(spaceId, ruleId)
        yield* store(reach, ({ plan }) => plan([firing]))
        const first = orDie(yield* claimedBy(reach, ruleId))
        yield* store(reach, ({ begin }) => begin(first, 3, false))
        assert.deepInclude(yield* runOf(reach, firing.id), {
          status: "running",
          ruleId,
          eventId: firing.event?.id ?? ""
        })
        assert.isTrue(yield* store(reach, ({ advance }) => advance(first, made, 0)))
        const second = orDie(yield* claimedBy(reach, ruleId))
        assert.deepInclude(second, { id: firing.id, attempt: 2, ruleVersion: 3, results: [made] })
        assert.isFalse(yield* store(reach, ({ advance }) => advance(first, made, 60)))
        assert.isFalse(yield* store(reach, ({ storeEnd }) => storeEnd(first, { status: "succeeded", error: null })))
        assert.isTrue(yield* store(reach, ({ storeEnd }) => storeEnd(second, { status: "failed", error: "why" })))
        assert.isFalse(yield* store(reach, ({ storeEnd }) => storeEnd(second, { status: "succeeded", error: null })))
        const run = yield* runOf(reach, firing.id)
        assert.deepInclude(run, { status: "failed", error: "why", output: { steps: [made] } })
        assert.isNotNull(run.finishedAt)
        assert.isNull(yield* claimedBy(reach, ruleId))
      })
  )

  check(
    "the automation store counts how many runs of a rule were accepted in the last minute, and says whether other runs were refused",
    () =>
      Effect.gen(function* () {
        const { reach, spaceId } = yield* aMember()
        const ruleId = uuidv7()
        for (const isRefused of [false, false, true]) {
          yield* store(reach, ({ plan }) => plan([aFiring(spaceId, ruleId)]))
          const claimed = orDie(yield* claimedBy(reach, ruleId))
          yield* store(reach, ({ begin }) => begin(claimed, 1, isRefused))
          yield* store(reach, ({ storeEnd }) => storeEnd(claimed, { status: "failed", error: "x" }))
        }
        assert.deepStrictEqual(yield* store(reach, ({ recent }) => recent(ruleId)), { runs: 2, hasRefusal: true })
      })
  )

  check(
    "for a space, the automation store lists the members' active rules that start on events, and no paused or expired rules",
    () =>
      Effect.gen(function* () {
        const { personId, spaceId } = yield* aMember()
        const trigger = { kind: "event", eventType: "entity.task.create" }
        const own = yield* keptRule(personId, personId, { trigger })
        const shared = yield* keptRule(personId, spaceId, { trigger })
        yield* keptRule(personId, personId, { trigger, active: false })
        yield* keptRule(personId, personId, { trigger, expiresAt: DateTime.unsafeMake(0) })
        const timed = yield* keptRule(personId, personId, { trigger: { kind: "schedule", cron: "0 9 * * *" } })
        const all = yield* AutomationStore
        const following = yield* all.followersOf(spaceId)
        assert.sameMembers(
          following.filter((each) => each.personId === personId).map(({ ruleId }) => ruleId),
          [own, shared]
        )
        assert.deepInclude(following.find(({ ruleId }) => ruleId === shared) ?? {}, {
          personId,
          homeId: spaceId,
          eventType: "entity.task.create",
          scopeKind: "pod",
          scopeWorkspaceId: null
        })
        const elsewhere = yield* all.followersOf((yield* aMember()).spaceId)
        assert.notIncludeMembers(
          elsewhere.map(({ ruleId }) => ruleId),
          [own, shared]
        )
        const scheduled = (yield* all.scheduled).filter((each) => each.personId === personId)
        assert.deepStrictEqual(
          scheduled.map(({ cron, ruleId }) => [ruleId, cron]),
          [[timed, "0 9 * * *"]]
        )
        assert.isNotNull(yield* all.since)
      })
  )

  check("the automation store lists a rule as due while the rule has a planned run that no worker has claimed", () =>
    Effect.gen(function* () {
      const { personId, reach, spaceId } = yield* aMember()
      const ruleId = uuidv7()
      const all = yield* AutomationStore
      const isDue = Effect.map(all.due(10_000), (due) => due.filter((each) => each.ruleId === ruleId))
      yield* store(reach, ({ plan }) => plan([aFiring(spaceId, ruleId)]))
      assert.deepStrictEqual(yield* isDue, [{ ruleId, personId, homeId: spaceId }])
      const claimed = orDie(yield* claimedBy(reach, ruleId))
      assert.deepStrictEqual(yield* isDue, [])
      yield* store(reach, ({ release }) => release(claimed))
      assert.lengthOf(yield* isDue, 1)
      yield* store(reach, ({ drop }) => Effect.flatMap(claimedBy(reach, ruleId), (again) => drop(orDie(again))))
      assert.deepStrictEqual(yield* isDue, [])
      yield* all.forgetOld
    })
  )
}
