/**
 * The store of firings and their runs. A firing is one start of a rule, by an event or at a time.
 * This file is longer than other stores, but it is about one noun, the firing. Most of the file is the store in memory,
 * which keeps the same contract as the SQL store.
 */
import { Context, DateTime, Effect, Layer } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import { MemoryDatabase, memoryTable } from "../../platform/MemoryDatabase.ts"
import { earliestOf } from "../../platform/RowTimes.ts"
import { memoryStatements, type ReadContext, type WriteContext } from "../events/EventTable.ts"
import { roleOf } from "../people/UserTables.ts"
import { recordTable } from "../records/RecordTable.ts"
import { AutomationRuleRecord, isInForce } from "./AutomationRule.ts"
import { AutomationRun, type StepResult } from "./AutomationRun.ts"
import {
  causeOf,
  type ClaimedFiring,
  type DueRule,
  type Follower,
  type PlannedFiring,
  type RecentRuns,
  type RunEnd,
  type ScheduledRule
} from "./Firing.ts"

export class AutomationStore extends Context.Tag("pod/AutomationStore")<
  AutomationStore,
  {
    /** The creation time of the oldest rule that waits for events. Null if no rule waits for events. */
    readonly since: Effect.Effect<DateTime.Utc | null>
    /** Returns the rules in force that wait for events of a space. Each rule belongs to a member of the space. */
    readonly followersOf: (spaceId: string) => Effect.Effect<ReadonlyArray<Follower>>
    /** The rules in force that have a schedule. */
    readonly scheduled: Effect.Effect<ReadonlyArray<ScheduledRule>>
    /**
     * Returns the rules that have firings to run, if no worker has claimed one of these firings. The rule with the
     * oldest firing comes first.
     */
    readonly due: (limit: number) => Effect.Effect<ReadonlyArray<DueRule>>
    /**
     * Deletes the firings that have ended and are older than 30 days. Keeps the runs of these firings, and the last
     * scheduled firing of each rule.
     */
    readonly forgetOld: Effect.Effect<void>
    /**
     * Adds firings for rules of the caller's person. If a rule already has a firing for the same event or the same
     * time, adds no second firing.
     */
    readonly plan: (planned: ReadonlyArray<PlannedFiring>) => Effect.Effect<void, never, Reach>
    /**
     * Claims the next firing of a rule until the lease ends. Returns null if the rule has no firing, or if another
     * firing of the rule is running. The caller must prevent two claims of one rule at the same time
     * (`Transaction.exclusively`).
     */
    readonly claim: (ruleId: string, leaseSeconds: number) => Effect.Effect<ClaimedFiring | null, never, Reach>
    /** Releases a claimed firing, so that another attempt can claim it immediately. */
    readonly release: (claimed: ClaimedFiring) => Effect.Effect<void, never, Reach>
    /** Ends a claimed firing for which there will be no run. */
    readonly drop: (claimed: ClaimedFiring) => Effect.Effect<void, never, Reach>
    readonly recent: (ruleId: string) => Effect.Effect<RecentRuns, never, Reach>
    /** Creates the run for a claimed firing. If the run is refused, the pod carries out none of its steps. */
    readonly begin: (
      claimed: ClaimedFiring,
      ruleVersion: number,
      isRefused: boolean
    ) => Effect.Effect<void, never, Reach>
    // Stores the result of a step. If a later attempt of the run has begun, `advance` and `storeEnd` change nothing and
    // return false. The caller must then undo what the step wrote in the same transaction.
    readonly advance: (
      claimed: ClaimedFiring,
      result: StepResult,
      leaseSeconds: number
    ) => Effect.Effect<boolean, never, Reach>
    readonly storeEnd: (claimed: ClaimedFiring, end: RunEnd) => Effect.Effect<boolean, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { read, write } = yield* memoryStatements
      const { atomically, rows: current } = yield* MemoryDatabase

      const inForce = Effect.map(Effect.all([current, DateTime.now]), ([rows, now]) => ({
        rows,
        rules: rows.all(recordTable(AutomationRuleRecord)).flatMap(({ isArchived, record, spaceId }) => {
          const { automation, scope } = record.rule
          return isArchived || automation === null || !isInForce(record, now)
            ? []
            : [{ record, homeId: spaceId, trigger: automation.trigger, scope }]
        })
      }))
      const own = ({ reach, rows }: ReadContext, ruleId: string) =>
        rows
          .all(firingTable)
          .filter(
            (firing) =>
              firing.ruleId === ruleId &&
              firing.personId === reach.principal.personId &&
              reach.bounds("automation", "read").spaces.includes(firing.homeId)
          )
      /** Returns the row of a firing if this attempt is the latest attempt and the firing has not ended. */
      const claimedFiring = (at: WriteContext, { attempt, id, ruleId }: ClaimedFiring) =>
        own(at, ruleId).find((firing) => firing.id === id && firing.attempt === attempt && isOpen(firing))

      return {
        since: Effect.map(inForce, ({ rules }) =>
          earliestOf(rules.filter(({ trigger }) => trigger.kind === "event").map(({ record }) => record.createdAt))
        ),
        followersOf: (spaceId) =>
          Effect.map(inForce, ({ rows, rules }) =>
            rules.flatMap(({ homeId, record, scope, trigger }) =>
              trigger.kind !== "event" ||
              (homeId !== spaceId && homeId !== record.userId) ||
              roleOf(rows, record.userId, spaceId) === null
                ? []
                : [
                    {
                      ruleId: record.id,
                      personId: record.userId,
                      homeId,
                      eventType: trigger.eventType,
                      scopeKind: scope.kind,
                      scopeWorkspaceId: scope.workspaceId ?? null,
                      createdAt: record.createdAt
                    }
                  ]
            )
          ),
        scheduled: Effect.map(inForce, ({ rules }) =>
          rules.flatMap(({ homeId, record, trigger }) =>
            trigger.kind !== "schedule"
              ? []
              : [
                  {
                    ruleId: record.id,
                    personId: record.userId,
                    homeId,
                    cron: trigger.cron,
                    changedAt: record.updatedAt
                  }
                ]
          )
        ),
        due: (limit) =>
          Effect.map(Effect.all([current, DateTime.now]), ([rows, now]) => {
            const open = rows.all(firingTable).filter(isOpen)
            const inFlight = new Set(open.filter((firing) => isInFlight(firing, now)).map(({ ruleId }) => ruleId))
            const waiting = open.filter(({ ruleId }) => !inFlight.has(ruleId))
            const byRule = new Map(
              waiting.map(({ homeId, personId, ruleId }) => [ruleId, { ruleId, personId, homeId }])
            )
            return [...byRule.values()].slice(0, limit)
          }),
        forgetOld: atomically((rows) =>
          Effect.map(DateTime.now, (now) => {
            const before = DateTime.subtract(now, { days: 30 })
            const all = rows.all(firingTable)
            for (const firing of all) {
              const isLast =
                firing.scheduledAt !== null &&
                !all.some(
                  ({ ruleId, scheduledAt }) =>
                    ruleId === firing.ruleId &&
                    scheduledAt !== null &&
                    DateTime.greaterThan(scheduledAt, firing.scheduledAt ?? scheduledAt)
                )
              if (!isOpen(firing) && !isLast && DateTime.lessThan(firing.createdAt, before)) {
                rows.remove(firingTable, firing.id)
              }
            }
          })
        ),
        plan: (planned) =>
          write(({ now, reach, rows }) => {
            const { spaces } = reach.bounds("automation", "read")
            for (const each of planned) {
              const isKnown = rows
                .all(firingTable)
                .some((firing) => firing.ruleId === each.ruleId && causeOf(firing) === causeOf(each))
              if (isKnown || !spaces.includes(each.homeId)) continue
              rows.put(firingTable, {
                ...each,
                personId: reach.principal.personId,
                status: "waiting",
                isRefused: false,
                attempt: 0,
                leasedUntilMs: 0,
                ruleVersion: null,
                beganAt: null,
                results: [],
                createdAt: now
              })
            }
            return Effect.void
          }),
        claim: (ruleId, leaseSeconds) =>
          write((at) => {
            const open = own(at, ruleId).filter(isOpen)
            const [found] = open
            if (found === undefined || open.some((firing) => isInFlight(firing, at.now))) return Effect.succeed(null)
            const claimed = { ...found, attempt: found.attempt + 1, leasedUntilMs: leaseEnd(at.now, leaseSeconds) }
            at.rows.put(firingTable, claimed)
            return Effect.succeed<ClaimedFiring | null>(claimed)
          }),
        release: (claimed) =>
          write((at) => {
            const found = claimedFiring(at, claimed)
            if (found !== undefined) {
              at.rows.put(firingTable, { ...found, attempt: found.attempt - 1, leasedUntilMs: 0 })
            }
            return Effect.void
          }),
        drop: (claimed) =>
          write((at) => {
            const found = claimedFiring(at, claimed)
            if (found !== undefined) at.rows.put(firingTable, { ...found, status: "done", leasedUntilMs: 0 })
            return Effect.void
          }),
        recent: (ruleId) =>
          read((at) => {
            const since = DateTime.subtract(at.now, { minutes: 1 })
            const begun = own(at, ruleId).filter(
              ({ beganAt }) => beganAt !== null && DateTime.greaterThan(beganAt, since)
            )
            const refused = begun.filter(({ isRefused }) => isRefused)
            return Effect.succeed({ runs: begun.length - refused.length, hasRefusal: refused.length > 0 })
          }),
        begin: (claimed, ruleVersion, isRefused) =>
          write((at) => {
            const found = claimedFiring(at, claimed)
            if (found === undefined) return Effect.void
            at.rows.put(firingTable, { ...found, status: "running", isRefused, ruleVersion, beganAt: at.now })
            const record = {
              id: found.id,
              userId: found.personId,
              workspaceId: found.homeId === found.personId ? null : found.homeId,
              version: 1,
              createdAt: at.now,
              updatedAt: at.now,
              automationId: null,
              ruleId: found.ruleId,
              eventId: found.event?.id ?? null,
              status: "running" as const,
              startedAt: at.now,
              finishedAt: null,
              output: null,
              error: null
            }
            at.rows.put(recordTable(AutomationRun), { record, spaceId: found.homeId, isArchived: false })
            return Effect.void
          }),
        advance: (claimed, result, leaseSeconds) =>
          write((at) => {
            const found = claimedFiring(at, claimed)
            if (found === undefined) return Effect.succeed(false)
            const leasedUntilMs = leaseEnd(at.now, leaseSeconds)
            at.rows.put(firingTable, { ...found, results: [...found.results, result], leasedUntilMs })
            return Effect.succeed(true)
          }),
        storeEnd: (claimed, { error, status }) =>
          write((at) => {
            const found = claimedFiring(at, claimed)
            const run = at.rows.find(recordTable(AutomationRun), claimed.id)
            if (found === undefined || run === undefined) return Effect.succeed(false)
            at.rows.put(firingTable, { ...found, status: "done", leasedUntilMs: 0 })
            const { now } = at
            const record = {
              ...run.record,
              version: run.record.version + 1,
              updatedAt: now,
              finishedAt: now,
              status,
              error,
              output: { steps: found.results.map((step) => ({ ...step })) }
            }
            at.rows.put(recordTable(AutomationRun), { ...run, record })
            return Effect.succeed(true)
          })
      }
    })
  )
}

interface StoredFiring extends ClaimedFiring {
  readonly personId: string
  readonly status: "waiting" | "running" | "done"
  readonly isRefused: boolean
  readonly leasedUntilMs: number
  readonly beganAt: DateTime.Utc | null
  readonly createdAt: DateTime.Utc
}

const firingTable = memoryTable<StoredFiring>("automation_firings", ({ id }) => id)

const leaseEnd = (now: DateTime.Utc, leaseSeconds: number) => DateTime.toEpochMillis(now) + leaseSeconds * 1000
const isInFlight = ({ leasedUntilMs }: StoredFiring, now: DateTime.Utc) => leasedUntilMs > DateTime.toEpochMillis(now)
const isOpen = ({ status }: StoredFiring) => status !== "done"
