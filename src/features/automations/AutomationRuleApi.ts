/** What the Hub opens of rules (specification §4.5). There is no route to one rule. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read, write } from "../../doors/Declare.ts"
import { fullGrant, self, writes } from "../../doors/Door.ts"
import { continuing } from "../../doors/Page.ts"
import { Automation } from "./Automation.ts"
import { Classification } from "./Classify.ts"
import { AutomationRule, AutomationRuleDraft, AutomationRuleQuery, Sentence } from "./AutomationRule.ts"
import { example, WorkspaceId, described } from "../../doors/Fields.ts"

const textMost = 10_000 // characters; classifying them takes some 40 ms
const names = Schema.Array(Schema.String.pipe(Schema.maxLength(200))).pipe(Schema.maxItems(500))

const ClassifyRequest = example(
  Schema.Struct({
    text: described("The words.", Schema.String.pipe(Schema.minLength(1), Schema.maxLength(textMost))),
    context: described(
      "What can be done here, and the kinds of things there are: a text that names one is understood better.",
      Schema.optional(
        Schema.Struct({
          capabilities: described("What the agent may write.", Schema.optional(names)),
          profiles: described("The kinds it holds.", Schema.optional(names))
        })
      )
    )
  }).annotations({ identifier: "RuleClassifyRequest" }),
  { text: "Whenever a task is created, notify me." }
)

const ParseRequest = example(
  Schema.Struct({
    text: described("The words.", Schema.String.pipe(Schema.minLength(1), Schema.maxLength(2000))),
    workspaceId: Schema.optional(Schema.NullOr(WorkspaceId))
  }).annotations({ identifier: "RuleParseRequest" }),
  { text: "Whenever a task is created, notify me." }
)

/** A text read as a rule. `refused` says why there is no automation where the text speaks of one. */
const ParsedRule = Schema.Struct({
  classification: described("What kind of rule the words make.", Classification),
  sentence: described("The rule in its three clauses.", Schema.NullOr(Sentence)),
  automation: described("What would carry it out.", Schema.NullOr(Automation)),
  refused: described(
    "What could not be read.",
    Schema.NullOr(
      Schema.Struct({
        clause: described("The clause it is about.", Schema.Literal("when", "where", "then")),
        why: described("The reason, for people.", Schema.String)
      })
    )
  ),
  intent: described("What it is for, in plain words.", Schema.String)
}).annotations({ identifier: "ParsedRule" })

// What was said is all they look at, and nothing is kept: no grant has anything to bound.
const asking = self("hub-protocol.read")

export const AutomationRuleApi = HttpApiGroup.make("rules")
  .annotate(OpenApi.Description, "What is to be known, or done each time something happens, in words and compiled.")
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
      success: continuing(Schema.Struct({ rules: described("The rules there are.", Schema.Array(AutomationRule)) })),
      door: fullGrant("hub-protocol.read"),
      summary: "List the rules the caller may read, newest first; also those that wait for a person, if asked for."
    })
  )
  .add(
    write("rules.create", {
      method: "POST",
      path: "/rules",
      payload: AutomationRuleDraft,
      success: Schema.Struct({
        status: Schema.Literal("created"),
        ruleId: described("The rule it is about.", Schema.UUID)
      }),
      door: writes("hub-protocol.write", "rule", ["create"]),
      summary:
        "Keep a rule; its sentence, where it has one, is compiled or refused with the clause that cannot be read."
    })
  )
