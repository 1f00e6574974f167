/** What the Hub opens of rules (specification §4.5). There is no route to one rule. */
import { HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { read, write } from "../../doors/Declare.ts"
import { fullGrant, self, writes } from "../../doors/Door.ts"
import { continuing } from "../../doors/Page.ts"
import { Automation } from "./Automation.ts"
import { Classification } from "./Classify.ts"
import { AutomationRule, AutomationRuleDraft, AutomationRuleQuery, Sentence } from "./AutomationRule.ts"

const textMost = 10_000 // characters; classifying them takes some 40 ms
const names = Schema.Array(Schema.String.pipe(Schema.maxLength(200))).pipe(Schema.maxItems(500))

const ClassifyRequest = Schema.Struct({
  text: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(textMost)),
  /** What can be done here, and the kinds of things there are: a text that names one is understood better. */
  context: Schema.optional(Schema.Struct({ capabilities: Schema.optional(names), profiles: Schema.optional(names) }))
}).annotations({ identifier: "RuleClassifyRequest" })

const ParseRequest = Schema.Struct({
  text: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(2000)),
  workspaceId: Schema.optional(Schema.NullOr(Schema.UUID))
}).annotations({ identifier: "RuleParseRequest" })

/** A text read as a rule. `refused` says why there is no automation where the text speaks of one. */
const ParsedRule = Schema.Struct({
  classification: Classification,
  sentence: Schema.NullOr(Sentence),
  automation: Schema.NullOr(Automation),
  refused: Schema.NullOr(Schema.Struct({ clause: Schema.Literal("when", "where", "then"), why: Schema.String })),
  intent: Schema.String
}).annotations({ identifier: "ParsedRule" })

// What was said is all they look at, and nothing is kept: no grant has anything to bound.
const asking = self("hub-protocol.read")

export const AutomationRuleApi = HttpApiGroup.make("rules")
  .add(
    read("rules.classify", {
      method: "POST",
      path: "/rules/classify",
      payload: ClassifyRequest,
      success: Classification,
      door: asking,
      summary: "Say what a text is: a fact, a behaviour, a schedule, or a request for now. Keeps nothing."
    })
  )
  .add(
    read("rules.parse", {
      method: "POST",
      path: "/rules/parse",
      payload: ParseRequest,
      success: ParsedRule,
      door: asking,
      summary: "Read a text as a rule: its sentence and its automation, or why it cannot be read. Keeps nothing."
    })
  )
  .add(
    read("rules.list", {
      path: "/rules",
      query: AutomationRuleQuery,
      success: continuing(Schema.Struct({ rules: Schema.Array(AutomationRule) })),
      door: fullGrant("hub-protocol.read"),
      summary: "List the rules the caller may read, newest first; also those that wait for a person, if asked for."
    })
  )
  .add(
    write("rules.create", {
      method: "POST",
      path: "/rules",
      payload: AutomationRuleDraft,
      success: Schema.Struct({ status: Schema.Literal("created"), ruleId: Schema.UUID }),
      door: writes("hub-protocol.write", "rule", ["create"]),
      summary:
        "Keep a rule; its sentence, where it has one, is compiled or refused with the clause that cannot be read."
    })
  )
