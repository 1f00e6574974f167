/**
 * The service of automation rules. It compiles a rule's sentence, stores the rule for a workspace or a person, and
 * finds the rules in force.
 */
import { Context, DateTime, Effect, Either, Layer, Option, Schema } from "effect"
import { Forbidden, invalid, isVersionConflict } from "../../doors/Failure.ts"
import { cutPage, mapPage, type Page } from "../../doors/Page.ts"
import { Reach } from "../../doors/Reach.ts"
import { waitBeforeAnswer } from "../../doors/Revocations.ts"
import { Database } from "../../platform/Database.ts"
import { readFirst } from "../../platform/ResultSize.ts"
import { Changers } from "../gate/Changers.ts"
import { Keys } from "../keys/Keys.ts"
import type { Proposal } from "../proposals/Proposal.ts"
import { Proposals } from "../proposals/Proposals.ts"
import { everyRecord } from "../records/EveryRecord.ts"
import { governedRecords } from "../records/GovernedRecords.ts"
import type { WriteFailure } from "../records/RecordOperations.ts"
import { Records } from "../records/Records.ts"
import type { Patch } from "../records/RecordType.ts"
import {
  compileRuleSentence,
  isInForce,
  ruleNameFrom,
  type AutomationRule,
  type AutomationRuleChange,
  type AutomationRuleDraft,
  ruleOf,
  type AutomationRuleQuery,
  AutomationRuleRecord
} from "./AutomationRule.ts"
import { makeContentCheck, existingRule, unreadableRule } from "./RuleChecks.ts"

const decodeContent = Schema.decodeUnknownOption(AutomationRuleRecord.content)

/** Returns the rule that a proposal would create. Returns None if the proposal would not create a rule. */
const proposedIn = (proposal: Proposal): Option.Option<AutomationRule> =>
  proposal.targetType !== AutomationRuleRecord.name || proposal.data["changeType"] !== "create"
    ? Option.none()
    : Option.flatMap(decodeContent(proposal.data["data"]), ({ expiresAt, name, rule }) =>
        name === undefined || rule === undefined
          ? Option.none()
          : Option.some({
              id: proposal.targetId,
              name,
              approved: false,
              workspaceId: proposal.workspaceId,
              createdAt: proposal.createdAt,
              rule: { ...rule, expiresAt: expiresAt ?? null },
              status: "proposed",
              proposalId: proposal.id
            })
      )

/** A rule in the list. The list is sorted by the id `at`, because newer ids are greater than older ids. */
interface ListedRule {
  readonly at: string
  readonly rule: AutomationRule
}

const proposalsAtOnce = 200
const retriesMax = 8 // the maximum number of retries of a change if others change the rule at the same time

export class AutomationRules extends Context.Tag("pod/AutomationRules")<
  AutomationRules,
  {
    /**
     * Returns the rules, newest first, including expired rules. A proposed rule is sorted by the time of its proposal.
     */
    readonly list: (query: AutomationRuleQuery) => Effect.Effect<Page<AutomationRule>, Forbidden, Reach>
    /**
     * Creates a rule and returns its id. Fails with Forbidden if the pod cannot read a clause, and with Invalid if the
     * rule would expire in the past.
     */
    readonly create: (draft: AutomationRuleDraft) => Effect.Effect<string, WriteFailure, Reach>
    /**
     * Changes or pauses a rule. Only the person who owns the rule can change it. Other people can pause the rule if
     * they are allowed to write in its space.
     */
    readonly change: (id: string, change: AutomationRuleChange) => Effect.Effect<AutomationRule, WriteFailure, Reach>
    readonly remove: (id: string) => Effect.Effect<{ readonly id: string }, WriteFailure, Reach>
    /**
     * The rules that the pod is allowed to apply now, from every space that the call may read. The code that runs rules
     * reads this list.
     */
    readonly inForce: Effect.Effect<ReadonlyArray<AutomationRule>, never, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const records = yield* Records
      const proposals = yield* Proposals
      const governed = yield* governedRecords(AutomationRuleRecord, {
        check: makeContentCheck({ changers: yield* Changers, keys: yield* Keys, records }),
        // So when the pod has answered that a rule is paused, changed or deleted, no step of the former rule is stored.
        whenChanged: waitBeforeAnswer(yield* Database),
        filled: ["keyId", "active"]
      })

      /**
       * Returns the newest proposed rules that wait for a person's decision. If at least `limit` such rules exist, the
       * result has at least `limit` rules.
       */
      const waiting = Effect.fnUntraced(function* (
        { cursor, workspaceId }: Pick<AutomationRuleQuery, "cursor" | "workspaceId">,
        limit: number
      ) {
        const found: Array<ListedRule> = []
        let before = cursor
        while (true) {
          const place = before
          const page = yield* readFirst(proposalsAtOnce, (limit) =>
            proposals.page({
              workspaceId,
              sessionId: undefined,
              status: "pending",
              creates: AutomationRuleRecord.name,
              limit,
              offset: 0,
              cursor: place
            })
          )
          const { items, next } = page
          for (const proposal of items) {
            const rule = Option.getOrUndefined(proposedIn(proposal))
            if (rule !== undefined) found.push({ at: proposal.id, rule })
          }
          const last = items.at(-1)
          if (found.length >= limit || next === null || last === undefined) return found
          before = { at: null, id: last.id }
        }
      })

      const storedRules = Effect.fnUntraced(function* ({ cursor, limit, offset, workspaceId }: AutomationRuleQuery) {
        const now = yield* DateTime.now
        const found = yield* governed.list({ cursor, limit, offset, workspaceId })
        return mapPage(found, (record) => ruleOf(record, now))
      })

      /** Reads a page of the list that contains both stored rules and proposed rules. */
      const merged = Effect.fnUntraced(function* (query: AutomationRuleQuery) {
        // The page has the newest rules of both kinds, stored and proposed. So the newest `offset + limit + 1` proposed
        // rules are enough.
        const proposedRules = yield* waiting(query, query.offset + query.limit + 1)
        // Before the page there are `query.offset` rules, and at most `proposedRules.length` of them are proposed
        // rules. So at least `skipped` of them are stored rules, and the statement skips these.
        const skipped = Math.max(0, query.offset - proposedRules.length)
        const offset = query.offset - skipped
        const limit = offset + query.limit + 1
        const found = yield* storedRules({ ...query, offset: skipped, limit })
        const all = [...proposedRules, ...found.items.map((rule) => ({ at: rule.id, rule }))].toSorted((one, other) =>
          one.at < other.at ? 1 : -1
        )
        const rows = all.slice(offset, offset + query.limit + 1)
        return mapPage(
          cutPage(rows, query.limit, (last) => ({ at: null, id: last.at })),
          ({ rule }) => rule
        )
      })

      const changeOnce = Effect.fnUntraced(function* (
        id: string,
        { active, expiresAt, expectedVersion, intent, reasoning, sentence, sessionId }: AutomationRuleChange
      ) {
        const { record: former } = yield* existingRule(records, id)
        const compiled =
          sentence === undefined ? {} : yield* Either.mapLeft(compileRuleSentence(sentence), unreadableRule)
        const intentField = intent === undefined ? {} : { intent }
        const hasContent = intent !== undefined || sentence !== undefined
        const fields: Patch<AutomationRuleRecord> = {
          active,
          expiresAt,
          ...(intent === undefined ? {} : { name: ruleNameFrom(intent) }),
          ...(hasContent ? { rule: { ...former.rule, ...intentField, ...compiled } } : {})
        }
        const details = { expectedVersion: expectedVersion ?? former.version, reasoning, sessionId }
        return ruleOf(yield* governed.update(id, fields, details), yield* DateTime.now)
      })

      return {
        list: (query) => (query.includeProposed ? merged(query) : storedRules(query)),

        create: Effect.fnUntraced(function* (draft) {
          const { scope } = draft
          const workspaceId = scope.kind === "workspace" ? (scope.workspaceId ?? undefined) : null
          if (workspaceId === undefined) {
            return yield* invalid("scope.workspaceId", "is missing: send the workspace of the rule")
          }
          const { automation, sentence } = yield* Either.mapLeft(compileRuleSentence(draft.sentence), unreadableRule)
          const { id } = yield* governed.create({
            workspaceId,
            fields: {
              name: ruleNameFrom(draft.intent),
              expiresAt: draft.expiresAt ?? null,
              keyId: null, // `ordererOf` sets the key later
              active: true,
              rule: {
                intent: draft.intent,
                scope,
                factSkillId: draft.factSkillId ?? null,
                automationIds: draft.automationIds,
                sentence,
                automation,
                draft: false
              }
            },
            reasoning: draft.reasoning,
            sessionId: draft.sessionId
          })
          return id
        }),

        // The new rule contains parts of the former rule. So the write must replace exactly the version that the pod has
        // read. If somebody else changes the rule in the meantime, the pod reads it again.
        change: (id, change) =>
          Effect.retry(changeOnce(id, change), {
            times: retriesMax,
            while: (failure) => isVersionConflict(failure) && change.expectedVersion === undefined
          }),

        remove: (id) => governed.remove(id),

        inForce: Effect.gen(function* () {
          const all = yield* everyRecord(records, AutomationRuleRecord, {})
          const now = yield* DateTime.now
          return all.filter((record) => isInForce(record, now)).map((record) => ruleOf(record, now))
        })
      }
    })
  )
}
