/** A rule: what somebody wants to be known, or done each time something happens (specification §2.7). Pure. */
import { DateTime, Either, Schema } from "effect"
import { example, described, WorkspaceId, ProjectId, pageQuery, Timestamp, TimestampInput } from "../../doors/Fields.ts"
import { circumstances, recordType } from "../records/RecordType.ts"
import { Automation, type ClauseRefused } from "./Automation.ts"
import { compileSentence, SentenceInput, sentenceOf } from "./Sentence.ts"

/** The clauses as they are kept: the canonical sentence of the automation beside it. */
export const Sentence = Schema.Struct({
  when: described("When the rule acts.", Schema.String),
  where: described("On what it acts.", Schema.NullOr(Schema.String)),
  then: described("What it does.", Schema.String)
}).annotations({ identifier: "RuleClauses" })

/**
 * Where it counts: in a workspace, everywhere the person is (`pod`), or for the person alone (`user`). The last two live
 * in the person's own space; a workspace or a project narrows them. Whoever applies a rule stays within its own reach.
 */
export const RuleScope = Schema.Struct({
  kind: Schema.Literal("pod", "workspace", "user"),
  workspaceId: Schema.optional(Schema.NullOr(WorkspaceId)),
  projectId: Schema.optional(Schema.NullOr(ProjectId))
}).annotations({ identifier: "RuleScope" })
export type RuleScope = typeof RuleScope.Type

const textMost = 10_000 // characters
const nameMost = 120 // characters
const AutomationIds = Schema.Array(Schema.UUID).pipe(Schema.maxItems(100))

const body = {
  intent: described(
    "What was wanted, in the words it was said in.",
    Schema.String.pipe(Schema.minLength(1), Schema.maxLength(textMost))
  ),
  scope: described("Where the rule holds.", RuleScope),
  factSkillId: described("The skill that finds the fact.", Schema.NullOr(Schema.UUID)),
  automationIds: described("What carries it out.", AutomationIds),
  sentence: described("Null: the rule is its intent alone.", Schema.NullOr(Sentence)),
  automation: described("What the sentence comes to.", Schema.NullOr(Automation)),
  draft: described("Still being written: nothing applies it.", Schema.Boolean)
}

export const AutomationRuleRecord = recordType("rule", {
  identifier: "AutomationRuleRecord",
  subject: "rule",
  table: "rules",
  order: "created",
  fields: {
    name: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(nameMost)),
    rule: described("The rule.", Schema.Struct(body)),
    expiresAt: described("When it ends; null: never.", Schema.NullOr(Timestamp))
  }
})
export type AutomationRuleRecord = typeof AutomationRuleRecord.schema.Type

/** A rule on the wire. `expired`, `draft` and `proposed` ones are listed and never applied. */
export const AutomationRule = Schema.Struct({
  id: Schema.UUID,
  name: Schema.String,
  approved: described("Whether a person agreed.", Schema.Boolean),
  workspaceId: Schema.NullOr(WorkspaceId),
  createdAt: Timestamp,
  rule: described(
    "The rule.",
    Schema.Struct({ ...body, expiresAt: described("When it ends; null: never.", Schema.NullOr(Timestamp)) })
  ),
  status: Schema.Literal("active", "expired", "draft", "proposed"),
  proposalId: described("The proposal by which an agent asks for it.", Schema.NullOr(Schema.UUID))
}).annotations({ identifier: "AutomationRule" })
export type AutomationRule = typeof AutomationRule.Type

/** A flag of a query string, as clients of rules write it. */
const ruleFlag = Schema.optionalWith(
  Schema.transform(Schema.Literal("true", "false", "1", "0"), Schema.Boolean, {
    decode: (text) => text === "true" || text === "1",
    encode: (flag) => (flag ? "true" : "false"),
    strict: true
  }),
  { default: () => false }
)

export const AutomationRuleQuery = Schema.Struct({
  workspaceId: Schema.optional(WorkspaceId),
  ...pageQuery(50, 100),
  includeProposed: described("Also those that wait for a person.", ruleFlag)
})
export type AutomationRuleQuery = typeof AutomationRuleQuery.Type

export const AutomationRuleDraft = example(
  Schema.Struct({
    intent: described(
      "What it is for, in plain words.",
      Schema.Trim.pipe(Schema.minLength(1), Schema.maxLength(textMost))
    ),
    scope: described("Where the rule holds.", RuleScope),
    expiresAt: described("When it ends; null: never.", Schema.optional(Schema.NullOr(TimestampInput))),
    factSkillId: described("The skill that finds the fact.", Schema.optional(Schema.NullOr(Schema.UUID))),
    automationIds: described("What carries it out.", Schema.optionalWith(AutomationIds, { default: () => [] })),
    sentence: described("The rule in its three clauses.", Schema.optional(Schema.NullOr(SentenceInput))),
    userId: described("May name the caller only.", Schema.optional(Schema.NullOr(Schema.String))),
    agentUserId: described("May name the calling agent only.", Schema.optional(Schema.NullOr(Schema.String))),
    reasoning: circumstances.reasoning,
    sessionId: circumstances.sessionId
  }).annotations({ identifier: "AutomationRuleDraft" }),
  {
    intent: "Tell me of new tasks.",
    scope: { kind: "pod" },
    sentence: { when: "a task is created", then: "notify me" }
  }
)
export type AutomationRuleDraft = typeof AutomationRuleDraft.Type

type Term = Pick<AutomationRuleRecord, "expiresAt">

/** From its moment of expiry on it is expired. */
export const isExpired = ({ expiresAt }: Term, now: DateTime.Utc): boolean =>
  expiresAt !== null && DateTime.lessThanOrEqualTo(expiresAt, now)

/** Whether it may be applied now: the one question to ask before doing what a rule says. */
export const isInForce = (record: Pick<AutomationRuleRecord, "expiresAt" | "rule">, now: DateTime.Utc): boolean =>
  !record.rule.draft && !isExpired(record, now)

export const ruleOf = (record: AutomationRuleRecord, now: DateTime.Utc): AutomationRule => ({
  id: record.id,
  name: record.name,
  approved: !record.rule.draft,
  workspaceId: record.workspaceId,
  createdAt: record.createdAt,
  rule: { ...record.rule, expiresAt: record.expiresAt },
  status: isExpired(record, now) ? "expired" : record.rule.draft ? "draft" : "active",
  proposalId: null
})

/** What a rule is called when nobody names it: the beginning of its intent, in one line. */
export const nameOf = (intent: string): string => {
  const line = intent.trim().replaceAll(/\s+/g, " ")
  return line.length <= nameMost ? line : `${line.slice(0, nameMost - 1).toWellFormed()}…`
}

/** A sentence as it is kept, with its automation. Left: the clause that cannot be read. */
export const compiled = (
  sentence: SentenceInput | null | undefined
): Either.Either<Pick<AutomationRuleRecord["rule"], "sentence" | "automation">, ClauseRefused> =>
  sentence === null || sentence === undefined
    ? Either.right({ sentence: null, automation: null })
    : Either.map(compileSentence(sentence), (automation) => ({ sentence: sentenceOf(automation), automation }))

const isSameAutomation = Schema.equivalence(Schema.NullOr(Automation))

/** Whether the automation is what the sentence says: a person approves what they read and not something beside it. */
export const isFaithful = ({
  automation,
  sentence
}: Pick<AutomationRuleRecord["rule"], "sentence" | "automation">): Either.Either<boolean, ClauseRefused> =>
  Either.map(compiled(sentence), (made) => isSameAutomation(made.automation, automation))
