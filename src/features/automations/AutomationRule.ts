/**
 * Automation rules (specification §2.7). A rule without a sentence is a text that the pod only stores. A rule with a
 * sentence is work that the pod does when an event happens or at set times. The functions of this file are pure.
 */
import { DateTime, Either, Schema } from "effect"
import {
  CallerId,
  described,
  flagQuery,
  WorkspaceId,
  ProjectId,
  Timestamp,
  TimestampInput
} from "../../doors/Fields.ts"
import { pageQuery, rangeLimitQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { inputOf } from "../records/RecordInputs.ts"
import { updateDetails, recordType } from "../records/RecordType.ts"
import { Automation, type ClauseRefused } from "./Automation.ts"
import { compileSentence, SentenceInput, sentenceOf } from "./Sentence.ts"
import { shortenText } from "../../platform/StoredText.ts"

/** The stored clauses of a rule. They form the canonical sentence from which the pod compiles the rule's automation. */
export const Sentence = Schema.Struct({
  when: described("Event or time that starts the rule.", Schema.String),
  where: described("Records that the rule acts on.", Schema.NullOr(Schema.String)),
  then: described("What the rule does.", Schema.String)
}).annotations({ identifier: "RuleClauses" })

/**
 * Where the rule applies: in a workspace, in every space of the person (`pod`), or only to the person (`user`). Rules
 * with scope `pod` or `user` are stored in the person's own space. `workspaceId` and `projectId` can narrow these two
 * scopes. A rule never gives a caller more access.
 */
export const RuleScope = Schema.Struct({
  kind: Schema.Literal("pod", "workspace", "user"),
  workspaceId: Schema.optional(Schema.NullOr(WorkspaceId)),
  projectId: Schema.optional(Schema.NullOr(ProjectId))
}).annotations({ identifier: "RuleScope" })
export type RuleScope = typeof RuleScope.Type

const textMax = 10_000 // the maximum number of characters in the intent of a rule
const nameMax = 120 // the maximum number of characters in the name of a rule
const AutomationIds = Schema.Array(Id).pipe(Schema.maxItems(100))

const body = {
  intent: described(
    "What the rule is for, in the words of the person.",
    Schema.String.pipe(Schema.minLength(1), Schema.maxLength(textMax))
  ),
  scope: described("Where the rule applies.", RuleScope),
  factSkillId: described("Id of a skill, for clients; the pod only stores this id.", Schema.NullOr(Id)),
  automationIds: described("Ids of the automations that carry out the rule.", AutomationIds),
  sentence: described(
    "Text of the rule, such as `WHEN … THEN …`; null if the client gave only the `intent`.",
    Schema.NullOr(Sentence)
  ),
  automation: described("Automation that the pod compiled from the sentence.", Schema.NullOr(Automation)),
  draft: described("Whether the rule is a draft; the pod does not apply drafts.", Schema.Boolean)
}

export const AutomationRuleRecord = recordType("rule", {
  identifier: "AutomationRuleRecord",
  subject: "rule",
  table: "rules",
  order: "created",
  fields: {
    name: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(nameMax)),
    rule: described("Content of the rule.", Schema.Struct(body)),
    expiresAt: described("When the rule ends; null means never.", Schema.NullOr(Timestamp)),
    keyId: described(
      "Key that made the rule and limits what the rule may do; null if a person made or approved the rule while signed in.",
      Schema.NullOr(Id)
    ),
    active: described("Whether the rule runs; `false` pauses the rule.", Schema.Boolean)
  }
})
export type AutomationRuleRecord = typeof AutomationRuleRecord.schema.Type

/** A rule in the form that the API returns. The pod applies only rules with the status `active`. */
export const AutomationRule = Schema.Struct({
  id: Id,
  name: Schema.String,
  approved: described("Whether a person approved the rule.", Schema.Boolean),
  workspaceId: Schema.NullOr(WorkspaceId),
  createdAt: Timestamp,
  rule: described(
    "Content of the rule.",
    Schema.Struct({
      ...body,
      expiresAt: described("When the rule ends; null means never.", Schema.NullOr(Timestamp))
    })
  ),
  status: Schema.Literal("active", "paused", "expired", "draft", "proposed"),
  proposalId: described("Id of the proposal with which an agent asks for the rule.", Schema.NullOr(Id))
}).annotations({ identifier: "AutomationRule" })
export type AutomationRule = typeof AutomationRule.Type

export const AutomationRuleQuery = Schema.Struct({
  workspaceId: Schema.optional(WorkspaceId),
  ...pageQuery("rules", 50, 100),
  limit: rangeLimitQuery(50, 100),
  includeProposed: described("Whether to also list rules that wait for approval.", flagQuery(false))
})
export type AutomationRuleQuery = typeof AutomationRuleQuery.Type

/**
 * The input that creates a rule. The schema of the record cannot be used for this input, because the record keeps these
 * fields inside `rule`, beside fields that the pod compiles itself.
 */
export const AutomationRuleDraft = inputOf(
  "AutomationRuleDraft",
  {
    intent: described(
      "What the rule is for, in plain words.",
      Schema.Trim.pipe(Schema.minLength(1), Schema.maxLength(textMax))
    ),
    scope: described("Where the rule applies.", RuleScope),
    expiresAt: described("When the rule ends; null means never.", Schema.optional(Schema.NullOr(TimestampInput))),
    factSkillId: described(
      "Id of a skill, for clients; the pod only stores this id.",
      Schema.optional(Schema.NullOr(Id))
    ),
    automationIds: described(
      "Ids of the automations that carry out the rule.",
      Schema.optionalWith(AutomationIds, { default: () => [] })
    ),
    sentence: Schema.optional(Schema.NullOr(SentenceInput)),
    userId: Schema.optional(Schema.NullOr(CallerId)),
    agentUserId: described(
      "Id of the calling agent; any other id is refused.",
      Schema.optional(Schema.NullOr(Schema.String))
    ),
    reasoning: updateDetails.reasoning,
    sessionId: updateDetails.sessionId
  },
  {
    intent: "Tell me of new tasks.",
    scope: { kind: "pod" },
    sentence: { when: "a task is created", then: "notify me" }
  }
)
export type AutomationRuleDraft = typeof AutomationRuleDraft.Type

/** The input that changes a rule. Like the draft, it names fields that the record keeps inside `rule`. */
export const AutomationRuleChange = inputOf(
  "AutomationRuleChange",
  {
    active: described("`false` pauses the rule; `true` lets it run again.", Schema.optional(Schema.Boolean)),
    intent: described(
      "What the rule is for, in plain words.",
      Schema.optional(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(textMax)))
    ),
    sentence: Schema.optional(Schema.NullOr(SentenceInput)),
    expiresAt: described("When the rule ends; null means never.", Schema.optional(Schema.NullOr(TimestampInput))),
    ...updateDetails
  },
  { active: false }
)
export type AutomationRuleChange = typeof AutomationRuleChange.Type

type Term = Pick<AutomationRuleRecord, "expiresAt">

/** Returns true if the rule is expired. At the time `expiresAt` itself, the rule is already expired. */
export const isExpired = ({ expiresAt }: Term, now: DateTime.Utc): boolean =>
  expiresAt !== null && DateTime.lessThanOrEqualTo(expiresAt, now)

/** Returns true if the pod is allowed to apply the rule now. Code that runs a rule must check this first. */
export const isInForce = (
  record: Pick<AutomationRuleRecord, "active" | "expiresAt" | "rule">,
  now: DateTime.Utc
): boolean => record.active && !record.rule.draft && !isExpired(record, now)

export const ruleOf = (record: AutomationRuleRecord, now: DateTime.Utc): AutomationRule => ({
  id: record.id,
  name: record.name,
  approved: !record.rule.draft,
  workspaceId: record.workspaceId,
  createdAt: record.createdAt,
  rule: { ...record.rule, expiresAt: record.expiresAt },
  status: isExpired(record, now) ? "expired" : record.rule.draft ? "draft" : record.active ? "active" : "paused",
  proposalId: null
})

/** Makes the name of a rule to which nobody gave a name: the beginning of the intent, in one line. */
export const ruleNameFrom = (intent: string): string => {
  const line = intent.trim().replaceAll(/\s+/g, " ")
  return line.length <= nameMax ? line : `${shortenText(line, nameMax - 1)}…`
}

/**
 * Compiles a sentence. Returns the sentence in its stored form, and its automation. Returns a Left with the clause if
 * the pod cannot read a clause.
 */
export const compileRuleSentence = (
  sentence: SentenceInput | null | undefined
): Either.Either<Pick<AutomationRuleRecord["rule"], "sentence" | "automation">, ClauseRefused> =>
  sentence === null || sentence === undefined
    ? Either.right({ sentence: null, automation: null })
    : Either.map(compileSentence(sentence), (automation) => ({ sentence: sentenceOf(automation), automation }))

const isSameAutomation = Schema.equivalence(Schema.NullOr(Automation))
const isSameScope = Schema.equivalence(RuleScope)

type Work = Pick<AutomationRuleRecord["rule"], "automation" | "scope">

/**
 * Returns true if two rules do the same work in the same scope. A change that keeps both also keeps the key that limits
 * the rule.
 */
export const isSameWork = (one: Work, other: Work): boolean =>
  isSameAutomation(one.automation, other.automation) && isSameScope(one.scope, other.scope)

/**
 * Returns true if the automation equals the compiled sentence. A person approves the sentence, but the pod runs the
 * automation. So both must mean the same.
 */
export const matchesSentence = ({
  automation,
  sentence
}: Pick<AutomationRuleRecord["rule"], "sentence" | "automation">): Either.Either<boolean, ClauseRefused> =>
  Either.map(compileRuleSentence(sentence), (compiledRule) => isSameAutomation(compiledRule.automation, automation))
