/**
 * Runs the automations of rules. One transaction carries out a step and records that the step is done, so no step is
 * repeated after the pod was killed. The pod holds no lock between two steps. The transaction of each step checks the
 * rule again, and also the access of the person who owns the rule.
 */
import { Cause, Data, DateTime, Effect, Option } from "effect"
import { AuthorityLost } from "../../doors/Authority.ts"
import type { Invalid } from "../../doors/Failure.ts"
import { noClient, Reach, systemReach } from "../../doors/Reach.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { StandingReach } from "../access/StandingReach.ts"
import { EventLog } from "../events/EventLog.ts"
import { Passed } from "../gate/Passed.ts"
import { People } from "../people/People.ts"
import { Records } from "../records/Records.ts"
import type { Automation } from "./Automation.ts"
import { AutomationRuleRecord, isInForce } from "./AutomationRule.ts"
import type { StepResult } from "./AutomationRun.ts"
import { AutomationStore } from "./AutomationStore.ts"
import { isConditionMet } from "./Conditions.ts"
import {
  attemptsMax,
  type ClaimedFiring,
  depthMax,
  type DueRule,
  isInScope,
  isTriggeredBy,
  type RunEnd,
  runsPerMinute
} from "./Firing.ts"
import { ruleRights } from "./RuleRights.ts"
import { type RunContext, type StepFailure, stepWork } from "./StepWork.ts"
import { triggerRecords } from "./TriggerRecord.ts"

// The number of seconds for which a worker claims a firing. A step takes less time. After this time, another node
// continues the runs of a killed node.
const leaseSeconds = 30
const reason = "the automation of a rule runs"

/**
 * The result of the work on one firing: the claimed firing if more steps follow, `unseen` if there is no run, or the
 * end of the run.
 */
type Progress = { readonly claimed: ClaimedFiring } | "unseen" | RunEnd

/** The failure of an attempt because a later attempt has begun. The writes of the failed attempt are undone. */
class AttemptOver extends Data.TaggedError("AttemptOver")<{}> {}

const failedRun = (error: string): RunEnd => ({ status: "failed", error })

const endsEarly = {
  status: "cancelled",
  error: "While the rule ran, somebody changed, paused or deleted the rule, or the rule lost its access."
} as const

const tooDeep = `Rules started each other ${depthMax} times in a row, so the pod did not run this rule again.`
const tooMany = `The rule ran ${runsPerMinute} times within a minute. Further events of this minute do not start the rule.`
const accessChanged = "The rights of the rule changed while the rule ran."
const stepFailedText = "The pod could not carry out the step."

const faultsOf = ({ faults }: Invalid): string =>
  faults.map(({ message, path }) => (path === "" ? message : `${path}: ${message}`)).join(" ")

const sentenceOf = (failure: Exclude<StepFailure, { readonly _tag: "Proposed" }>): string =>
  failure._tag === "Invalid" ? faultsOf(failure) : failure.why

type CompiledRule = AutomationRuleRecord & { readonly rule: { readonly automation: Automation } }

const isCompiled = (record: AutomationRuleRecord): record is CompiledRule => record.rule.automation !== null

/** Returns true if the trigger of the rule still matches the event or the schedule that started this rule. */
const isFor = ({ rule, userId }: CompiledRule, { event }: ClaimedFiring): boolean => {
  const { trigger } = rule.automation
  if (event === null) return trigger.kind === "schedule"
  const scope = { personId: userId, scopeKind: rule.scope.kind, scopeWorkspaceId: rule.scope.workspaceId ?? null }
  return trigger.kind === "event" && isTriggeredBy(trigger.eventType, event.type) && isInScope(scope, event)
}

/**
 * Makes the function that runs the next waiting firing of a rule. The function returns true if more firings of the rule
 * possibly wait.
 */
export const automationRuns = Effect.gen(function* () {
  const log = yield* EventLog
  const mayHaveRule = yield* ruleRights
  const people = yield* People
  const records = yield* Records
  const seen = yield* triggerRecords
  const standing = yield* StandingReach
  const store = yield* AutomationStore
  const work = yield* stepWork
  const { exclusively, atomically } = yield* Transaction

  const originOf = ({ correlationId, depth, event, id, ruleId }: ClaimedFiring) => ({
    correlationId,
    run: { ruleId, runId: id, depth, eventId: event?.id ?? null }
  })

  /**
   * Provides the access rights of the pod itself. With these rights, the code stores the progress of a run even if the
   * person who owns the rule has lost access.
   */
  const asPod = ({ homeId, personId }: DueRule, claimed: ClaimedFiring | null) => {
    const { correlationId, run } = claimed === null ? { correlationId: "", run: undefined } : originOf(claimed)
    const origin = { operation: "automations.run", requestId: correlationId, client: noClient, run }
    return Effect.provideService(Reach, systemReach(reason, personId, [homeId], origin))
  }

  const found = Effect.fnUntraced(function* (ruleId: string, personId: string) {
    const now = yield* DateTime.now
    const record = yield* Effect.option(records.get(AutomationRuleRecord, ruleId))
    return Option.filter(Option.filter(record, isCompiled), (rule) => rule.userId === personId && isInForce(rule, now))
  })

  /** Decides whether a firing becomes a run, and begins the run. */
  const begin = (due: DueRule, context: RunContext, rule: CompiledRule): Effect.Effect<Progress, never, Reach> =>
    Effect.gen(function* () {
      const { firing, record } = context
      const isWanted = rule.rule.automation.conditions.every(
        (condition) => record !== null && isConditionMet(record.fields, condition)
      )
      if (!isWanted) return "unseen"
      const { hasRefusal, runs } = yield* store.recent(rule.id)
      const isTooMany = runs >= runsPerMinute
      if (isTooMany && hasRefusal) return "unseen"
      const refusal = isTooMany ? tooMany : firing.depth >= depthMax ? tooDeep : null
      yield* store.begin(firing, rule.version, isTooMany)
      return refusal === null ? { claimed: { ...firing, ruleVersion: rule.version } } : failedRun(refusal)
    }).pipe(asPod(due, context.firing))

  /**
   * Returns true if the rule is still in force with the same version. Dies with AuthorityLost if the access of the rule
   * has changed.
   */
  const isUnchanged = (due: DueRule, firing: ClaimedFiring, { version }: CompiledRule) =>
    people.me.pipe(
      Effect.zipRight(asPod(due, firing)(found(firing.ruleId, due.personId))),
      Effect.map(Option.exists((present) => present.version === version))
    )

  /**
   * Does the next step of a run, and records in the same transaction that the step is done. The transaction checks the
   * rule and its access first. A change that pauses the rule or takes its access waits for the transactions that began
   * earlier. So when the pod has answered such a change, it stores no further step of the rule.
   */
  const step = (due: DueRule, context: RunContext, rule: CompiledRule): Effect.Effect<Progress, never, Reach> => {
    const { firing } = context
    const next = rule.rule.automation.steps[firing.results.length]
    if (next === undefined) return Effect.succeed<RunEnd>({ status: "succeeded", error: null })
    const { kind } = next
    return atomically(
      Effect.gen(function* () {
        // If the rule has changed, the step does nothing. The pod then reads the rule again and ends the run.
        if (!(yield* isUnchanged(due, firing, rule))) return { claimed: firing }
        const result: StepResult = yield* work(next, context).pipe(
          Effect.map((done): StepResult => ({ kind, status: "done", ...done })),
          Effect.catchTag("Proposed", ({ answer: { proposalId } }) =>
            Effect.succeed<StepResult>({ kind, status: "proposed", proposalId })
          )
        )
        const isNoted = yield* asPod(due, firing)(store.advance(firing, result, leaseSeconds))
        if (!isNoted) return yield* Effect.die(new AttemptOver())
        return { claimed: { ...firing, results: [...firing.results, result] } }
      })
    ).pipe(Effect.catchAll((failure) => Effect.succeed(failedRun(sentenceOf(failure)))))
  }

  /**
   * Does everything that needs the reach of the rule. It checks that the rule has access to the space and may still
   * exist, and reads the record that the event names. Then it begins the run or carries out the next step.
   */
  const underReach = Effect.fnUntraced(function* (due: DueRule, claimed: ClaimedFiring, rule: CompiledRule) {
    const { memberships } = (yield* Reach).principal
    const { event } = claimed
    const spaceId = event?.spaceId ?? rule.rule.scope.workspaceId ?? claimed.homeId
    const isMember = memberships.some((membership) => membership.spaceId === spaceId)
    if (!isMember || !(yield* mayHaveRule(rule.id, claimed.homeId))) return "unseen" as const
    const view = event === null ? { record: null } : yield* seen(event, rule.rule.scope.projectId ?? null)
    if (view === null) return "unseen" as const
    const context = { firing: claimed, rule, record: view.record, spaceId }
    return yield* claimed.ruleVersion === null ? begin(due, context, rule) : step(due, context, rule)
  })

  const advanceOnce = (due: DueRule, claimed: ClaimedFiring): Effect.Effect<Progress> =>
    Effect.gen(function* () {
      const rule = Option.getOrUndefined(yield* asPod(due, claimed)(found(claimed.ruleId, due.personId)))
      const isChanged = claimed.ruleVersion !== null && claimed.ruleVersion !== rule?.version
      if (rule === undefined || isChanged || !isFor(rule, claimed)) return "unseen"
      const orderer = { personId: due.personId, keyId: rule.keyId }
      const kind = { operation: "automations.run", reason, scope: "hub-protocol.write" as const }
      const done = yield* standing.run(orderer, { ...kind, ...originOf(claimed) }, underReach(due, claimed, rule))
      return Option.getOrElse(done, () => "unseen" as const)
    })

  /**
   * Carries out the next part of a run. If the access of the person has changed, tries once more with the new access.
   * If the access changes again, ends the run. Any other defect ends a run after `attemptsMax` attempts.
   */
  const advance = (due: DueRule, claimed: ClaimedFiring): Effect.Effect<Progress> => {
    const isLost = (cause: Cause.Cause<never>) =>
      Cause.defects(cause).pipe((defects) => [...defects].some((defect) => defect instanceof AuthorityLost))
    return advanceOnce(due, claimed).pipe(
      Effect.catchSomeCause((cause) => (isLost(cause) ? Option.some(advanceOnce(due, claimed)) : Option.none())),
      Effect.catchSomeCause((cause) =>
        isLost(cause)
          ? Option.some(Effect.succeed<Progress>(failedRun(accessChanged)))
          : Cause.isInterrupted(cause) || claimed.ruleVersion === null || claimed.attempt < attemptsMax
            ? Option.none()
            : Option.some(
                Effect.map(Effect.logWarning("A step of an automation failed", cause), (): Progress =>
                  failedRun(stepFailedText)
                )
              )
      )
    )
  }

  /** Stores the end of a run. Also logs a failure as an event, so that people see the failure. */
  const settle = (due: DueRule, claimed: ClaimedFiring, end: RunEnd) =>
    Effect.gen(function* () {
      const isSettled = yield* store.storeEnd(claimed, end)
      if (!isSettled || end.status !== "failed") return
      const { event, id, ruleId } = claimed
      yield* log.append(
        due.homeId,
        {
          type: "automation.failed",
          subjectId: ruleId,
          data: { runId: id, recordId: event?.subjectId ?? null, error: end.error }
        },
        Passed.bySystem("record the run of an automation")
      )
    }).pipe(atomically, asPod(due, claimed))

  const runAll = (due: DueRule, first: ClaimedFiring) =>
    Effect.gen(function* () {
      let claimed = first
      for (;;) {
        const progress = yield* advance(due, claimed)
        if (progress === "unseen") {
          // People could see a run that has begun, so the pod records its end. If no run has begun, the pod only
          // removes the firing.
          return yield* claimed.ruleVersion === null
            ? asPod(due, claimed)(store.drop(claimed))
            : settle(due, claimed, endsEarly)
        }
        if ("status" in progress) return yield* settle(due, claimed, progress)
        claimed = progress.claimed
      }
    }).pipe(Effect.onInterrupt(() => asPod(due, first)(store.release(first))))

  return Effect.fnUntraced(function* (due: DueRule) {
    const taking = asPod(due, null)(store.claim(due.ruleId, leaseSeconds))
    const claimed = yield* exclusively(`automation ${due.ruleId}`, taking)
    if (claimed === null) return false
    yield* runAll(due, claimed)
    return true
  })
})
