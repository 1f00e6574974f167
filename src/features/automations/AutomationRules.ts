/**
 * The service of automation rules. It compiles a rule's sentence, stores the rule for a workspace or a person, and
 * finds the rules in force.
 */
import { Context, DateTime, Effect, Either, Layer, Option, Schema } from "effect"
import { Forbidden, invalid } from "../../doors/Failure.ts"
import { cutPage, mapPage, type Page } from "../../doors/Page.ts"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { keyIdOf, type Principal } from "../../doors/Principal.ts"
import { Reach } from "../../doors/Reach.ts"
import { Changers } from "../gate/Changers.ts"
import { checkReferences } from "../gate/References.ts"
import type { Change } from "../gate/Write.ts"
import type { Proposal } from "../proposals/Proposal.ts"
import { Proposals } from "../proposals/Proposals.ts"
import { everyRecord } from "../records/EveryRecord.ts"
import { governedRecords, type RecordChange, type WriteFailure } from "../records/GovernedRecords.ts"
import { Records } from "../records/Records.ts"
import { type OwnFields, type Patch } from "../records/RecordType.ts"
import { requestedSpace } from "../workspaces/WorkspaceAccess.ts"
import type { ClauseRefused } from "./Automation.ts"
import {
  compileRuleSentence,
  isExpired,
  isSameWork,
  matchesSentence,
  isInForce,
  ruleNameFrom,
  type AutomationRule,
  type AutomationRuleChange,
  type AutomationRuleDraft,
  ruleOf,
  type AutomationRuleQuery,
  AutomationRuleRecord
} from "./AutomationRule.ts"
import { refusalText } from "./Sentence.ts"

/** If a clause cannot be read, the rule is refused (compatibility reference §11.2). */
const unreadable = (refused: ClauseRefused): Forbidden =>
  new Forbidden({
    code: "RULE_REFUSED",
    why: refusalText(refused),
    required: [],
    granted: [],
    details: { clause: refused.clause }
  })

type Checked = Pick<Change, "action" | "object">

type RuleFields = Partial<OwnFields<AutomationRuleRecord>>

const notYours = new Forbidden({
  code: "OWNER_ONLY",
  why: "A rule acts as the person who made it, so only this person can change it. Others can pause or delete it.",
  required: ["owner of the rule"],
  granted: []
})

/**
 * Whether the caller is the person whose access the call uses. If somebody else approves a proposal in this person's
 * name, the call has no membership in the person's own space.
 */
const isOwnCall = ({ memberships, personId }: Principal): boolean =>
  memberships.some(({ spaceId }) => spaceId === personId)

const limitedByOther = new Forbidden({
  code: "GRANT_DENIED",
  why: "Another key limits what this rule may do. Only that key, or the person after signing in, can resume the rule or postpone its end.",
  required: [],
  granted: []
})

/**
 * Finds the current rule that a caller wants to change. The caller needs the right to change the rule, and needs no
 * right to read it.
 */
const existingRule = (records: typeof Records.Service, id: string) =>
  Effect.mapError(records.place(AutomationRuleRecord, id, "update"), () => missingRecord("rule"))

/** Whether a change lets a rule run that would not run otherwise: it resumes the rule, or lets the rule end later. */
const isRestart = ({ active, expiresAt }: RuleFields, record: RuleFields): boolean =>
  (active === true && record.active === false) ||
  (expiresAt !== undefined &&
    record.expiresAt != null &&
    (expiresAt === null || DateTime.greaterThan(expiresAt, record.expiresAt)))

/**
 * Finds the key that limits the rule: the key that last changed what the rule does or where it applies. If a key
 * restarts a rule without a key, that key limits the rule from then on. A rule acts as its person, so only this person
 * may change the rule or approve a change. Other people may only pause the rule.
 */
const ordererOf = Effect.fnUntraced(function* (
  records: typeof Records.Service,
  fields: RuleFields,
  { action, moment, targetId }: RecordChange
) {
  const { principal } = yield* Reach
  const keyId = keyIdOf(principal)
  const isPause = Object.entries(fields).every(([name, value]) => name === "active" && value === false)
  // A rule acts as the person who made it. A restore does not say in whose name it happens. So the restored rule is
  // paused until its person resumes it.
  if (moment === "restored") return { active: false }
  if (moment === "approved" && !isPause && !isOwnCall(principal)) return yield* notYours
  if (action === "create") return { keyId, active: fields.active ?? true }
  const { record } = yield* existingRule(records, targetId)
  if (record.userId !== principal.personId && !isPause) return yield* notYours
  const isOrder = keyId !== null && isRestart(fields, record)
  if (fields.rule !== undefined && !isSameWork(fields.rule, record.rule)) return { keyId }
  if (isOrder && record.keyId !== null && record.keyId !== keyId) return yield* limitedByOther
  if (isOrder) return { keyId }
  // A change that leaves the work and the scope of the rule as they are keeps its key. The caller has not taken over
  // the work.
  if (fields.rule !== undefined) return { keyId: record.keyId ?? keyId }
  return fields.keyId !== undefined ? { keyId: record.keyId } : {}
})

const checkOver =
  (changers: typeof Changers.Service, records: typeof Records.Service) => (fields: RuleFields, change: RecordChange) =>
    change.action === "delete"
      ? Effect.void
      : Effect.zipRight(checkContent(changers)(fields, change), ordererOf(records, fields, change))

const checkContent =
  (changers: typeof Changers.Service) =>
  ({ expiresAt = null, rule }: RuleFields, { object }: Checked) =>
    Effect.gen(function* () {
      if (isExpired({ expiresAt }, yield* DateTime.now)) {
        return yield* invalid("expiresAt", "must be in the future, because the pod never applies an expired rule")
      }
      if (rule === undefined) return
      const { kind, workspaceId } = rule.scope
      if (kind === "workspace") {
        if (workspaceId !== object.spaceId || object.isPersonal) {
          return yield* invalid("scope.workspaceId", "must be the workspace of the rule")
        }
      } else {
        if (!object.isPersonal)
          return yield* invalid(
            "scope.kind",
            `must be workspace for a rule in a workspace; a rule with the scope ${kind} must be in your personal space`
          )
        if (workspaceId !== undefined && workspaceId !== null) yield* requestedSpace(workspaceId)
      }
      const { projectId } = rule.scope
      if (projectId != null) {
        const project = { path: "scope.projectId", targetType: "project", id: projectId }
        yield* checkReferences(changers, [project], workspaceId ?? object.spaceId)
      }
      if (!(yield* Either.mapLeft(matchesSentence(rule), unreadable))) {
        return yield* invalid("rule.automation", "is not what the pod compiles from the sentence of the rule")
      }
    })

const decodeContent = Schema.decodeUnknownOption(AutomationRuleRecord.content)

/** The rule that a proposal would create; None if the proposal would not create a rule. */
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

/** A rule in the list, with the id by which the list is sorted (`at`). Ids sort by the time of creation. */
interface Listed {
  readonly at: string
  readonly rule: AutomationRule
}

const proposalsAtOnce = 200

export class AutomationRules extends Context.Tag("pod/AutomationRules")<
  AutomationRules,
  {
    /** The rules, newest first; expired rules are included. A proposed rule is sorted by the time of its proposal. */
    readonly list: (query: AutomationRuleQuery) => Effect.Effect<Page<AutomationRule>, Forbidden, Reach>
    /**
     * Returns the id of the rule. Fails with Forbidden if a clause cannot be read, with Invalid if the rule would
     * expire in the past.
     */
    readonly create: (draft: AutomationRuleDraft) => Effect.Effect<string, WriteFailure, Reach>
    /** Changes or pauses a rule. Only its person can change it; others who may write in its space can pause it. */
    readonly change: (id: string, change: AutomationRuleChange) => Effect.Effect<AutomationRule, WriteFailure, Reach>
    readonly remove: (id: string) => Effect.Effect<{ readonly id: string }, WriteFailure, Reach>
    /** The rules that may be applied now, in every space of the reach. Code that carries out rules uses this. */
    readonly inForce: Effect.Effect<ReadonlyArray<AutomationRule>, never, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const records = yield* Records
      const proposals = yield* Proposals
      const governed = yield* governedRecords(AutomationRuleRecord, {
        check: checkOver(yield* Changers, records),
        filled: ["keyId", "active"]
      })

      /**
       * Returns the newest proposed rules that wait for the decision of a person. There are at least `most` of them, if
       * so many exist.
       */
      const waiting = Effect.fnUntraced(function* (
        { cursor, workspaceId }: Pick<AutomationRuleQuery, "cursor" | "workspaceId">,
        most: number
      ) {
        const found: Array<Listed> = []
        let before = cursor
        while (true) {
          const { items, next } = yield* proposals.page({
            workspaceId,
            sessionId: undefined,
            status: "pending",
            creates: AutomationRuleRecord.name,
            limit: proposalsAtOnce,
            offset: 0,
            cursor: before
          })
          for (const proposal of items) {
            const rule = Option.getOrUndefined(proposedIn(proposal))
            if (rule !== undefined) found.push({ at: proposal.id, rule })
          }
          const last = items.at(-1)
          if (found.length >= most || next === null || last === undefined) return found
          before = { at: null, id: last.id }
        }
      })

      const kept = Effect.fnUntraced(function* ({ cursor, limit, offset, workspaceId }: AutomationRuleQuery) {
        const now = yield* DateTime.now
        const found = yield* governed.list({ cursor, limit, offset, workspaceId })
        return mapPage(found, (record) => ruleOf(record, now))
      })

      /** Reads a page of the list that holds both stored and proposed rules. */
      const merged = Effect.fnUntraced(function* (query: AutomationRuleQuery) {
        // The page holds the newest rules of both lists. So the newest `offset + limit + 1` proposed rules are enough.
        const asked = yield* waiting(query, query.offset + query.limit + 1)
        // At most `asked.length` of the skipped rules are proposed rules. The others are stored rules, so the statement
        // for stored rules can skip at least this many.
        const skipped = Math.max(0, query.offset - asked.length)
        const offset = query.offset - skipped
        const limit = offset + query.limit + 1
        const found = yield* kept({ ...query, offset: skipped, limit })
        const all = [...asked, ...found.items.map((rule) => ({ at: rule.id, rule }))].toSorted((one, other) =>
          one.at < other.at ? 1 : -1
        )
        const rows = all.slice(offset, offset + query.limit + 1)
        return mapPage(
          cutPage(rows, query.limit, (last) => ({ at: null, id: last.at })),
          ({ rule }) => rule
        )
      })

      return {
        list: (query) => (query.includeProposed ? merged(query) : kept(query)),

        create: Effect.fnUntraced(function* (draft) {
          const { scope } = draft
          const workspaceId = scope.kind === "workspace" ? (scope.workspaceId ?? undefined) : null
          if (workspaceId === undefined) {
            return yield* invalid("scope.workspaceId", "is missing: send the workspace of the rule")
          }
          const { automation, sentence } = yield* Either.mapLeft(compileRuleSentence(draft.sentence), unreadable)
          const { id } = yield* governed.create({
            workspaceId,
            fields: {
              name: ruleNameFrom(draft.intent),
              expiresAt: draft.expiresAt ?? null,
              keyId: null, // the check in `ordererOf` sets the key
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

        change: Effect.fnUntraced(function* (
          id,
          { active, expiresAt, expectedVersion, intent, reasoning, sentence, sessionId }
        ) {
          const { record: former } = yield* existingRule(records, id)
          const compiled =
            sentence === undefined ? {} : yield* Either.mapLeft(compileRuleSentence(sentence), unreadable)
          const intentField = intent === undefined ? {} : { intent }
          const hasContent = intent !== undefined || sentence !== undefined
          const fields: Patch<AutomationRuleRecord> = {
            active,
            expiresAt,
            ...(intent === undefined ? {} : { name: ruleNameFrom(intent) }),
            ...(hasContent ? { rule: { ...former.rule, ...intentField, ...compiled } } : {})
          }
          const changed = yield* governed.update(id, fields, { expectedVersion, reasoning, sessionId })
          return ruleOf(changed, yield* DateTime.now)
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
